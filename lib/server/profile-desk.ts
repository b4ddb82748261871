/**
 * Profiles as routes use them: homes on disk, and the sessions that belong to them. A rename takes the
 * sessions along and a deletion leaves them with the default profile; neither happens while one of
 * them is at work, since a run reads and writes its own profile's home by name.
 */
import { readAllowlist, readModelChoice, removeAllow, writeModelChoice } from "#profiles/config-settings";
import { createProfile, DEFAULT_PROFILE, deleteProfile, listProfiles, renameProfile, requireProfile } from "#profiles/home";
import { listTexts, readProfileText, writeProfileText } from "#profiles/profile-texts";
import type { OpenedText, ProfileText } from "#protocol/profile-shapes";
import { AppError } from "#protocol/errors";
import { moveSessionsToProfile } from "#sessions/profile-sessions";
import type { SessionsRoom } from "#sessions/sessions-room";

export interface ProfileSummary {
  readonly name: string;
  /** Absolute path. */
  readonly home: string;
  /** As its `config.yaml` has them; null where it says nothing. */
  readonly provider: string | null;
  readonly model: string | null;
}

export interface ProfileChanges {
  readonly new_name?: string | undefined;
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

export class ProfileDesk {
  readonly #hermesHome: string;
  readonly #room: SessionsRoom;

  constructor(hermesHome: string, room: SessionsRoom) {
    this.#hermesHome = hermesHome;
    this.#room = room;
  }

  async list(): Promise<readonly ProfileSummary[]> {
    const homes = await listProfiles(this.#hermesHome);
    return Promise.all(homes.map(({ name, home }) => summaryOf(name, home)));
  }

  /** Throws `conflict` (taken), `profile_not_found` (an unknown `cloneFrom`), `invalid_request` (a name that cannot be). */
  async create(name: string, cloneFrom: string | null): Promise<ProfileSummary> {
    const { home } = await createProfile(this.#hermesHome, { name, clone_from: cloneFrom });
    return summaryOf(name, home);
  }

  /** Throws `profile_not_found`, `conflict`, `run_active`, `invalid_request`. */
  async patch(name: string, { new_name, provider, model }: ProfileChanges): Promise<ProfileSummary> {
    await requireProfile(this.#hermesHome, name);
    const current = new_name === undefined || new_name === name ? name : await this.#rename(name, new_name);
    const home = await requireProfile(this.#hermesHome, current);
    if (provider !== undefined || model !== undefined) {
      const edit = await writeModelChoice(home, { provider, model });
      if (edit.status === "refused") throw new AppError("conflict", edit.warning.message);
    }
    return summaryOf(current, home);
  }

  /** Throws `profile_not_found`, `conflict` (the default one), `run_active`. */
  async remove(name: string): Promise<void> {
    await requireProfile(this.#hermesHome, name);
    if (name !== DEFAULT_PROFILE) await moveSessionsToProfile(this.#room, name, DEFAULT_PROFILE);
    await deleteProfile(this.#hermesHome, name);
  }

  /** What is approved for good in this profile. Throws `profile_not_found`. */
  async allowed(name: string): Promise<readonly string[]> {
    return readAllowlist(await requireProfile(this.#hermesHome, name));
  }

  /** One that is not there is no refusal. Throws `profile_not_found`, `conflict` (the file cannot be edited). */
  async disallow(name: string, pattern: string): Promise<readonly string[]> {
    const home = await requireProfile(this.#hermesHome, name);
    const edit = await removeAllow(home, pattern);
    if (edit.status === "refused") throw new AppError("conflict", edit.warning.message);
    return readAllowlist(home);
  }

  async texts(name: string): Promise<readonly ProfileText[]> {
    return listTexts(await requireProfile(this.#hermesHome, name));
  }

  /** Throws what `readProfileText` throws. */
  async readText(name: string, path: string): Promise<OpenedText> {
    return readProfileText(await requireProfile(this.#hermesHome, name), path);
  }

  /** Throws what `writeProfileText` throws. */
  async writeText(name: string, path: string, content: string, expectedMtime: number | null): Promise<OpenedText> {
    return writeProfileText(await requireProfile(this.#hermesHome, name), path, content, expectedMtime);
  }

  /** The folder first: it is what can refuse. Sessions that cannot follow bring it back. */
  async #rename(name: string, newName: string): Promise<string> {
    const renamed = await renameProfile(this.#hermesHome, name, newName);
    try {
      await moveSessionsToProfile(this.#room, name, newName);
    } catch (error) {
      await renameProfile(this.#hermesHome, newName, name);
      throw error;
    }
    return renamed.name;
  }
}

async function summaryOf(name: string, home: string): Promise<ProfileSummary> {
  const { provider, model } = await readModelChoice(home);
  return { name, home, provider, model };
}
