/** Waits until something is so, looking often; fails after `timeoutMs` instead of waiting for ever. */
export async function until(holds: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It was not so within ${timeoutMs} ms: ${holds.toString().slice(0, 200)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
