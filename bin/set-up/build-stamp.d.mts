/** What tests in TypeScript ask of `build-stamp.mjs`. */
export function buildIsFresh(stamp: string): boolean;
export function currentStamp(): string;
