/** The last failures that were answered as `internal`, for diagnostics. Safe texts only; causes are in the log. */
export interface RecentError {
  readonly at: number;
  readonly request_id: string;
  readonly route: string;
  readonly name: string;
}

const MOST = 50;

export class RecentErrors {
  #errors: readonly RecentError[] = [];

  add(error: RecentError): void {
    this.#errors = [error, ...this.#errors].slice(0, MOST);
  }

  get all(): readonly RecentError[] {
    return this.#errors;
  }
}
