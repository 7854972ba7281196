/** Digests by which things are known again: of accounts, of what a tab holds, of how it is read. */
import { createHash } from "node:crypto";

export const digestOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
