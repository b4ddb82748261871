/**
 * Fetch for MCP servers: like the platform's, but no answer and no single event of a stream grows
 * beyond a limit. Redirects are the packages' matter, which follow them within one origin only.
 */
const MAX_BYTES = 16 * 1024 * 1024;
const LINE_END = 0x0a;

/** Passes bytes on; fails once more than the limit came without an empty line, which ends an event. */
function limitBytes(ofEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  let last = 0;
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.byteLength;
      for (let index = 0; ofEvents && index < chunk.length; index += 1) {
        const byte = chunk[index] ?? 0;
        if (byte === 0x0d) continue;
        if (byte === LINE_END && last === LINE_END) count = chunk.length - index;
        last = byte;
      }
      if (count > MAX_BYTES) controller.error(new Error(`The server sent more than ${MAX_BYTES} bytes at once.`));
      else controller.enqueue(chunk);
    },
  });
}

export async function boundedFetch(address: string | URL, options?: RequestInit): Promise<Response> {
  const response = await fetch(address, options);
  if (response.body === null || !response.ok) return response;
  const ofEvents = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limitBytes(ofEvents)), { status, statusText, headers });
}
