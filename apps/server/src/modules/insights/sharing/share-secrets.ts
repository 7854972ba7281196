/** Passwords, codes and tokens of shares: how they are made, kept and compared. */
import { hash, verify } from "@node-rs/argon2";
import { createHash, randomBytes, randomInt } from "node:crypto";

/** OWASP's smallest argon2id setting: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** No letters that are mistaken for one another when read aloud. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789";
const PASSWORD_LENGTH = 16;

/** About 92 bits, in groups of four for reading. */
export function newPassword(): string {
  const text = Array.from({ length: PASSWORD_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return text.match(/.{4}/g)!.join("-");
}

/** Six digits; few enough to type, and good for minutes and ten tries only. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");

/** 256 bits; only its hash is stored. */
export const newToken = (): string => randomBytes(32).toString("base64url");
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("base64url");

export const hashSecret = (secret: string): Promise<string> => hash(secret, COST);

let nobodys: Promise<string> | undefined;

/** Takes as long where there is nothing to compare with. */
export async function secretFits(stored: string | null, secret: string): Promise<boolean> {
  const expected = stored ?? (await (nobodys ??= hashSecret("nobody has this password")));
  const fits = await verify(expected, secret).catch(() => false);
  return fits && stored !== null;
}
