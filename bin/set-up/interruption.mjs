const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Ctrl-C and TERM during a set-up, as an abort signal and the exit code that belongs to it. */
export function listenForInterruption() {
  const controller = new AbortController();
  let exitCode = 0;
  const handlers = Object.entries(EXIT_CODES).map(([name, code]) => {
    const handler = () => {
      exitCode ||= code;
      controller.abort();
    };
    process.on(name, handler);
    return [name, handler];
  });
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose() {
      for (const [name, handler] of handlers) process.off(name, handler);
    },
  };
}
