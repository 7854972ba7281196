/** Hides values of password fields: the one place that says which fields are secret and what is shown instead of them. */
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, textOf } from "./compare.ts";

type TypedField = Pick<FieldSchema, "apiName" | "dataType">;

/** Shorter ones would blot out ordinary words of a message. */
const MIN_SECRET_LENGTH = 3;

export const isSecretField = ({ dataType }: Pick<FieldSchema, "dataType">): boolean => dataType === "password";

export class SecretFields {
  readonly has: (field: string) => boolean;

  private constructor(has: (field: string) => boolean) {
    this.has = has;
  }

  /** Of an entity. A field it has no more may have been secret: it counts as such. Null (no such entity): all are. */
  static of(fields: readonly TypedField[] | null | undefined): SecretFields {
    const open = new Set((fields ?? []).filter((field) => !isSecretField(field)).map(({ apiName }) => apiName));
    return new SecretFields((field) => !open.has(field));
  }

  /** These and no others. */
  static named(names: Iterable<string>): SecretFields {
    const secret = new Set(names);
    return new SecretFields((field) => secret.has(field));
  }

  /** These and others. */
  and(names: Iterable<string>): SecretFields {
    const more = new Set(names);
    return new SecretFields((field) => more.has(field) || this.has(field));
  }

  /** The mask for a secret that is there; that a value is missing is no secret. */
  value(field: string, value: Value): Value {
    return this.has(field) && !isBlank(value) ? PASSWORD_MASK : value;
  }

  values(values: Values): Values {
    return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, this.value(field, value)]));
  }

  /** Changes as the ledger keeps them. That a secret changed stays to be seen. */
  changes(changes: { readonly [field: string]: readonly [Value, Value] }) {
    return Object.entries(changes).map(([field, [from, to]]) => ({
      field,
      from: this.value(field, from),
      to: this.value(field, to),
    }));
  }

  /** Values that were kept out, as the ledger keeps them, with their reason. */
  refused<Reason extends string>(
    refused: { readonly [field: string]: readonly [Value, Reason, ...unknown[]] } | null | undefined,
  ) {
    return Object.entries(refused ?? {}).map(([field, [value, reason]]) => ({
      field,
      value: this.value(field, value),
      reason,
    }));
  }

  /** A message about a record, without the secrets of that record: systems repeat what they were sent. */
  text(text: string, values: Values | null): string {
    const secrets = Object.entries(values ?? {}).flatMap(([field, value]) =>
      this.has(field) ? spellingsOf(value) : [],
    );
    // The longest first: one may be a part of another.
    return secrets
      .sort((a, b) => b.length - a.length)
      .reduce((shown, secret) => shown.replaceAll(secret, PASSWORD_MASK), text);
  }
}

/** How systems write a value that they repeat: as it is, within JSON, and within an address. Lists hold several. */
function spellingsOf(value: Value): string[] {
  if (typeof value === "boolean" || value === null) return [];
  if (typeof value === "object" && !isExactNumber(value)) return Object.values(value).flatMap(spellingsOf);
  const text = textOf(value);
  if (text.length < MIN_SECRET_LENGTH) return [];
  const written = isExactNumber(value) ? value.rawJSON : text;
  return [text, written, JSON.stringify(text).slice(1, -1), encodeURIComponent(text.toWellFormed())];
}
