/** The call that creates, changes or deletes one record, and what its answer tells about the record. */
import {
  compileSelector,
  ConnectorError,
  jsonOf,
  type Answer,
  type SourceRecord,
  type WriteOperation,
  type WriteRequest,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import type { CallOptions, CallSpec, HttpClient } from "./client.ts";
import { saysItFailed } from "./named-errors.ts";
import { withOwnVersion, withVersion } from "./precondition.ts";
import type { RecordMap } from "./records.ts";
import { placedRecord } from "./write-body.ts";

export type Operation = WriteOperation;

interface WriteSpec extends CallSpec {
  recordPath?: string;
  recordSelector?: string;
  idSelector?: string;
  idempotencyHeader?: string;
}

/** `error`: why it is no success; without an answer it may have been done all the same. `json`: the answer's body. */
export type SentWrite = { answer: Answer; json: Value; error: null } | { answer: Answer | null; error: ConnectorError };

interface Sender {
  client: HttpClient;
  entity: HttpEntityConfig;
  request: Pick<WriteRequest, "assertMaySend" | "signal">;
  map: RecordMap;
}

export const specOf = (entity: HttpEntityConfig, { kind }: Operation): WriteSpec | null => entity[kind] ?? null;

/** What is known of the record as it stands there. */
export interface KnownState {
  /** Its version for the API to compare; null: there is none. */
  version: Value;
  /** When it was read to be compared here, milliseconds since 1970; absent: any age will do. */
  readAt?: number;
}

/** A read that is compared with what was expected says nothing of later edits: the write has to leave within this time. */
const READ_LASTS_MS = 2_000;

/** The write had to wait, as for the system's limit, until what was read before it was too old: nothing was sent. */
export class OutdatedRead extends ConnectorError {
  constructor() {
    super("rateLimited", "The record has to be read again before it is written.", { neverSent: true });
  }
}

/** Throws when no answer came. */
export async function sendWrite(sender: Sender, operation: Operation, state: KnownState): Promise<SentWrite> {
  const { client, entity, request } = sender;
  const spec = specOf(entity, operation);
  if (!spec) throw new ConnectorError("invalidRequest", `${entity.displayName} can't be ${operation.kind}d here.`);
  const { sent, options: placed } = callOf(sender, spec, operation, state.version);
  const options = withVersion(entity, placed, state.version);
  const { readAt } = state;
  const beforeSend = (): void => {
    request.assertMaySend?.();
    if (readAt !== undefined && client.now() - readAt > READ_LASTS_MS) throw new OutdatedRead();
  };
  const answer = await client.call(sent, {
    ...options,
    bodyFormat: entity.bodyFormat,
    signal: request.signal,
    beforeSend,
  });
  if (!answer.ok) return { answer, error: client.refusal(answer) };
  if (isWebPage(answer)) return { answer, error: webPage(answer) };
  const json = jsonOrNull(answer);
  if (saysItFailed(json)) return { answer, error: failureInBody(answer, client.reason(answer)) };
  return { answer, json, error: null };
}

/** The call of a write as it is sent, but for a version that stands beside the record. */
function callOf(
  { client, entity, map }: Pick<Sender, "client" | "entity" | "map">,
  spec: WriteSpec,
  operation: Operation,
  version: Value,
): { sent: CallSpec; options: CallOptions } {
  const written: Value = operation.kind === "delete" ? {} : map.write(operation.values);
  const record = operation.kind === "create" ? written : withOwnVersion(entity, written, version);
  const values: Value = operation.kind === "delete" ? {} : operation.values;
  const id = operation.kind === "create" ? null : operation.id;
  const facts = { ...client.known, id, record: values, json: record, key: operation.idempotencyKey, version };
  const options: CallOptions = { facts };
  if (spec.idempotencyHeader) options.headers = { [spec.idempotencyHeader.toLowerCase()]: operation.idempotencyKey };
  if (operation.kind === "delete")
    return { sent: spec, options: record === written ? options : { ...options, body: record } };
  const { body, recordPath = "" } = spec;
  const placed = placedRecord({ body, recordPath }, facts, record);
  return placed === null
    ? { sent: spec, options: { ...options, body: record } }
    : { sent: { ...spec, body: "" }, options: { ...options, body: placed } };
}

/** What sign-in pages, maintenance pages and proxies answer in the API's place, with a success as status. */
const isWebPage = ({ text }: Answer): boolean => /^\s*<(!doctype\s+html|html)[\s>]/i.test(text);

const webPage = ({ place }: Answer): ConnectorError =>
  new ConnectorError("unexpected", `${place} answered a web page.`, {
    hint: "A sign-in or maintenance page may stand in front of the API.",
  });

/** The refusal of a call that was answered with a success as status. */
export const failureInBody = ({ place }: Answer, reason: string | null): ConnectorError =>
  new ConnectorError("invalidRequest", `${place} answered that it failed${reason === null ? "." : `: ${reason}.`}`);

/** The record in the answer, or at least its id; an answer about another record says nothing about this one's values. */
export function writtenRecord(
  { entity, map }: Pick<Sender, "entity" | "map">,
  operation: Operation,
  json: Value,
): { id: string | null; record: SourceRecord | null } {
  const spec = specOf(entity, operation);
  const part = compileSelector(spec?.recordSelector ?? "")(json);
  const record = part === undefined || part === null ? null : map.readWritten(part);
  const named = spec?.idSelector ? compileSelector(spec.idSelector)(json) : undefined;
  const told = typeof named === "string" || typeof named === "number" ? String(named) : (record?.id ?? null);
  const id = operation.kind === "create" ? told : operation.id;
  return { id, record: record && record.id === id ? record : null };
}

/** Some systems answer a success with an empty page or plain text. */
export function jsonOrNull(answer: Answer): Value {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}

/** The last part of the address a creation is answered with: the new record's id in most APIs. */
export function createdId({ headers }: Answer): string | null {
  const path = headers["location"]?.split(/[?#]/)[0] ?? "";
  const last = path.split("/").findLast((part) => part !== "");
  if (last === undefined) return null;
  try {
    return decodeURIComponent(last);
  } catch {
    return null;
  }
}
