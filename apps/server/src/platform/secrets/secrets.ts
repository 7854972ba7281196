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
  /**
   * Encrypts a value of an instance's data so that equal ones stay equal. Weaker than `seal` in just that: whoever reads
   * the database sees which values are the same. Text to store.
   */
  sealValue(instanceId: string, plain: string): string;
  /** Null for a text that was not sealed for this instance. @throws SecretError when its key is missing. */
  openValue(instanceId: string, text: string): string | null;
  /** Keyed hash for tokens this server hands out itself, hexadecimal; one purpose never fits another. */
  sign(purpose: string, text: string): string;
}

export class SecretError extends Error {
  override name = "SecretError";
}

/** Begins every sealed value, whatever sealed it: it tells them apart from texts. */
export const SEALED_VALUE_PREFIX = "accord-sealed-1.";
