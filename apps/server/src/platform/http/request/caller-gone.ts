/** Notices callers who close their connection before they are answered, so that work for them can end. */
import type { ServerResponse } from "node:http";

/** Why work was ended: nobody waits for its result any more. */
export class CallerGoneError extends Error {
  override readonly name = "CallerGoneError";

  constructor() {
    super("the caller closed the connection before the answer");
  }
}

/** Aborted with a `CallerGoneError` when the connection closes before the whole answer is written. */
export function callerSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(new CallerGoneError());
  if (response.closed && !response.writableFinished) abort();
  else
    response.once("close", () => {
      if (!response.writableFinished) abort();
    });
  return controller.signal;
}
