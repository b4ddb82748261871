/**
 * What the tabs of one browser say to each other. A border: another tab may run another version of
 * the page, so every message is parsed, and the channel's name carries the version of these shapes.
 */
import { z } from "zod";
import { parseEvent, unknownEventSchema } from "#protocol/events";
import type { ConnectionNews } from "./connection-news";
import type { ConnectionState } from "./link-machine";

export const TAB_PROTOCOL = "1";

const subscriptionSchema = z.object({ session_id: z.string(), cursor: z.string().nullable() });

/** One session that a tab shows. Not `ready`: it is being opened, keep carrying it if you do, but its cursor is not known yet. */
const wantedSessionSchema = subscriptionSchema.extend({ ready: z.boolean() });
export type WantedSession = z.infer<typeof wantedSessionSchema>;

const tabWantSchema = z.object({
  sessions: z.array(wantedSessionSchema),
  visible: z.boolean(),
  /** Something that the tab shows runs or waits. */
  busy: z.boolean(),
});
export type TabWant = z.infer<typeof tabWantSchema>;

const connectionStateSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("idle") }),
  z.object({ kind: z.literal("live") }),
  z.object({ kind: z.literal("connecting"), quiet: z.boolean() }),
  z.object({ kind: z.literal("lost"), retry_at: z.number() }),
  z.object({ kind: z.literal("catching_up"), count: z.number() }),
  z.object({ kind: z.literal("unauthorized") }),
]) satisfies z.ZodType<ConnectionState>;

const newsSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("event"), event: unknownEventSchema }),
  z.object({ kind: z.literal("start"), subscriptions: z.array(subscriptionSchema) }),
  z.object({ kind: z.literal("reset"), session_id: z.string() }),
  z.object({ kind: z.literal("gone"), session_id: z.string() }),
  z.object({ kind: z.literal("sessions") }),
  z.object({ kind: z.literal("stale") }),
]);

const messageSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("want"), tab: z.string(), want: tabWantSchema }),
  z.object({ kind: z.literal("leave"), tab: z.string() }),
  /** This tab leads from now on: say what you want. */
  z.object({ kind: z.literal("lead"), tab: z.string() }),
  z.object({ kind: z.literal("probe"), tab: z.string() }),
  /** The leader lives; `batches`: how many it has sent; `carries`: which sessions. */
  z.object({ kind: z.literal("alive"), tab: z.string(), batches: z.number(), carries: z.array(z.string()), state: connectionStateSchema }),
  z.object({ kind: z.literal("batch"), tab: z.string(), number: z.number(), news: z.array(newsSchema) }),
  z.object({ kind: z.literal("state"), tab: z.string(), state: connectionStateSchema }),
  z.object({ kind: z.literal("try_now"), tab: z.string(), force: z.boolean() }),
]);
export type TabMessage = z.infer<typeof messageSchema>;
/** A message as it is sent: news go out as they are and are parsed where they arrive. */
export type SentTabMessage =
  | Exclude<TabMessage, { kind: "batch" }>
  | { readonly kind: "batch"; readonly tab: string; readonly number: number; readonly news: readonly ConnectionNews[] };

/** Null for what is no message of this version. */
export function parseTabMessage(value: unknown): TabMessage | null {
  const parsed = messageSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** News as another tab sent them; an event whose payload is not what its type says makes all stale. */
export function newsOfMessage(news: Extract<TabMessage, { kind: "batch" }>["news"]): readonly ConnectionNews[] {
  return news.map((item): ConnectionNews => {
    if (item.kind !== "event") return item;
    const event = parseEvent(item.event);
    return event === null ? { kind: "stale" } : { kind: "event", event };
  });
}
