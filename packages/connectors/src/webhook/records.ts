/** Records of a posted payload. */
import {
  type BadRecord,
  compileSelector,
  valueParser,
  TypeMismatchError,
  type SourceRecord,
} from "@accord/connector-sdk";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { createHash } from "node:crypto";

/** Field that holds the record's id, whatever its path. */
export const ID_FIELD = "webhookRecordId";

/** As the configuration has them; empty: the whole payload, no id of its own. */
interface Paths {
  recordSelector: string;
  idSelector: string;
}

/** The records in a payload, as they came. */
export function recordsIn(payload: Value, { recordSelector }: Paths): Value[] {
  const found = compileSelector(recordSelector)(payload);
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}

export const isObject = (value: Value): value is { [name: string]: Value } =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The records that the example holds: objects alone have fields. None where there is no example. */
export const exampleRecords = (config: Paths & { sample: string }): { [name: string]: Value }[] =>
  config.sample.trim() === "" ? [] : recordsIn(JSON.parse(config.sample), config).filter(isObject);

/** `found`: records of a post, `place.first` being the number of the first of them in it. */
export function readPayload(
  found: readonly Value[],
  config: Pick<Paths, "idSelector">,
  fields: readonly FieldSchema[],
  place: { post: string; first: number },
): { records: SourceRecord[]; bad: BadRecord[] } {
  const idAt = config.idSelector === "" ? null : compileSelector(config.idSelector);
  const readers = fields
    .filter(({ apiName }) => apiName !== ID_FIELD)
    .map((field) => ({ name: field.apiName, conform: valueParser(field) }));
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  for (const [index, record] of found.entries()) {
    const spot = `${place.post}, record ${place.first + index}`;
    const excerpt = (JSON.stringify(record) ?? "").slice(0, 500);
    if (!isObject(record)) {
      bad.push({ place: spot, message: "It is no JSON object.", excerpt });
      continue;
    }
    const id = idAt ? idAt(record) : fingerprint(record);
    if (id === null || id === undefined || id === "" || typeof id === "object") {
      bad.push({ place: spot, message: `It has nothing at ${config.idSelector}.`, excerpt });
      continue;
    }
    try {
      const values: Values = { [ID_FIELD]: String(id) };
      // A key that is not there says nothing of its field.
      for (const { name, conform } of readers) if (record[name] !== undefined) values[name] = conform(record[name]);
      records.push({ id: String(id), values });
    } catch (error) {
      if (!(error instanceof TypeMismatchError)) throw error;
      bad.push({ place: spot, id: String(id), message: error.message, excerpt });
    }
  }
  return { records, bad };
}

const fingerprint = (record: Value): string => createHash("sha256").update(JSON.stringify(record)).digest("hex");
