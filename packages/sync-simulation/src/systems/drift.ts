/**
 * Fields that vanish from a system and come back, as in a migration or when a permission is taken: its answers leave
 * them out, and what is written to them is ignored or refused. They come back with their old values, or empty, as a
 * column that is made anew. A field that is renamed, and later renamed back, is there meanwhile under a name that no
 * mapping knows, and people go on editing it.
 */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";

/** A field that a system does not have for now. */
export interface VanishedField {
  field: string;
  /** What becomes of a write to it: nothing, or the whole write is refused, with or without a word of the field. */
  writes: "ignored" | "refused" | "refusedUnnamed";
  /** The name under which its values are there; null: they can be neither seen nor entered. */
  renamedTo?: string | null;
}

export interface Drift extends VanishedField {
  /** Index of the system. */
  system: number;
  /** Milliseconds since the beginning. */
  fromMs: number;
  untilMs: number;
  comesBack: "asBefore" | "empty";
  /** All rows count as changed when it comes back. */
  touchesRows: boolean;
}

/** Null: all fields stay, as in most histories. */
export function drawDrift(rng: Rng, fields: readonly string[], busyMs: number): Drift | null {
  if (!rng.bool(0.05)) return null;
  const fromMs = rng.between(1_000, busyMs / 2);
  const comesBack = rng.bool(0.7) ? "asBefore" : "empty";
  return {
    system: rng.between(0, 2),
    field: rng.pick(fields),
    writes: rng.pick(["ignored", "ignored", "refused", "refusedUnnamed"] as const),
    fromMs,
    untilMs: fromMs + rng.pick([rng.between(500, 5_000), rng.between(5_000, busyMs)]),
    comesBack,
    // Nobody is shown that an untouched row was emptied.
    touchesRows: comesBack === "empty" || rng.bool(0.5),
  };
}

/** A field that is renamed for a while; null in most histories. */
export function drawRename(rng: Rng, fields: readonly string[], busyMs: number): Drift | null {
  const drift = drawDrift(rng, fields, busyMs);
  return drift && { ...drift, comesBack: "asBefore", renamedTo: `${drift.field}_2` };
}

/** Values as a system tells them that lacks a field, or has it under another name. */
export function toldWithout({ field, renamedTo = null }: VanishedField, values: Values): Values {
  const others = without(field, values);
  return renamedTo === null ? others : { ...others, [renamedTo]: values[field] ?? null };
}

/** A schema as it is read again where its system lacks fields by now. */
export const schemaWithout = (schema: EntitySchema, vanished: readonly string[]): EntitySchema => ({
  ...schema,
  fields: schema.fields.map((field) =>
    vanished.includes(field.apiName) ? { ...field, status: "INACTIVE" as const } : field,
  ),
});

/** Values without one field. */
export function without(field: string, values: Values): Values {
  const { [field]: _, ...others } = values;
  return others;
}

/** What is written to a record. */
export type Write = Exclude<WriteOperation, { kind: "delete" }>;

/** What becomes of a write to a field that is not there: refused, or done without it. */
export function writtenWithout({ field, writes }: VanishedField, operation: Write): Write | WriteOutcome {
  if (!(field in operation.values)) return operation;
  if (writes === "ignored") return { ...operation, values: without(field, operation.values) };
  const said = writes === "refused" ? { code: "unknown_field", field } : { code: "refused" };
  return { status: "rejected", message: "simulated: there is no such field", ...said };
}
