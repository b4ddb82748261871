/**
 * J5: the stored view of a run, kept near its newest event at a cost that stays linear.
 *
 * A view is stored as a head (everything but its parts) and one row per part; text that grows is
 * stored in pieces that are only appended. A snapshot writes what changed since the one before, and
 * is due when as many bytes of events came as that one cost (64 KiB at least), and at the terminal
 * event: all snapshots of a run together cost no more than its events, and opening a run folds a
 * small rest. The text of a long answer is never taken out of the view for it: what was appended is
 * collected from the deltas, and a length that does not fit makes the part be written anew.
 */
import type { RunEvent } from "#protocol/events";
import type { PartOf, RunView, ViewPart } from "#protocol/run-view";

const LEAST_BYTES = 65_536;
const PIECE_CHARACTERS = 65_536;

interface StoredText {
  readonly kind: "text";
  readonly key: string;
  readonly shell: string;
  readonly characters: number;
  readonly pieces: number;
}
interface StoredWhole {
  readonly kind: "whole";
  readonly part: ViewPart;
}

/** What is known of a run's snapshot between two commits. `stored` null: unknown, the next one is written whole. */
export interface SnapshotState {
  readonly last_seq: number;
  readonly stored: readonly (StoredText | StoredWhole)[] | null;
  /** Text that came since, by stream. */
  readonly grown: ReadonlyMap<string, string>;
  /** Streams whose text was replaced. */
  readonly replaced: ReadonlySet<string>;
  readonly bytes_since: number;
  readonly bytes_of_last: number;
}

export type PartRow = readonly [run_id: string, part: number, piece: number, body: string];

export interface SnapshotPlan {
  readonly state: SnapshotState;
  readonly rows: readonly PartRow[];
  /** Parts whose rows go first; `all` before a whole snapshot. */
  readonly cleared: readonly number[] | "all";
  /** The view without its parts, or null when no snapshot is due. */
  readonly head: string | null;
}

/** The plan for events that follow `state` (undefined: a run not seen yet by this process). */
export function planSnapshot(state: SnapshotState | undefined, events: readonly RunEvent[], view: RunView, bytes: number): SnapshotPlan {
  const moved = collect(continued(state, events), events, bytes);
  if (view.terminal_state === null && moved.bytes_since < Math.max(LEAST_BYTES, moved.bytes_of_last)) {
    return { state: moved, rows: [], cleared: [], head: null };
  }
  return write(moved, view);
}

function continued(state: SnapshotState | undefined, events: readonly RunEvent[]): SnapshotState {
  const first = events[0]?.seq ?? 1;
  if (state !== undefined && state.last_seq === first - 1) return state;
  return { last_seq: first - 1, stored: first === 1 ? [] : null, grown: new Map(), replaced: new Set(), bytes_since: 0, bytes_of_last: 0 };
}

function collect(state: SnapshotState, events: readonly RunEvent[], bytes: number): SnapshotState {
  const grown = new Map(state.grown);
  const replaced = new Set(state.replaced);
  // Deltas of one segment follow each other: their text is gathered before it is put down.
  let kind: "text" | "reasoning" = "text";
  let segment = "";
  let key = "";
  let text = "";
  const putDown = (): void => {
    if (key !== "") grown.set(key, (grown.get(key) ?? "") + text);
    key = "";
    text = "";
  };
  for (const event of events) {
    if (event.type === "token.delta" || event.type === "reasoning.delta") {
      const { segment_id, delta } = event.payload;
      const of = event.type === "token.delta" ? "text" : "reasoning";
      if (key === "" || segment !== segment_id || kind !== of) {
        putDown();
        kind = of;
        segment = segment_id;
        key = streamKey(of, segment_id);
      }
      text += delta;
      continue;
    }
    putDown();
    if (event.type === "reasoning.done") replaced.add(streamKey("reasoning", event.payload.segment_id));
  }
  putDown();
  return { ...state, last_seq: events.at(-1)?.seq ?? state.last_seq, grown, replaced, bytes_since: state.bytes_since + bytes };
}

function streamKey(kind: "text" | "reasoning", segmentId: string): string {
  return `${kind}:${segmentId}`;
}

function write(state: SnapshotState, view: RunView): SnapshotPlan {
  const before = state.stored !== null && state.stored.length <= view.parts.length ? state.stored : null;
  const rows: PartRow[] = [];
  const cleared: number[] = [];
  const stored = view.parts.map((part, index) => {
    const known = before?.[index];
    const written = part.type === "text" || part.type === "reasoning" ? writeText(part, known, state) : writeWhole(part, known);
    if (written.clear && known !== undefined) cleared.push(index);
    for (const [piece, body] of written.bodies) rows.push([view.run_id, index, piece, body]);
    return written.stored;
  });
  const { parts: _parts, ...rest } = view;
  const head = JSON.stringify(rest);
  const bytes = rows.reduce((sum, row) => sum + row[3].length, head.length);
  return {
    state: { last_seq: state.last_seq, stored, grown: new Map(), replaced: new Set(), bytes_since: 0, bytes_of_last: bytes },
    rows,
    cleared: before === null ? "all" : cleared,
    head,
  };
}

interface Written {
  readonly stored: StoredText | StoredWhole;
  readonly bodies: readonly (readonly [piece: number, body: string])[];
  readonly clear: boolean;
}

function writeWhole(part: ViewPart, known: StoredText | StoredWhole | undefined): Written {
  if (known?.kind === "whole" && known.part === part) return { stored: known, bodies: [], clear: false };
  return { stored: { kind: "whole", part }, bodies: [[0, JSON.stringify(part)]], clear: true };
}

function writeText(part: PartOf<"text"> | PartOf<"reasoning">, known: StoredText | StoredWhole | undefined, state: SnapshotState): Written {
  const key = streamKey(part.type, part.segment_id);
  const shell = JSON.stringify({ ...part, text: "" });
  const grown = state.grown.get(key) ?? "";
  const goesOn =
    known?.kind === "text" && known.key === key && !state.replaced.has(key) && known.characters + grown.length === part.text.length;
  if (!goesOn) {
    const pieces = piecesOf(part.text);
    const bodies = [shell, ...pieces].map((body, piece) => [piece, body] as const);
    return { stored: { kind: "text", key, shell, characters: part.text.length, pieces: pieces.length }, bodies, clear: true };
  }
  const pieces = piecesOf(grown);
  const bodies = pieces.map((body, index) => [known.pieces + index + 1, body] as const);
  return {
    stored: { kind: "text", key, shell, characters: part.text.length, pieces: known.pieces + pieces.length },
    bodies: shell === known.shell ? bodies : [[0, shell], ...bodies],
    clear: false,
  };
}

/** As JSON; no character is cut in two. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const cut = start + PIECE_CHARACTERS;
    const end = (text.charCodeAt(cut - 1) & 0xfc00) === 0xd800 ? cut - 1 : cut;
    pieces.push(JSON.stringify(text.slice(start, end)));
    start = end;
  }
  return pieces;
}
