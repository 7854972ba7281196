/** SHA-256 and MD5 of texts, by a library that needs nothing of the platform: this package runs anywhere. */
import { md5 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

export const DIGESTS = ["sha256", "md5"] as const;
export type Digest = (typeof DIGESTS)[number];

const HASHES = { sha256, md5 };

/** Hexadecimal digits, small letters, of the text's UTF-8 bytes. */
export const digestOf = (text: string, digest: Digest): string => bytesToHex(HASHES[digest](utf8ToBytes(text)));
