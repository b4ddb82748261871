/**
 * Puts the pieces of streamed tool calls together. Servers leave out the index or the id, send index
 * 0 for every call, repeat the name or cut it, make a new id for each piece, send `null` or `{}`
 * first. One rule decides whether a piece begins a call or goes on with one: it goes on unless it
 * names another call, or the call it points to is complete and it brings a name and arguments anew.
 */
import type { CallDelta } from "./chat-chunk";
import { parseArguments } from "./tool-arguments";

export interface DraftCall {
  readonly provider_call_id: string | null;
  readonly name: string;
  /** The arguments as the model wrote them, whole or cut. */
  readonly raw: string;
}

interface OpenCall {
  index: number | null;
  id: string | null;
  name: string;
  raw: string;
}

export class ToolCallBuffer {
  readonly #calls: OpenCall[] = [];
  readonly #known: ReadonlySet<string>;

  /** `known`: names of the tools that were offered; they tell a cut name from a repeated one. */
  constructor(known: ReadonlySet<string>) {
    this.#known = known;
  }

  get calls(): readonly DraftCall[] {
    return this.#calls.map((call) => ({ provider_call_id: call.id, name: call.name, raw: call.raw }));
  }

  add(delta: CallDelta): void {
    const target = this.#find(delta);
    if (target === undefined) {
      this.#calls.push({ index: delta.index, id: delta.id, name: delta.name ?? "", raw: delta.arguments });
      return;
    }
    target.id ??= delta.id;
    if (delta.name !== null) target.name = this.#joinName(target, delta.name);
    target.raw += delta.arguments;
  }

  /** The call that this piece goes on with; undefined when it begins one. */
  #find(delta: CallDelta): OpenCall | undefined {
    const pointed = this.#pointed(delta);
    if (pointed === undefined) return undefined;
    const renamed = delta.name !== null && pointed.name !== "" && !this.#mayGoOn(pointed, delta.name);
    const renumbered = delta.id !== null && pointed.id !== null && delta.id !== pointed.id;
    if (renamed) return undefined;
    const complete = pointed.raw.trim() !== "" && parseArguments(pointed.raw) !== null;
    const begins = delta.arguments.trim() !== "" || renumbered;
    return delta.name !== null && complete && begins ? undefined : pointed;
  }

  #pointed(delta: CallDelta): OpenCall | undefined {
    if (delta.index !== null) return this.#calls.findLast((call) => call.index === delta.index);
    if (delta.id === null) return this.#calls.at(-1);
    const same = this.#calls.findLast((call) => call.id === delta.id);
    if (same !== undefined) return same;
    const last = this.#calls.at(-1);
    return delta.name === null || last?.id === null ? last : undefined;
  }

  /** A name repeated, or more of a name of which only a part came so far. */
  #mayGoOn(call: OpenCall, name: string): boolean {
    if (name === call.name || name.startsWith(call.name)) return true;
    return !this.#known.has(call.name) && call.raw === "" && !this.#known.has(name);
  }

  #joinName(call: OpenCall, name: string): string {
    if (name === call.name || call.name === "" || name.startsWith(call.name)) return name;
    return call.name + name;
  }
}
