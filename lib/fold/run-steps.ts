/**
 * The parts of a run as the model lived them: steps (words and calls of one model message) and the
 * steers between them, each after the last step that had begun when it was given to the model.
 */
import type { PartOf, RunView, ViewPart } from "#protocol/run-view";

export interface ModelStep {
  readonly kind: "step";
  readonly texts: readonly string[];
  readonly calls: readonly PartOf<"tool">[];
}
export interface AppliedSteer {
  readonly kind: "steer";
  readonly text: string;
}

interface OpenStep {
  readonly kind: "step";
  readonly messageId: string;
  readonly texts: string[];
  readonly calls: PartOf<"tool">[];
  /** When the step is known to have begun; null when nothing in it says so. */
  began: number | null;
}
interface PlacedSteer {
  readonly kind: "steer";
  readonly text: string;
  readonly appliedAt: number;
}

/** Steps and applied steers of a run, from the part at `from` on. Steers that never reached the model are left out. */
export function runSteps(view: RunView, from: number): readonly (ModelStep | AppliedSteer)[] {
  const pieces = collect(view.parts.slice(from));
  const steerAfter = new Map<number, PlacedSteer[]>();
  pieces.forEach((piece, position) => {
    if (piece.kind !== "steer") return;
    const place = lastBegunBefore(pieces, position, piece.appliedAt);
    steerAfter.set(place, [...(steerAfter.get(place) ?? []), piece]);
  });
  return pieces.flatMap((piece, position) => [...(piece.kind === "step" ? [piece] : []), ...(steerAfter.get(position) ?? [])]);
}

function lastBegunBefore(pieces: readonly (OpenStep | PlacedSteer)[], position: number, appliedAt: number): number {
  let place = position;
  for (let later = position + 1; later < pieces.length; later += 1) {
    const piece = pieces[later];
    if (piece?.kind === "step" && piece.began !== null && piece.began < appliedAt) place = later;
  }
  return place;
}

function collect(parts: readonly ViewPart[]): readonly (OpenStep | PlacedSteer)[] {
  const pieces: (OpenStep | PlacedSteer)[] = [];
  let current: OpenStep | null = null;
  let thoughtAt: number | null = null;
  const stepOf = (messageId: string, type: "text" | "tool"): OpenStep => {
    // Words after calls are a new step even under the same message: results stand between them.
    const fits = current !== null && current.messageId === messageId && !(type === "text" && current.calls.length > 0);
    if (current !== null && fits) return current;
    const step: OpenStep = { kind: "step", messageId, texts: [], calls: [], began: thoughtAt };
    thoughtAt = null;
    current = step;
    pieces.push(step);
    return step;
  };
  for (const part of parts) {
    if (part.type === "text") stepOf(part.message_id, "text").texts.push(part.text);
    else if (part.type === "reasoning") thoughtAt ??= part.started_at;
    else if (part.type === "tool") {
      const step = stepOf(part.message_id, "tool");
      step.calls.push(part);
      step.began ??= part.started_at;
    } else if (part.type === "steer" && part.applied_at !== null) {
      pieces.push({ kind: "steer", text: part.text, appliedAt: part.applied_at });
    }
  }
  return pieces;
}
