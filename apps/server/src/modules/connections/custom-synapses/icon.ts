/** Icons of synapses: small images, kept as data addresses. */
import type { Upload } from "@accord/contracts/upload";
import { invalidField } from "../../../platform/http/app-error.ts";

const MAX_BYTES = 48_000;

/** By how the file begins, whatever its sender says it is. Vector images may hold scripts. */
const KINDS: readonly [string, readonly number[]][] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46]],
];

/** @throws AppError("validation_failed") */
export function iconOf({ bytes }: Upload): string {
  if (bytes.byteLength > MAX_BYTES) throw invalidField("iconFile", "may have 48 kB at most: make it smaller");
  const kind = KINDS.find(([, beginning]) => beginning.every((byte, at) => bytes[at] === byte));
  if (!kind) throw invalidField("iconFile", "must be a PNG, JPEG, GIF or WebP image");
  return `data:${kind[0]};base64,${Buffer.from(bytes).toString("base64")}`;
}
