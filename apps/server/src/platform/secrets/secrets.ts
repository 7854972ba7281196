/** The promise of the secret store. Plain texts never reach a log, a reply or a database column. */

/** Where a sealed text belongs. It opens nowhere else, so that a row copied into another is worthless. */
export interface SecretPlace {
  /** `organisation` for what belongs to no instance. */
  instanceId: string;
  table: string;
  id: string;
  field: string;
}

export interface Secrets {
  /** Encrypts for one place. The result is text to store. */
  seal(place: SecretPlace, plain: string): Promise<string>;
  /** @throws SecretError when it was sealed for another place, was changed, or its key is missing. */
  open(place: SecretPlace, sealed: string): Promise<string>;
  /** Wraps a sealed text with the newest key; the same text when it already is. */
  rewrap(place: SecretPlace, sealed: string): Promise<string>;
  /** Keyed hash for tokens this server hands out itself, hexadecimal; one purpose never fits another. */
  sign(purpose: string, text: string): string;
}

export class SecretError extends Error {
  override name = "SecretError";
}
