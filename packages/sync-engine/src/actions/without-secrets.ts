/** Messages for people are filled from records without their secrets; systems get the values as they are. */
import type { Value, Values } from "@accord/contracts/data/values";
import { SecretFields } from "@accord/expressions";
import type { SecretResults } from "../functions/context.ts";
import type { FlowRecord } from "../functions/flow.ts";
import type { Prepare } from "./define.ts";

/** The same work, made of a record whose secret values are masked. */
export function withoutSecrets(prepare: Prepare, secrets: SecretResults): Prepare {
  if (secrets.names.size === 0) return prepare;
  const show = showing(secrets);
  return (record, env) => {
    const shown = show(record);
    try {
      return prepare(shown, env);
    } finally {
      // What it says about the record is said about the one that goes on.
      record.warnings = shown.warnings;
    }
  };
}

function showing({ fields, names, slots, variables }: SecretResults): (record: FlowRecord) => FlowRecord {
  const own = SecretFields.named(fields);
  const inside = SecretFields.named(names);
  const made = SecretFields.named(variables);
  return (record) => {
    const held = { ...record.source?.values, ...record.values };
    const below = (value: Value): Value => masked(value, inside, (text) => own.text(text, held));
    const shown = (values: Values, secret: SecretFields): Values =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, below(secret.value(name, value))]));
    return {
      ...record,
      values: shown(record.values, own),
      source: record.source && { ...record.source, values: shown(record.source.values, own) },
      variables: shown(record.variables, made),
      results: record.results.map((value, slot) =>
        value === undefined ? value : slots.has(slot) ? EVERYTHING.value("", value) : below(value),
      ),
      snapshots: record.snapshots.map((values) => values && shown(values, own)),
    };
  };
}

const EVERYTHING = SecretFields.of(null);

/** What lies in lists and objects; a text of its own is what its field's type says. */
function masked(value: Value, secret: SecretFields, clean: (text: string) => string): Value {
  if (Array.isArray(value)) return value.map((item) => inner(item, secret, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, inner(secret.value(name, item), secret, clean)]),
  );
}

const inner = (value: Value, secret: SecretFields, clean: (text: string) => string): Value =>
  typeof value === "string" ? clean(value) : masked(value, secret, clean);
