import type { ModelMessage } from "#protocol/model-message";

const KINDS: ReadonlyMap<string, (asked: string) => string> = new Map([
  ["Hermes goal judge", judge],
  ["Hermes title", title],
  ["Hermes compression", compress],
]);

const LONGEST_TITLE = 48;
const LONGEST_SUMMARY = 600;

/**
 * The demo model's answer to an auxiliary request (judge, title, compression; known by the first line
 * of the system message), or null when it is none.
 */
export function answerAuxiliary(messages: readonly ModelMessage[]): string | null {
  const system = messages.find((message) => message.role === "system");
  const answer = KINDS.get(system?.content.split("\n", 1)[0]?.trim() ?? "");
  const asked = messages.filter((message) => message.role === "user").map((message) => message.content);
  return answer === undefined ? null : answer(asked.join("\n"));
}

function judge(asked: string): string {
  // The goal alone counts, not an answer that repeats the words.
  const goal = asked.split(/\n\n(?=[^\n]*\banswer\b[^\n]*:\n)/i, 1)[0] ?? "";
  const goesOn = goal.includes("judge continue");
  const reason = goesOn ? "The goal holds the words judge continue." : "The demo model takes every goal as reached.";
  return JSON.stringify({ verdict: goesOn ? "continue" : "done", reason });
}

function title(asked: string): string {
  const lines = asked.split("\n").map((line) => line.replace(/^\s*(?:user|person|message)\s*:/i, "").replace(/[#*`>]/g, "").trim());
  const first = lines.find((line) => line !== "") ?? "New chat";
  const short = first.length > LONGEST_TITLE ? `${first.slice(0, LONGEST_TITLE).replace(/\s+\S*$/, "")}…` : first;
  return short.charAt(0).toUpperCase() + short.slice(1);
}

function compress(asked: string): string {
  const flat = asked.replace(/\s+/g, " ").trim();
  return `Summary by the demo model of what was said before: ${flat.length > LONGEST_SUMMARY ? `${flat.slice(0, LONGEST_SUMMARY)}…` : flat}`;
}
