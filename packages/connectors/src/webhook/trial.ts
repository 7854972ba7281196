/** A payload as a webhook would take it, with nothing stored: its records, their ids, and the fields it shows. */
import { findRecordLists, inferFields, type BadRecord, type SourceRecord } from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { isValue, type Value, type Values } from "@accord/contracts/data/values";
import type { WebhookConfig } from "./config.ts";
import { exampleRecords, isObject, readPayload, recordsIn } from "./records.ts";
import { schemaOf } from "./schema.ts";

/** Records, good and bad ones, that are shown. */
const MAX_SHOWN = 20;
/** Bytes of those records together, and characters of an id or a message. */
const MAX_SHOWN_BYTES = 200_000;
const MAX_TEXT = 500;
/** Lists that are proposed, and characters of a path to one. */
const MAX_LISTS = 8;
const MAX_PATH = 500;
/** Fields that are found out. */
const MAX_FIELDS = 500;
/** Fields are found out from so many records at most. */
const MAX_SAMPLES = 200;

export interface PickedRecords {
  /** All that the path leads to, shown or not. */
  count: number;
  records: SourceRecord[];
  bad: BadRecord[];
  /** Values of the shown records are left out, as all of them together are too large. */
  isCut: boolean;
}

export interface TriedPayload extends PickedRecords {
  /** Paths to lists in the payload, likeliest first. */
  recordSelectors: string[];
  /** Fields as the records show them. */
  inferred: FieldSchema[];
}

/** undefined: it is not JSON. */
function parse(body: string): Value | undefined {
  try {
    const payload = parseExactJson(body);
    return isValue(payload) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Those of the webhook; where nothing says them yet, those that the payload shows. */
function fieldsIn(found: readonly Value[], config: WebhookConfig): FieldSchema[] {
  if (config.fields.length > 0) return schemaOf(config).fields;
  const example = exampleRecords(config);
  return inferFields(example.length > 0 ? example : found.slice(0, MAX_SAMPLES).filter(isObject));
}

/** Records of a body by the present paths; null where it is not JSON. */
export function pickRecords(config: WebhookConfig, body: string): PickedRecords | null {
  const payload = parse(body);
  if (payload === undefined) return null;
  const found = recordsIn(payload, config);
  const read = readPayload(found.slice(0, MAX_SHOWN), config, fieldsIn(found, config), { post: "payload", first: 1 });
  return { count: found.length, ...cutValues(read.records), bad: read.bad.map(shorten) };
}

/** The values that have room together, the first ones first; a record stays with its id, however large its values. */
function cutValues(read: readonly SourceRecord[]): Pick<PickedRecords, "records" | "isCut"> {
  let left = MAX_SHOWN_BYTES;
  let isCut = false;
  const records = read.map((record) => {
    const values: Values = {};
    for (const [name, value] of Object.entries(record.values)) {
      const size = Buffer.byteLength(JSON.stringify([name, value]));
      if (size > left) {
        isCut = true;
        continue;
      }
      left -= size;
      values[name] = value;
    }
    return { ...record, id: record.id.slice(0, MAX_TEXT), values };
  });
  return { records, isCut };
}

const shorten = ({ id, message, ...bad }: BadRecord): BadRecord => ({
  ...bad,
  ...(id === undefined ? {} : { id: id.slice(0, MAX_TEXT) }),
  message: message.slice(0, MAX_TEXT),
});

export function tryPayload(config: WebhookConfig, body: string): TriedPayload | null {
  const payload = parse(body);
  const picked = pickRecords(config, body);
  if (payload === undefined || !picked) return null;
  const lists = findRecordLists(payload)
    .map(({ path }) => (path === "$" ? "" : path))
    .filter((path) => path.length <= MAX_PATH);
  const inferred = inferFields(recordsIn(payload, config).slice(0, MAX_SAMPLES).filter(isObject));
  return { ...picked, recordSelectors: lists.slice(0, MAX_LISTS), inferred: inferred.slice(0, MAX_FIELDS) };
}
