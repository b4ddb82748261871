/**
 * Loaded into every Node process of a trial (`NODE_OPTIONS`): the wall clock as JavaScript sees it, off
 * by as many seconds as the file `clock-offset` beside the trial's home says, as if somebody had set it
 * anew. Timers and `performance` go on as they do when a real clock is stepped. The product knows
 * nothing of this.
 */
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const LOOK_MS = 50;
const file = join(process.env.HOME ?? "/", "../clock-offset");
const RealDate = Date;
let offsetMs = 0;

function look() {
  try {
    offsetMs = Number(readFileSync(file, "utf8")) * 1000;
  } catch {
    // Not written yet: the clock is right.
    offsetMs = 0;
  }
}

globalThis.Date = class Date extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offsetMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
};
look();
setInterval(look, LOOK_MS).unref();
