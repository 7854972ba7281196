/**
 * A post as the database keeps it: sealed, for any of its values may be one of a password field, now or in a mapping to
 * come. In two parts, so that the log opens the beginning alone.
 */
import { SEALED_VALUE_PREFIX, type Secrets } from "../../../platform/secrets/secrets.ts";

/** Characters of the first part: what the log shows. */
export const EXCERPT_LENGTH = 4_000;
const BETWEEN = "\n";

export const sealBody = (secrets: Pick<Secrets, "sealValue">, instanceId: string, body: string): string =>
  [body.slice(0, EXCERPT_LENGTH), body.slice(EXCERPT_LENGTH)]
    .filter((part, index) => index === 0 || part !== "")
    .map((part) => secrets.sealValue(instanceId, part))
    .join(BETWEEN);

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
