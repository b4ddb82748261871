/** RFC row "Multi-profile isolation": a run sees the memory, variables and models of its own profile and writes to its own home. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { callReply, textReply } from "#testing/model-replies";
import { conversation, test } from "./support/desk-test";

const PROFILES = ["amber", "birch"] as const;

test("two profiles at once: each run is told, and leaves, its own profile's marks only (B246)", async ({ desk, api, product, models }) => {
  const homes = Object.fromEntries(PROFILES.map((name) => [name, join(product.home, "profiles", name)]));
  for (const name of PROFILES) {
    await api.ask("POST", "/api/profiles", { name, clone_from: "default" });
    const home = homes[name] ?? "";
    mkdirSync(join(home, "memories"), { recursive: true });
    writeFileSync(join(home, "memories", "MEMORY.md"), `The mark of memory is memory-${name}.\n`);
    writeFileSync(join(home, ".env"), `CITY=city-${name}\n`);
  }
  models.script(
    conversation((request) => {
      const told = JSON.stringify(request.body);
      if (told.includes('"role":"tool"')) return textReply(PROFILES.filter((name) => told.includes(`memory-${name}`)).join(" and "));
      return callReply([
        { name: "terminal", arguments: { command: "echo in $CITY" } },
        { name: "memory", arguments: { action: "add", target: "user", content: `seen by ${told.includes("memory-amber") ? "amber" : "birch"}` } },
      ]);
    }),
  );
  const sessions = await Promise.all(PROFILES.map((profile) => api.makeSession({ profile, provider: "scripted", model: "alpha" })));
  const runs = await Promise.all(sessions.map((sessionId) => api.start(sessionId, "tell")));
  for (const [index, name] of PROFILES.entries()) {
    const sessionId = sessions[index] ?? "";
    expect(await api.ends(runs[index] ?? "")).toBe("completed");
    await desk.open(sessionId);
    await expect(desk.page.getByRole("button", { name: `Profile: ${name}` })).toBeVisible();
    await expect(desk.answers).toHaveText([name]);
    await expect((await desk.openTool("echo in $CITY")).getByRole("figure")).toHaveText(`in city-${name}`);
    expect((await api.events(runs[index] ?? ""))[0]).toMatchObject({ payload: { profile: name } });
    const memory = readFileSync(join(homes[name] ?? "", "memories", "USER.md"), "utf8");
    expect(memory).toContain(`seen by ${name}`);
    for (const other of PROFILES.filter((candidate) => candidate !== name)) expect(memory).not.toContain(other);
  }
  expect(existsSync(join(product.home, "memories", "USER.md")), "the default profile was written to").toBe(false);
});
