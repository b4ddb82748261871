import { describe, expect, it } from "vitest";
import type { CallDelta } from "./chat-chunk";
import { parseArguments } from "./tool-arguments";
import { ToolCallBuffer } from "./tool-call-buffer";

type Piece = Partial<CallDelta>;

function assemble(...pieces: readonly Piece[]): readonly string[] {
  const buffer = new ToolCallBuffer(new Set(["read_file", "list", "read"]));
  for (const piece of pieces) buffer.add({ index: null, id: null, name: null, arguments: "", ...piece });
  return buffer.calls.map((call) => `${call.name} ${JSON.stringify(parseArguments(call.raw))}`);
}

const north = 'read_file {"path":"north"}';
const south = 'read_file {"path":"south"}';

describe("tool calls in pieces", () => {
  it.each<readonly [string, readonly Piece[], readonly string[]]>([
    ["the regular way", [{ index: 0, id: "a", name: "read_file" }, { index: 0, arguments: '{"path":' }, { index: 0, arguments: '"north"}' }], [north]],
    [
      "two, with their pieces mixed",
      [{ index: 0, id: "a", name: "read_file" }, { index: 1, id: "b", name: "read_file" }, { index: 1, arguments: '{"path":"south"}' }, { index: 0, arguments: '{"path":"north"}' }],
      [north, south],
    ],
    ["B128: no index, an id each", [{ id: "a", name: "read_file", arguments: '{"path":"north"}' }, { id: "b", name: "read_file", arguments: '{"path":"south"}' }], [north, south]],
    ["no index, the id only first", [{ id: "a", name: "read_file", arguments: '{"path":' }, { arguments: '"north"}' }], [north]],
    ["no index, no id", [{ name: "read_file", arguments: '{"path":"north"}' }, { name: "read_file", arguments: '{"path":"south"}' }], [north, south]],
    ["index 0 for each, whole calls", [{ index: 0, id: "a", name: "read_file", arguments: '{"path":"north"}' }, { index: 0, id: "b", name: "read_file", arguments: '{"path":"south"}' }], [north, south]],
    ["index 0 for each, other tools, in pieces", [{ index: 0, name: "list" }, { index: 0, name: "read_file" }, { index: 0, arguments: '{"path":"north"}' }], ["list {}", north]],
    ["one id for both calls", [{ index: 0, id: "x", name: "read_file", arguments: '{"path":"north"}' }, { index: 1, id: "x", name: "read_file", arguments: '{"path":"south"}' }], [north, south]],
    ["a new id for each piece", [{ index: 0, id: "a", name: "read_file" }, { index: 0, id: "b", arguments: '{"path":"no' }, { index: 0, id: "c", arguments: 'rth"}' }], [north]],
    ["B130: never an id", [{ index: 0, name: "read_file" }, { index: 0, arguments: '{"path":"north"}' }], [north]],
    ["B132: the name with each piece", [{ index: 0, name: "read_file", arguments: '{"path":' }, { index: 0, name: "read_file", arguments: '"north"}' }], [north]],
    ["the name in pieces", [{ index: 0, name: "read_" }, { index: 0, name: "file" }, { index: 0, arguments: '{"path":"north"}' }], [north]],
    ["a name that grows", [{ index: 0, name: "read_f" }, { index: 0, name: "read_file", arguments: '{"path":"north"}' }], [north]],
    ["B134: an empty object before the real one", [{ index: 0, name: "read_file", arguments: "{}" }, { index: 0, arguments: '{"path":"north"}' }], [north]],
    ["B135: no arguments at all", [{ index: 0, name: "list" }], ["list {}"]],
    ["arguments as JSON in a JSON string", [{ index: 0, name: "read_file", arguments: '"{\\"path\\":\\"north\\"}"' }], [north]],
    ["arguments that are no object", [{ index: 0, name: "read_file", arguments: "[1]" }], ["read_file null"]],
    ["arguments that are cut", [{ index: 0, name: "read_file", arguments: '{"path":"no' }], ["read_file null"]],
  ])("%s", (_what, pieces, expected) => {
    expect(assemble(...pieces)).toEqual(expected);
  });
});
