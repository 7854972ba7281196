/** Stored object ids: 24 lower-case hexadecimal characters, branded by the kind of object they name. */
import { z } from "zod";

/** Every kind of stored object that an id can name. The tenant-isolation tests build one of each per instance. */
export const ID_KINDS = [
  "organisation",
  "user",
  "invitation",
  "role",
  "instance",
  "connector",
  "connectorFile",
  "customSynapse",
  "synapseEntity",
  "credential",
  "signIn",
  "sdkSynapse",
  "entity",
  "field",
  "record",
  "savedFilter",
  "referenceList",
  "pipelineVersion",
  "run",
  "quarantine",
  "merge",
  "ledgerEntry",
  "dataset",
  "datasetExport",
  "dataCard",
  "cardAlert",
  "dashboard",
  "share",
  "mail",
  "notification",
  "customAction",
  "actionRun",
  "fragment",
  "reconciliation",
  "pipelineTest",
  "pipelineTestRun",
] as const;
export type IdKind = (typeof ID_KINDS)[number];

export type Id<Kind extends IdKind = IdKind> = string & { readonly __idOf: Kind };

export const ID_PATTERN = /^[0-9a-f]{24}$/;

export const isId = (value: unknown): value is Id => typeof value === "string" && ID_PATTERN.test(value);

/** Schemas made by `id()`, with the kind each one names, so that tests can find every id field of every endpoint. */
export const idKindOf: WeakMap<object, IdKind> = new WeakMap();

function makeId<Kind extends IdKind>(kind: Kind) {
  const schema = z
    .string()
    .regex(ID_PATTERN, "must be an id: 24 characters, 0-9 and a-f")
    .meta({ description: `Id of a ${kind}` }) as unknown as z.ZodType<Id<Kind>, string>;
  idKindOf.set(schema, kind);
  return schema;
}

const schemas = new Map<IdKind, unknown>();

/** The schema of an id of one kind: `id("dashboard")`. The same object each time, so that it can be recognised. */
export function id<Kind extends IdKind>(kind: Kind): ReturnType<typeof makeId<Kind>> {
  const known = schemas.get(kind);
  if (known) return known as ReturnType<typeof makeId<Kind>>;
  const made = makeId(kind);
  schemas.set(kind, made);
  return made;
}
