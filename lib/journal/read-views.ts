/**
 * Stored views of runs, gone on to their last committed event (C1, J5). The statements go into one
 * read transaction, together with whatever else must be of the same moment (a session's cursor), and
 * `viewsFrom` makes views of their results. A long run costs what came after its last snapshot.
 */
import type { InArgs, InStatement } from "@libsql/client";
import { z } from "zod";
import type { StatementResult } from "#db/connection";
import { foldRunAll } from "#fold/fold-run";
import { AppError } from "#protocol/errors";
import { parseEvent, type RunEvent, type UnknownEvent } from "#protocol/events";
import { runViewSchema, viewPartSchema, type RunView, type ViewPart } from "#protocol/run-view";

const headSchema = runViewSchema.omit({ parts: true });
const headRowSchema = z.object({ run_id: z.string(), view: z.string().nullable(), rewound: z.number() });
const partRowSchema = z.object({ run_id: z.string(), part: z.number(), piece: z.number(), body: z.string() });
const restRowSchema = z.object({ run_id: z.string(), envelopes: z.string() });

/**
 * Reads the views of the runs that `selection` names: a SELECT that yields a column `run_id`, with
 * its arguments. It may begin with WITH. Three statements, for `Database.read`.
 */
export function viewStatements(selection: string, args: InArgs): readonly InStatement[] {
  const wanted = `run_id IN (SELECT run_id FROM (${selection}))`;
  return [
    {
      sql: `SELECT r.run_id, v.view, r.rewind IS NOT NULL AS rewound FROM runs AS r LEFT JOIN run_views AS v ON v.run_id = r.run_id WHERE r.${wanted}`,
      args,
    },
    { sql: `SELECT run_id, part, piece, body FROM run_view_parts WHERE ${wanted} ORDER BY run_id, part, piece`, args },
    {
      sql: `SELECT run_id, '[' || group_concat(envelope, ',') || ']' AS envelopes FROM (
              SELECT e.run_id, e.envelope FROM runs AS r LEFT JOIN run_views AS v ON v.run_id = r.run_id
              CROSS JOIN events AS e ON e.run_id = r.run_id AND e.seq > COALESCE(v.last_seq, 0)
              WHERE r.${wanted} ORDER BY e.run_id, e.seq) GROUP BY run_id`,
      args,
    },
  ];
}

/** The views, by run id. `results` are those of the statements, in their order. Runs without an event yet have none. */
export function viewsFrom(results: readonly StatementResult[]): ReadonlyMap<string, RunView> {
  const [heads, parts, rest] = results;
  const partsOf = readParts(parts?.rows ?? []);
  const eventsOf = readRest(rest?.rows ?? []);
  const views = new Map<string, RunView>();
  for (const row of heads?.rows ?? []) {
    const { run_id, view, rewound } = headRowSchema.parse(row);
    const stored = view === null ? null : { ...headSchema.parse(JSON.parse(view)), parts: partsOf.get(run_id) ?? [] };
    const events = eventsOf.get(run_id) ?? [];
    if (stored === null && events.length === 0) continue;
    const folded = foldRunAll(stored, events);
    views.set(run_id, rewound === 1 ? { ...folded, rewound: true } : { ...folded, rewound: false });
  }
  return views;
}

/** An envelope of the journal; one that cannot be read is a fault of the file. */
export function readEnvelope(value: unknown): RunEvent | UnknownEvent {
  const event = parseEvent(value);
  if (event === null || event.run_id === null) throw new AppError("internal", "The journal holds an event that cannot be read.");
  return event;
}

function readParts(rows: readonly unknown[]): ReadonlyMap<string, readonly ViewPart[]> {
  const views = new Map<string, ViewPart[]>();
  let texts: string[] = [];
  const settle = (parts: ViewPart[] | undefined): void => {
    const part = parts?.at(-1);
    if (texts.length === 0 || parts === undefined || part === undefined) return;
    if (part.type === "text" || part.type === "reasoning") parts[parts.length - 1] = { ...part, text: texts.join("") };
    texts = [];
  };
  let current: ViewPart[] | undefined;
  for (const row of rows) {
    const { run_id, piece, body } = partRowSchema.parse(row);
    if (piece > 0) {
      texts.push(z.string().parse(JSON.parse(body)));
      continue;
    }
    settle(current);
    current = views.get(run_id) ?? [];
    views.set(run_id, current);
    current.push(viewPartSchema.parse(JSON.parse(body)));
  }
  settle(current);
  return views;
}

function readRest(rows: readonly unknown[]): ReadonlyMap<string, readonly (RunEvent | UnknownEvent)[]> {
  const rest = new Map<string, readonly (RunEvent | UnknownEvent)[]>();
  for (const row of rows) {
    const { run_id, envelopes } = restRowSchema.parse(row);
    const list: unknown = JSON.parse(envelopes);
    rest.set(run_id, z.array(z.unknown()).parse(list).map(readEnvelope));
  }
  return rest;
}
