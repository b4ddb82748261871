/** All kinds of trials, in the order in which seeds go through them. */
import { BREAKING_KINDS } from "./kinds/breaking";
import { KILLING_KINDS } from "./kinds/killing";
import { LINKING_KINDS } from "./kinds/linking";
import { LOAD_KINDS } from "./kinds/load";
import { PRESSURE_KINDS } from "./kinds/pressure";
import { READING_KINDS } from "./kinds/reading";
import type { TrialKind } from "./trial";

export const KINDS: readonly TrialKind[] = [...READING_KINDS, ...LINKING_KINDS, ...LOAD_KINDS, ...KILLING_KINDS, ...BREAKING_KINDS, ...PRESSURE_KINDS];
