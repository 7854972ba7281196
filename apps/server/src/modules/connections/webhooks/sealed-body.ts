/**
 * A post as the database keeps it: sealed, for any of its values may be one of a password field, now or in a mapping to
 * come. In two parts, so that the log opens the beginning alone.
 */
import { SEALED_VALUE_PREFIX, type Secrets } from "../../../platform/secrets/secrets.ts";

/** Characters of the first part: what the log shows. */
export const EXCERPT_LENGTH = 4_000;
/** That part sealed has no more: three bytes for a character, four letters for three bytes, and what seals it. */
export const SEALED_EXCERPT_LENGTH = 4 * EXCERPT_LENGTH + 1_000;
const BETWEEN = "\n";

export function sealBody(secrets: Pick<Secrets, "sealValue">, instanceId: string, body: string): string {
  const border = borderOf(body);
  return [body.slice(0, border), body.slice(border)]
    .filter((part, index) => index === 0 || part !== "")
    .map((part) => secrets.sealValue(instanceId, part))
    .join(BETWEEN);
}

/** Between two characters: half of one would not be kept. */
const borderOf = (body: string): number =>
  /^[\uD800-\uDBFF]$/.test(body.charAt(EXCERPT_LENGTH - 1)) ? EXCERPT_LENGTH - 1 : EXCERPT_LENGTH;

/** What an older version kept as it came stays as it is: it is JSON, which never begins as a sealed value does. */
export function openBody(secrets: Pick<Secrets, "openValue">, instanceId: string, stored: string): string {
  if (!stored.startsWith(SEALED_VALUE_PREFIX)) return stored;
  return stored
    .split(BETWEEN)
    .map((part) => {
      const opened = secrets.openValue(instanceId, part);
      if (opened === null) throw new Error("a sealed post belongs to another instance");
      return opened;
    })
    .join("");
}
