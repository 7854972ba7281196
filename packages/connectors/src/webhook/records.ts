/** Records of a posted payload. */
import { type BadRecord, compileSelector, conformer, Misfit, type SourceRecord } from "@accord/connector-sdk";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { createHash } from "node:crypto";
import type { WebhookConfig } from "./config.ts";

/** Field that holds the record's id, whatever its path. */
export const ID_FIELD = "webhookRecordId";

type Paths = Pick<WebhookConfig, "recordSelector" | "idSelector">;

/** The records in a payload, as they came. */
export function recordsIn(payload: Value, { recordSelector }: Paths): Value[] {
  const found = compileSelector(recordSelector)(payload);
  if (found === undefined || found === null) return [];
  return Array.isArray(found) ? found : [found];
}

/** `place`: names the post in what is said about a record that can't be used. */
export function readPayload(
  payload: Value,
  config: Paths,
  fields: readonly FieldSchema[],
  place: string,
): { records: SourceRecord[]; bad: BadRecord[] } {
  const idAt = config.idSelector === "" ? null : compileSelector(config.idSelector);
  const readers = fields
    .filter(({ apiName }) => apiName !== ID_FIELD)
    .map((field) => ({ name: field.apiName, conform: conformer(field) }));
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [];
  for (const [index, record] of recordsIn(payload, config).entries()) {
    const spot = `${place}, record ${index + 1}`;
    const excerpt = (JSON.stringify(record) ?? "").slice(0, 500);
    if (record === null || typeof record !== "object" || Array.isArray(record)) {
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
      for (const { name, conform } of readers) values[name] = conform(record[name] ?? null);
      records.push({ id: String(id), values });
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      bad.push({ place: spot, id: String(id), message: error.message, excerpt });
    }
  }
  return { records, bad };
}

const fingerprint = (record: Value): string => createHash("sha256").update(JSON.stringify(record)).digest("hex");
