/** Fingerprints made here are those the rest of the world makes. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { digestOf, DIGESTS } from "./digest.ts";

test("texts of every length around a block give the platform's digests", () => {
  for (let length = 0; length < 200; length++) {
    const text = "aé😀".repeat(length).slice(0, length).toWellFormed();
    for (const digest of DIGESTS) expect(digestOf(text, digest)).toBe(createHash(digest).update(text).digest("hex"));
  }
});
