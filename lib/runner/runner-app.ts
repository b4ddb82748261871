/**
 * The runner's HTTP API (contract 4): the key is asked for before anything else, then the route, and
 * whatever is thrown becomes an answer here and nowhere else. A route has no logic of its own: it
 * parses, calls the host, and says what the host said. JSON answers never wait for events.
 */
import { Hono } from "hono";
import type { HttpBindings } from "@hono/node-server";
import { AppError } from "#protocol/errors";
import { engineCapabilities } from "#engines/capabilities";
import { controlSchema } from "#protocol/status";
import { createBearerCheck } from "./bearer";
import { addDoorbellRoute } from "./doorbell-route";
import { addEventRoutes } from "./event-routes";
import { addRunRoutes } from "./run-routes";
import { jsonAnswer, refusalAnswer } from "./runner-answer";
import { readHealth } from "./runner-health";
import type { RunnerApp, RunnerParts } from "./runner-parts";
import { addSessionRoutes } from "./session-routes";

export function createRunnerApp(parts: RunnerParts): RunnerApp {
  const app: RunnerApp = new Hono<{ Bindings: HttpBindings }>().basePath(parts.prefix);
  const carriesKey = createBearerCheck(parts.key);
  app.get("/health", async () => jsonAnswer(await readHealth(parts)));
  app.use("*", async (context, next) => {
    if (!carriesKey(context.req.raw.headers.get("authorization"))) throw new AppError("unauthorized", "The runner's key is missing or wrong.");
    await next();
  });
  app.get("/v1/capabilities", () => jsonAnswer(capabilities()));
  addRunRoutes(app, parts);
  addEventRoutes(app, parts);
  addSessionRoutes(app, parts);
  addDoorbellRoute(app, parts);
  // For our own web process: what it owns no connection of.
  app.get("/v1/profiles/:profile/mcp", async (context) => jsonAnswer({ servers: await parts.open.mcpServers(context.req.param("profile")) }));
  app.notFound(() => refusalAnswer(new AppError("not_found", "The runner has no such route.")));
  app.onError((error) => refusalAnswer(toAppError(error, parts)));
  return app;
}

function capabilities(): Readonly<Record<string, unknown>> {
  return {
    controls: controlSchema.options,
    ...engineCapabilities(),
    features: {
      event_stream: true,
      event_polling: true,
      idempotent_run_id: true,
      several_prompts: true,
      queue: true,
      goal: true,
      yolo: true,
      compress: true,
      retry: true,
      background_processes: true,
      doorbell: true,
    },
  };
}

function toAppError(error: unknown, { logger }: RunnerParts): AppError {
  if (error instanceof AppError && error.code !== "internal") return error;
  logger.error({ cause: error instanceof Error ? (error.stack ?? error.message) : String(error) }, "a request failed");
  if (error instanceof AppError) return new AppError("internal", error.message);
  return new AppError("internal", "Something went wrong in the runner. Its log has it.");
}
