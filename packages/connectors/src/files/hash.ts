/** Fingerprints of the beginnings of files: one that only grew is known by it. */
import { createHash } from "node:crypto";
import { withFile, type StoredFile } from "./places/place.ts";

const PIECE = 1_000_000;

/** Fingerprint of the first `length` bytes. */
export function hashOf(file: StoredFile, length: number): Promise<string> {
  return withFile(file, async (bytes) => {
    const hash = createHash("sha256");
    for (let at = 0; at < length;) {
      const piece = await bytes.read(at, Math.min(PIECE, length - at));
      if (piece.length === 0) break;
      hash.update(piece);
      at += piece.length;
    }
    return hash.digest("base64url");
  });
}
