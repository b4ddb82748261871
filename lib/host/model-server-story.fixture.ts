/** A host whose model is a server that plays to the byte and refuses what a strict provider refuses. */
import { z } from "zod";
import { createChatPort } from "#agent/model/chat-port";
import type { ModelPort } from "#agent/model/model-port";
import { DEFAULT_TRANSPORT_LIMITS } from "#agent/model/provider-fetch";
import { deltaChunk, DONE_FRAME, frame, rawReply, textReply, type Reply } from "#testing/model-replies";
import { startModelServer, type ModelServer, type RecordedRequest } from "#testing/model-server";
import type { TestHostOptions } from "#testing/test-host";
import { openStory, type HostStory } from "./host-story.fixture";

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.unknown(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) })).optional(),
});
const requestSchema = z.looseObject({ model: z.string(), messages: z.array(messageSchema) });

export type AskedMessage = z.infer<typeof messageSchema>;

export interface ModelServerStory extends HostStory {
  readonly server: ModelServer;
  /** For another host on the same folder. */
  readonly port: ModelPort;
  /** Answers of the conversation, one after the other (the last repeats), and of what is asked beside it, by the task's name. */
  answer(turns: readonly Reply[], aside?: (task: string) => Reply): void;
  /** What the model was asked in the conversation, oldest first. */
  asked(): readonly { readonly model: string; readonly messages: readonly AskedMessage[] }[];
}

export async function openModelServerStory(options: Omit<TestHostOptions, "folder" | "port"> = {}): Promise<ModelServerStory> {
  const server = await startModelServer();
  const port = createChatPort({ provider: "scripted", base_url: server.url, api_key: null, reasoning_style: "effort", load_image: async () => null, limits: DEFAULT_TRANSPORT_LIMITS });
  const story = await openStory({ ...options, port });
  return {
    ...story,
    server,
    port,
    answer: (turns, aside = () => textReply("A title")) => {
      let turn = 0;
      server.script((request) => {
        const task = taskOf(request);
        if (task !== null) return aside(task);
        turn += 1;
        return turns[Math.min(turn, turns.length) - 1] ?? textReply("ok");
      });
    },
    asked: () => server.chats.filter((request) => taskOf(request) === null).map((request) => requestSchema.parse(request.body)),
    close: async () => {
      await story.close();
      await server.close();
    },
  };
}

/** `Hermes title` and the like, or null for the conversation. */
export function taskOf(request: RecordedRequest): string | null {
  const first = requestSchema.parse(request.body).messages[0]?.content;
  return typeof first === "string" ? (/^Hermes (?:goal judge|title|compression)/.exec(first)?.[0] ?? null) : null;
}

/** One step of calls as a provider wrote them, arguments as they stand, with the step's usage. */
export function rawCallReply(calls: readonly { readonly id?: string; readonly name: string; readonly raw: string }[], usage: readonly [number, number] = [10, 5]): Reply {
  const deltas = calls.map((call, index) => frame(deltaChunk({ tool_calls: [{ index, id: call.id, type: "function", function: { name: call.name, arguments: call.raw } }] })));
  return rawReply([...deltas, frame(deltaChunk({}, "tool_calls")), frame({ choices: [], usage: { prompt_tokens: usage[0], completion_tokens: usage[1] } }), { kind: "bytes", bytes: DONE_FRAME }]);
}
