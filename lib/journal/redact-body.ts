/** J6 for one event that is no piece of a stream: every string in it. A call that was changed says so. */
import type { RunEventBody } from "#protocol/events";
import type { Redactor } from "./redact";

export function redactBody(redactor: Redactor, body: RunEventBody): RunEventBody {
  if (body.type !== "tool.requested") return redactor.json(body).value;
  const calls = body.payload.calls.map((call) => {
    const safe = redactor.json(call);
    return safe.changed ? { ...safe.value, redacted: true } : call;
  });
  return { type: body.type, payload: { ...body.payload, calls } };
}
