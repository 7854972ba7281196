/** Bytes of an object by ranges: small ones where it is looked into here and there, larger ones where it is read on. */
import type { OpenBytes } from "../files/places/place.ts";

const SMALLEST = 262_144;
const LARGEST = 4_194_304;

/** `fetch`: bytes of the object, `to` not among them. */
export function openObject(size: number, fetch: (range: { from: number; to: number }) => Promise<Buffer>): OpenBytes {
  let kept: { from: number; bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };
  let step = SMALLEST / 2;
  return {
    async read(offset, length) {
      const end = Math.min(offset + length, size);
      if (offset >= end) return Buffer.alloc(0);
      const keptTo = kept.from + kept.bytes.length;
      if (offset < kept.from || end > keptTo) {
        const isReadOn = offset >= kept.from && offset <= keptTo;
        step = isReadOn ? Math.min(step * 2, LARGEST) : SMALLEST;
        const from = isReadOn ? keptTo : offset;
        const known = isReadOn ? kept.bytes.subarray(offset - kept.from) : Buffer.alloc(0);
        const fetched = await fetch({ from, to: Math.min(size, Math.max(end, from + step)) });
        kept = { from: offset, bytes: known.length === 0 ? fetched : Buffer.concat([known, fetched]) };
      }
      // A copy: whoever reads may change it.
      return Buffer.from(kept.bytes.subarray(offset - kept.from, end - kept.from));
    },
    async close() {
      kept = { from: 0, bytes: Buffer.alloc(0) };
    },
  };
}
