/**
 * Values of secret fields as the database holds them. Sealed on their way in, opened where the engine or a system needs
 * them; equal values are equal when sealed, so that conditions and comparisons in SQL go on working.
 */
import type { Value, Values } from "@accord/contracts/data/values";
import type { SecretFields } from "@accord/expressions";
import { SEALED_VALUE_PREFIX, type Secrets } from "./secrets.ts";

type Seals = Pick<Secrets, "sealValue" | "openValue">;
type FieldChanges = { [field: string]: [Value, Value] };

export class SealedValues {
  readonly #secrets: Seals;
  readonly #instanceId: string;
  readonly #fields: Pick<SecretFields, "has">;

  constructor(secrets: Seals, instanceId: string, fields: Pick<SecretFields, "has">) {
    this.#secrets = secrets;
    this.#instanceId = instanceId;
    this.#fields = fields;
  }

  /** What is sealed already stays as it is. */
  seal(field: string, value: Value): Value {
    if (value === null || value === "" || !this.#fields.has(field)) return value;
    if (typeof value === "string" && this.#opened(value) !== null) return value;
    return this.#secrets.sealValue(this.#instanceId, JSON.stringify(value));
  }

  sealAll(values: Values): Values {
    return mapped(values, (value, field) => this.seal(field, value));
  }

  /** As the ledger keeps them: pairs of which both are values. */
  sealChanges<Changes extends { [field: string]: readonly [Value, Value] }>(changes: Changes): FieldChanges {
    return mapped(changes, ([from, to], field): [Value, Value] => [this.seal(field, from), this.seal(field, to)]);
  }

  /** As the ledger keeps them: values with the reason why they were kept out, and what else is known of that. */
  sealRefused<Known extends readonly unknown[]>(refused: { [field: string]: [Value, ...Known] } | null) {
    return (
      refused && mapped(refused, ([value, ...known], field): [Value, ...Known] => [this.seal(field, value), ...known])
    );
  }

  /** Whatever is sealed among them, by whichever name; all else as it is. */
  openAll(values: Values): Values {
    return mapped(values, (value) => this.open(value));
  }

  /** Names of what is sealed among them: it was secret when it was stored, whatever its field is by now. */
  sealedAmong(values: Values): string[] {
    return Object.keys(values).filter((field) => this.open(values[field] ?? null) !== values[field]);
  }

  open(value: Value): Value {
    return typeof value === "string" ? (this.#opened(value) ?? value) : value;
  }

  /** Null for what is not sealed. */
  #opened(text: string): Value {
    if (!text.startsWith(SEALED_VALUE_PREFIX)) return null;
    const opened = this.#secrets.openValue(this.#instanceId, text);
    const value: Value = opened === null ? null : JSON.parse(opened);
    return value;
  }
}

const mapped = <In, Out>(
  entries: { readonly [field: string]: In },
  change: (entry: In, field: string) => Out,
): { [field: string]: Out } =>
  Object.fromEntries(Object.entries(entries).map(([field, entry]) => [field, change(entry, field)]));
