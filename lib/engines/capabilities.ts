import { TOOLSETS } from "#agent/tools/registry";

/** What an owner of runs can be asked for, as other processes are told. */
export interface EngineCapabilities {
  readonly engines: readonly string[];
  readonly toolsets: readonly string[];
}

export function engineCapabilities(): EngineCapabilities {
  return { engines: ["builtin"], toolsets: Object.keys(TOOLSETS) };
}
