/**
 * What a model is told of a session (contract 5.8), made from run views and nothing else: the same
 * for the running turn at each of its steps, after a restart, and for the turns that follow.
 *
 * Always valid for strict providers: after an optional system message user and assistant alternate,
 * each call has exactly one result right after it, no message is empty. Honest: a call without a
 * result says what became of it, a turn that was stopped or cut off says so in the assistant's
 * place (the person's words stay exactly theirs). Reasoning is not sent back. Text that redaction
 * changed is sent as it is stored.
 */
import type { UserMessage } from "#protocol/event-values";
import type { ModelImage, ModelMessage } from "#protocol/model-message";
import type { PartOf, RunView } from "#protocol/run-view";
import { isActive, type TerminalState } from "#protocol/status";
import { findBorder, type CompressionBorder } from "./compression-border";
import { MessageList, isBlank, joinBlocks, type StepCall } from "./message-list";
import { runSteps } from "./run-steps";

export interface ModelMessagesOptions {
  /** The system message; null or blank for none. */
  readonly system: string | null;
  /** Whether the model takes images; without, a person's images are told by name only. */
  readonly images: boolean;
}

const SUMMARY_HEADING = "[Summary of the conversation so far]";

const RESULT_WITHOUT_OUTPUT: Readonly<Record<PartOf<"tool">["status"], string>> = {
  pending: "[There is no result yet.]",
  running: "[This is still running; there is no result yet.]",
  ok: "[It succeeded without output.]",
  error: "[It failed without output.]",
  denied: "[The person did not allow this. It was not run.]",
  cancelled: "[The person stopped this before it was finished.]",
  interrupted: "[This was cut off before it was finished. It may have had effects.]",
};

/** What is said of a turn's ending; null where its own words say it. */
const ENDING_NOTES: Readonly<Record<TerminalState, string | null>> = {
  completed: null,
  cancelled: "[The person stopped this turn before it was finished.]",
  failed: "[This turn failed before it was finished.]",
  interrupted: "[This turn was cut off before it was finished, because the process that ran it went away.]",
  expired: "[This turn ended before it was finished, because its time was over.]",
  tool_limit_reached: "[This turn ended at the limit of steps. The work may not be finished.]",
  no_response: "[This turn ended without an answer.]",
  compression_exhausted: "[This turn failed, because the conversation was too long for the model.]",
};

/** Messages for the next request. `views`: the session's runs, oldest first, the running one last. */
export function toModelMessages(views: readonly RunView[], options: ModelMessagesOptions): readonly ModelMessage[] {
  const list = new MessageList();
  list.addSystem(options.system ?? "");
  const told = views.filter((view) => !view.rewound);
  const border = findBorder(told);
  const summaryBefore = border === null ? -1 : Math.max(0, told.findIndex((view) => border.coveredRunIds.has(view.run_id)));
  told.forEach((view, index) => {
    // The summary stands where the first turn stood that it speaks for; turns kept before it stay before it.
    if (border !== null && index === summaryBefore) list.addSummary(joinBlocks([SUMMARY_HEADING, border.summary]));
    addRun(list, view, border, options.images);
  });
  return list.done();
}

function addRun(list: MessageList, view: RunView, border: CompressionBorder | null, images: boolean): void {
  const holdsBorder = border?.holderRunId === view.run_id;
  const covered = border?.coveredRunIds.has(view.run_id) ?? false;
  if (view.source === "compress" || (covered && !holdsBorder)) return;
  const from = covered && border !== null ? border.partIndex + 1 : 0;
  addOpening(list, view, images);
  for (const piece of runSteps(view, from)) {
    if (piece.kind === "steer") list.addUser(piece.text);
    else list.addStep(joinBlocks(piece.texts), piece.calls.map(toStepCall));
  }
  const note = isActive(view.status) || view.terminal_state === null ? null : ENDING_NOTES[view.terminal_state];
  if (note !== null) list.addStep(note, []);
}

function addOpening(list: MessageList, view: RunView, images: boolean): void {
  const text = view.message === null ? (view.instruction ?? "") : openingText(view.message);
  list.addUser(text, images && view.message !== null ? openingImages(view.message) : []);
}

function openingText(message: UserMessage): string {
  return joinBlocks([message.text, message.attachments.map(attachmentNote).join("\n")]);
}

function attachmentNote(attachment: UserMessage["attachments"][number]): string {
  const kind = attachment.is_image ? "image" : "file";
  const path = typeof attachment["path"] === "string" ? ` at ${attachment["path"]}` : "";
  return `[Attached ${kind}: ${attachment.name}${path}]`;
}

function openingImages(message: UserMessage): readonly ModelImage[] {
  return message.attachments
    .filter((attachment) => attachment.is_image)
    .map(({ attachment_id, name, mime }) => ({ attachment_id, name, mime }));
}

function toStepCall(part: PartOf<"tool">): StepCall {
  const result = part.result === null || isBlank(part.result) ? RESULT_WITHOUT_OUTPUT[part.status] : part.result;
  return { id: part.tool_call_id, name: part.name, arguments: part.arguments, result };
}
