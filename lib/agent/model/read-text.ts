import { TransportError } from "./transport-error";

/** Error bodies are read this far; more tells nothing. */
const LARGEST_ERROR_BODY = 65_536;
const BODY_TIMEOUT_MS = 3_000;

/** At most `largest` characters of a body that is no stream; one that breaks or stalls gives what came of it. Closes the connection. */
export async function readText(response: Response, largest = LARGEST_ERROR_BODY): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(stop, BODY_TIMEOUT_MS);
  let text = "";
  try {
    while (text.length < largest) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    // The status alone says enough when the body broke off.
    if (!(error instanceof TransportError)) throw error;
  } finally {
    clearTimeout(timer);
    stop();
  }
  return text;
}
