/** Why the server cannot start, as one line for the person who starts it. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
