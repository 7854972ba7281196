/** Asks for leave in the same moment in which a request is written to its connection, not when it begins to wait for one. */
import type { Dispatcher } from "undici";

/** Nothing was sent: `cause` is what was thrown instead of giving leave. */
export class NotSentError extends Error {
  override name = "NotSentError";
  constructor(cause: unknown) {
    super("The request was not sent.", { cause });
  }
}

/** `dispatcher` with `check` before every request; one that throws fails with a `NotSentError`. */
export const checkBeforeSend = (dispatcher: Dispatcher, check: () => void): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => dispatch(options, new CheckedHandler(handler, check)));

class CheckedHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #check: () => void;

  constructor(handler: Dispatcher.DispatchHandler, check: () => void) {
    this.#handler = handler;
    this.#check = check;
  }

  /** The client calls this and writes the request's first byte without anything in between. */
  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context);
    if (controller.aborted) return;
    try {
      this.#check();
    } catch (error) {
      throw new NotSentError(error);
    }
  }

  onRequestUpgrade(...answer: Parameters<NonNullable<Dispatcher.DispatchHandler["onRequestUpgrade"]>>): void {
    this.#handler.onRequestUpgrade?.(...answer);
  }

  onResponseStart(...answer: Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>): void {
    this.#handler.onResponseStart?.(...answer);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...answer: Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseEnd"]>>): void {
    this.#handler.onResponseEnd?.(...answer);
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error);
  }
}
