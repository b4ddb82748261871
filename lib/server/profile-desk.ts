/** Profiles as routes use them. */
export interface ProfileSummary {
  readonly name: string;
  /** Absolute path. */
  readonly home: string;
  readonly provider: string | null;
  readonly model: string | null;
}

export interface ProfileChanges {
  readonly new_name?: string | undefined;
  readonly provider?: string | null | undefined;
  readonly model?: string | null | undefined;
}

export interface ProfileDesk {
  list(): Promise<readonly ProfileSummary[]>;
  /** Throws `profile_not_found`. */
  read(name: string): Promise<ProfileSummary>;
  /** Throws `conflict` (taken), `profile_not_found` (an unknown `cloneFrom`), `invalid_request` (a name that cannot be). */
  create(name: string, cloneFrom: string | null): Promise<ProfileSummary>;
  /** A rename takes the profile's sessions along. Throws `profile_not_found`, `conflict`, `run_active`, `invalid_request`. */
  patch(name: string, changes: ProfileChanges): Promise<ProfileSummary>;
  /** Its sessions go to the default profile. Throws `profile_not_found`, `conflict` (the default one), `run_active`. */
  remove(name: string): Promise<void>;
}
