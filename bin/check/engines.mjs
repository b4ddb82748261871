/**
 * Every package that is installed must allow the oldest Node.js that this product promises. A range
 * that cannot be read counts as a problem, so that nothing passes unseen.
 */
import { readJson } from "../set-up/root.mjs";

const PROMISED = [20, 19, 0];

/** @returns {{checked: number, problems: string[]}} */
export function checkEngines() {
  const packages = Object.entries(readJson("package-lock.json")?.packages ?? {}).filter(([, entry]) => entry.engines?.node !== undefined);
  const problems = packages
    .filter(([, entry]) => !allows(entry.engines.node, PROMISED))
    .map(([place, entry]) => `${place || "this package"} ${entry.version} wants Node.js ${entry.engines.node}`);
  return { checked: packages.length, problems };
}

/** Whether a range (`>=18`, `^20.1 || 22.x`, `18 - 20` …) allows a version; false when it cannot be read. */
export function allows(range, version) {
  return range.split("||").some((alternative) => {
    const parts = comparatorsOf(alternative.trim());
    return parts !== null && parts.every(([operator, bound]) => holds(operator, version, bound));
  });
}

/** `[operator, [major, minor, patch]]` of one alternative, where missing numbers are undefined. */
function comparatorsOf(text) {
  const joined = text.replace(/([<>=^~])\s+/g, "$1").replace(/(\S+)\s+-\s+(\S+)/, ">=$1 <=$2");
  const comparators = [];
  for (const word of joined.split(/\s+/).filter((part) => part !== "")) {
    const match = /^(>=|<=|>|<|=|\^|~)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-[\w.]+)?$/.exec(word);
    if (match === null) return null;
    comparators.push([match[1] ?? "=", match.slice(2).map((part) => (part === undefined || /[xX*]/.test(part) ? undefined : Number(part)))]);
  }
  return comparators;
}

const HOLDS = {
  ">=": (order) => order >= 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  "<": (order) => order < 0,
  "=": (order) => order === 0,
};

function holds(operator, version, bound) {
  if (operator === "^") return version[0] === bound[0] && compare(version, bound) >= 0;
  if (operator === "~") return version[0] === bound[0] && (bound[1] === undefined || version[1] === bound[1]) && compare(version, bound) >= 0;
  // `<20` and `>=20` mean the first of that major; every other bound covers what it leaves open.
  const exact = operator === "<" || operator === ">=" ? bound.map((part) => part ?? 0) : bound;
  return HOLDS[operator](compare(version, exact));
}

/** Below, equal (an open part equals everything) or above. */
function compare(version, bound) {
  for (const [index, part] of version.entries()) {
    const other = bound[index];
    if (other === undefined) return 0;
    if (part !== other) return part - other;
  }
  return 0;
}
