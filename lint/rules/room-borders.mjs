/**
 * What `no-restricted-imports` does not see of the walls: a relative path that climbs out of its
 * room, and the rooms named by `import()`, as an expression or as a type.
 */
import { dirname, posix, relative, sep } from "node:path";
import { mayImport, roomOfFile } from "../rooms.mjs";

export const roomBorders = {
  create(context) {
    const path = relative(context.cwd, context.filename).split(sep).join("/");
    const room = roomOfFile(path);
    if (room === null) return {};
    const checkSource = (node, source) => {
      if (typeof source !== "string") return;
      const target = targetOf(path, source);
      if (target !== null && !mayImport(room, target)) context.report({ node, message: `${room} may not reach ${source}.` });
      else if (source.startsWith("../") && leavesRoom(path, source, room)) {
        context.report({ node, message: "Across rooms import #room/name; inside a room ./name." });
      }
    };
    return {
      ImportDeclaration: (node) => checkSource(node, node.source.value),
      ImportExpression: (node) => checkSource(node, node.source.value),
      TSImportType: (node) => checkSource(node, (node.source ?? node.argument)?.value ?? node.argument?.literal?.value),
    };
  },
};

/** `room/name` of an import that names a room, or null. */
function targetOf(path, source) {
  if (source.startsWith("#")) return source.slice(1);
  if (!source.startsWith(".")) return null;
  const file = posix.join(dirname(path), source);
  const room = roomOfFile(file);
  return room === null || room === roomOfFile(path) ? null : file.replace(/^lib\//, "");
}

/** A file of data beside the rooms, such as package.json, belongs to nobody. */
function leavesRoom(path, source, room) {
  return !source.endsWith(".json") && roomOfFile(posix.join(dirname(path), source)) !== room;
}
