/** What uploaded code answers, taken apart and checked: whatever does not fit is refused before anybody works with it. */
import {
  ConnectorError,
  TypeMismatchError,
  valueParser,
  type IdPage,
  type ReadPage,
  type SourceRecord,
  type WriteOutcome,
} from "@accord/connector-sdk";
import { EntitySchema } from "@accord/contracts/data/schema";
import { isValue, Values, type Value } from "@accord/contracts/data/values";
import { z } from "zod";

const MAX_RECORDS = 5_000;
const MAX_ENTITIES = 500;
const MAX_FIELDS = 1_000;
const Text = z.string().max(2_000);
const RecordId = z.string().min(1).max(500);
const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time).toISOString());
/** Looked at by hand, like `Values`. */
const PlainValue = z.custom<Value>((data) => isValue(data), "must be plain data");

const BadField = z.object({ field: z.string().max(200), message: Text, excerpt: Text.optional() });
const Found = z.object({
  id: RecordId,
  values: Values,
  badFields: z.array(BadField).max(MAX_FIELDS).optional(),
  deleted: z.boolean().optional(),
  modifiedAt: Time.optional(),
  place: z.string().max(200).optional(),
});
const Bad = z.object({
  place: z.string().max(200),
  id: RecordId.optional(),
  message: Text,
  excerpt: Text.optional(),
});

const Page = z.object({
  records: z.array(Found).max(MAX_RECORDS),
  bad: z.array(Bad).max(MAX_RECORDS).optional(),
  warnings: z
    .array(z.object({ code: z.string().max(60), message: Text }))
    .max(20)
    .optional(),
  cursor: PlainValue,
  drained: z.boolean(),
  isPutOff: z.boolean().optional(),
  isCurrent: z.boolean().optional(),
  missedDeletes: z.boolean().optional(),
});

const Ids = z.object({
  ids: z.array(RecordId).max(20_000),
  cursor: PlainValue,
  drained: z.boolean(),
});

const Outcome = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("done"),
    id: RecordId,
    values: Values.optional(),
    modifiedAt: Time.optional(),
    isReadBack: z.literal(true).optional(),
    isUnproven: z.literal(true).optional(),
  }),
  z.object({
    status: z.literal("rejected"),
    code: z.string().min(1).max(60),
    message: Text,
    field: z.string().max(200).optional(),
    isTransient: z.literal(true).optional(),
  }),
  z.object({
    status: z.literal("retry"),
    message: Text,
    retryAfterMs: z.number().min(0).max(86_400_000).optional(),
    neverSent: z.literal(true).optional(),
  }),
  z.object({ status: z.literal("unknown"), message: Text }),
  z.object({ status: z.literal("missing") }),
  z.object({ status: z.literal("conflict"), record: Found }),
]);

const Described = z
  .array(EntitySchema.refine(({ fields }) => fields.length <= MAX_FIELDS, `may have ${MAX_FIELDS} fields`))
  .max(MAX_ENTITIES);

/** `what`: the method, for the message. Throws `ConnectorError("unexpected")`. */
function checked<Schema extends z.ZodType>(what: string, schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw new ConnectorError("unexpected", `The synapse answered ${what} with ${where}${issue?.message ?? "odd data"}.`, {
    hint: "The author of the synapse has to correct its code.",
  });
}

export const readPage = (answer: unknown, entity: EntitySchema): ReadPage => {
  const page = checked("read", Page, answer);
  return { ...page, records: page.records.map(conforming(entity)) };
};

export const readIds = (answer: unknown): IdPage => checked("listIds", Ids, answer);

export const readRecords = (what: string, answer: unknown, entity: EntitySchema): SourceRecord[] =>
  checked(what, z.array(Found).max(MAX_RECORDS), answer).map(conforming(entity));

export function readOutcomes(answer: unknown, count: number, entity: EntitySchema): WriteOutcome[] {
  const outcomes = checked("write", z.array(Outcome).length(count), answer);
  const conformed = conforming(entity);
  return outcomes.map((outcome) => {
    if (outcome.status === "conflict") return { ...outcome, record: conformed(outcome.record) };
    if (outcome.status !== "done" || !outcome.values) return outcome;
    return { ...outcome, values: conformed({ id: outcome.id, values: outcome.values }).values };
  });
}

export const readEntities = (answer: unknown): EntitySchema[] => checked("discover", Described, answer);

/** Records with values in Accord's own form for their fields; those that don't fit cost their field. */
function conforming({ fields }: EntitySchema): (record: SourceRecord) => SourceRecord {
  const readers = fields.map((field) => ({ apiName: field.apiName, read: valueParser(field) }));
  return (record) => {
    const values: Values = {};
    const badFields = [...(record.badFields ?? [])];
    const bad = new Set(badFields.map(({ field }) => field));
    for (const { apiName, read } of readers) {
      if (bad.has(apiName) || !Object.hasOwn(record.values, apiName)) continue;
      try {
        values[apiName] = read(record.values[apiName]);
      } catch (error) {
        if (!(error instanceof TypeMismatchError)) throw error;
        badFields.push({ field: apiName, message: error.message });
      }
    }
    return { ...record, values, ...(badFields.length > 0 && { badFields }) };
  };
}
