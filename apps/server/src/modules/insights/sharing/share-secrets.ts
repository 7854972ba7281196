/** Passwords, codes and tokens of shares: how they are made and kept. Passwords are compared by `password-hash.ts`. */
import { createHash, randomBytes, randomInt } from "node:crypto";
import type { Secrets } from "../../../platform/secrets/secrets.ts";

/** No letters that are mistaken for one another when read aloud. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";
const PASSWORD_LENGTH = 16;

/** About 92 bits, in groups of four for reading. */
export function newPassword(): string {
  const text = Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return text.match(/.{4}/g)!.join("-");
}

/** Six digits; few enough to type, and good for minutes and few attempts only. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");
/** No password of a share looks like this. */
export const isCode = (secret: string): boolean => /^\d{6}$/.test(secret);

/** Keyed with the master key: all million codes of a plain hash are tried out in no time. */
export const codeHash = (secrets: Pick<Secrets, "sign">, shareId: string, code: string): string =>
  secrets.sign("share-code", `${shareId} ${code}`);

/** 256 bits; only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString("base64url");
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("base64url");
