/** Event streams as routes answer them: the one place that knows what a stream needs of the server. */
import type { Call } from "./handle";
import { eventStreamResponse, type StreamPiece } from "#http/sse";

type StreamCall = Pick<Call<undefined, undefined, undefined>, "request" | "server" | "peer">;

/** `first` leaves at once, what `open` yields follows. Throws `too_many_streams`. */
export function streamAnswer({ request, server, peer }: StreamCall, first: readonly StreamPiece[], open: (signal: AbortSignal) => AsyncIterable<StreamPiece>): Response {
  return eventStreamResponse({
    gauge: server.streams,
    clientSignal: request.signal,
    timing: server.streamTiming,
    first,
    open,
    hangUp: () => {
      if (peer !== null) server.peers.hangUp(peer.connection);
    },
    onFailure: (error) => server.logger.error({ err: error }, "an event stream's source failed"),
  });
}
