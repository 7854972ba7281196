/**
 * Writes that an API forbids (403): of single records, as locked ones, or of all, as with a key that may not write. One
 * answer says nothing of that: it is the record's own, unless several different records get it and none is answered
 * otherwise.
 */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";

/** Different records, and none that is answered otherwise: the permission is missing. */
const MANY = 3;
/** After so many the rest of a request is not sent: fewer may all be locked, with others behind them that are not. */
const MOST = 10;
const CODE = "forbidden";

export const isForbidden = (outcome: WriteOutcome): boolean => outcome.status === "rejected" && outcome.code === CODE;

/** Tried again a few times: whoever locked the record may let it go. */
export const forbidden = (message: string): WriteOutcome => ({
  status: "rejected",
  code: CODE,
  message,
  isTransient: true,
});

/** What one request has met with. */
export class ForbiddenWrites {
  readonly #records = new Set<string>();
  #isAnyAllowed = false;

  /** A write was answered with something else. */
  allow(): void {
    this.#isAnyAllowed = true;
  }

  /** Answers whether nothing more is to be sent. */
  add(operation: WriteOperation): boolean {
    this.#records.add(operation.kind === "create" ? `create ${operation.idempotencyKey}` : `id ${operation.id}`);
    return !this.#isAnyAllowed && this.#records.size >= MOST;
  }

  get isOfAll(): boolean {
    return !this.#isAnyAllowed && this.#records.size >= MANY;
  }
}
