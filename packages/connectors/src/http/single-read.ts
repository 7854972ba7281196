/** Reads one record of an entity by its id, with what its API tells about the version that was read. */
import { compileSelector, ConnectorError, jsonOf, type Answer, type SourceRecord } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import type { CallOptions, HttpClient } from "./client.ts";
import { assertListedAreFound } from "./listed-records.ts";
import { saysNoSuchRecord } from "./named-errors.ts";
import type { RecordMap } from "./records.ts";

export interface SingleRead {
  record: SourceRecord;
  /** As it came, weak or strong. */
  etag: string | null;
  /** The record as the API spells it. */
  json: Value;
}

export type ReadOptions = Pick<CallOptions, "signal">;

/**
 * null when there is no such record any more: the API says so by its status, in words or by nothing where the record
 * stood, marks it as deleted, or answers another one in its place, or a record of something else. Any other answer without a record proves nothing.
 */
export async function readSingle(
  client: HttpClient,
  entity: HttpEntityConfig,
  map: Pick<RecordMap, "readOne" | "idOf" | "isLeftOut">,
  id: string,
  options: ReadOptions = {},
): Promise<SingleRead | null> {
  const ask = (asked: string) => askForRecord(client, entity, map, asked, options);
  const found = await ask(id);
  if (found === null)
    await assertListedAreFound(
      { client, entity, map, signal: options.signal },
      id,
      async (listed) => (await ask(listed)) !== null,
    );
  // Asked for a record that was merged into another one, many APIs answer with that one.
  return found === null || found.record.deleted || found.record.id !== id ? null : found;
}

/** What is answered for an id; null: that there is no such record. */
async function askForRecord(
  client: HttpClient,
  entity: HttpEntityConfig,
  map: Pick<RecordMap, "readOne" | "isLeftOut">,
  id: string,
  options: ReadOptions,
): Promise<SingleRead | null> {
  const spec = entity.getById;
  if (!spec)
    throw new ConnectorError("invalidRequest", `${entity.displayName} can't be asked for single records.`, {
      hint: "Describe the endpoint that answers one record in the entity's settings.",
    });
  const answer = await client.call(spec, { ...options, facts: { id } });
  if (answer.status === 404 || answer.status === 410) return null;
  if (!answer.ok) throw client.refusal(answer);
  const found = compileSelector(spec.recordSelector)(jsonOf(answer));
  // Some APIs answer a list of one.
  const json = Array.isArray(found) ? (found[0] ?? null) : found;
  if (json !== null && json !== undefined && map.isLeftOut(json)) return null;
  const record = json === null || json === undefined ? null : map.readOne(json);
  if (record) return { record, etag: answer.headers["etag"] ?? null, json: json ?? null };
  assertNoRecord(client, entity, answer, json);
  return null;
}

function assertNoRecord(client: HttpClient, entity: HttpEntityConfig, answer: Answer, json: Value | undefined): void {
  const error = client.readErrorIn(answer);
  if (error && saysNoSuchRecord(error, entity)) return;
  if (error) throw new ConnectorError("unexpected", `${answer.place} answered no record: ${error.words}.`);
  const isNothing = json === null && (answer.status === 204 || answer.text.trim() !== "");
  if (isNothing) return;
  throw new ConnectorError("unexpected", `${answer.place} answered no record that can be read.`, {
    hint: "Choose where the record is in the answer, and the field that identifies it, in the entity's settings.",
  });
}
