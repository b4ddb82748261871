/** A workspace on disk for tests, with a folder beside it that nothing may reach. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface WorkspaceFixture {
  /** Real path of the folder that holds both. */
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  /** Writes a file of the workspace, with its folders. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

export async function makeWorkspace(): Promise<WorkspaceFixture> {
  const base = await realpath(await mkdtemp(path.join(tmpdir(), "workspace-")));
  const workspace = path.join(base, "ws");
  const outside = path.join(base, "outside");
  await mkdir(workspace);
  await mkdir(outside);
  await writeFile(path.join(outside, "secret.txt"), "secret");
  return {
    base,
    workspace,
    outside,
    async put(name, content) {
      const place = path.join(workspace, name);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, content);
      return place;
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}
