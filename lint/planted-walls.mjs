/**
 * Every pair of rooms as a file that imports one from the other: where there is a wall it must be
 * reported, where there is a door it must not be. Type-only imports count like all others.
 */
import { mayImport, ROOMS } from "./rooms.mjs";

const NAMES = Object.keys(ROOMS);

/** @returns {{path: string, source: string, wall: boolean}[]} */
export function plantedWalls() {
  const importers = NAMES.filter((room) => room !== "testing");
  const targets = NAMES.filter((room) => room !== "app");
  return importers.flatMap((room) =>
    targets
      .filter((target) => target !== room)
      .map((target, index) => ({
        path: `${folderOf(room)}/planted-${target}.ts`,
        source: `import ${index % 2 === 0 ? "" : "type "}{ Thing } from "#${target}/thing";\nexport type Again = typeof Thing;\n`,
        wall: !mayImport(room, `${target}/thing`),
      })),
  );
}

function folderOf(room) {
  return room === "app" || room === "components" ? room : `lib/${room}`;
}
