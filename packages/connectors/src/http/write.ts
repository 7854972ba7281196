/** Writes one record a call, several at a time, each record's own calls in order; every outcome told apart. */
import {
  compileSelector,
  ConnectorError,
  jsonOf,
  type Answer,
  type WriteOperation,
  type WriteOutcome,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import type { CallOptions, CallSpec, HttpClient } from "./client.ts";
import { mapRecords, type RecordMap } from "./records.ts";

interface WriteSpec extends CallSpec {
  recordSelector?: string;
  idSelector?: string;
  idempotencyHeader?: string;
}

/** What stopped the whole request: the system asks to wait, or refuses everything. */
interface Halt {
  error: ConnectorError;
}

export async function writeRecords(
  client: HttpClient,
  entity: HttpEntityConfig,
  request: { entity: EntitySchema; operations: WriteOperation[] },
  parallel: number,
): Promise<WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  const halt: { by: Halt | null } = { by: null };
  const map = mapRecords(
    entity,
    request.entity,
    entity.fields.map((field) => field.apiName),
  );
  const lanes = lanesOf(request.operations);
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift())
      for (const { at, operation } of lane) {
        if (halt.by) outcomes[at] = later(halt.by.error);
        else outcomes[at] = await writeOne(client, entity, map, operation, halt);
      }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, lanes.length) }, work));
  // Nothing was done at all: the whole request failed, and may be repeated as a whole.
  if (halt.by && outcomes.every((outcome) => outcome.status === "retry")) throw halt.by.error;
  return outcomes;
}

const later = (error: ConnectorError): WriteOutcome => ({
  status: "retry",
  message: error.message,
  retryAfterMs: error.retryAfterMs,
});

type Lane = { at: number; operation: WriteOperation }[];

/** Operations on one record stay in order; different records may go side by side. */
function lanesOf(operations: readonly WriteOperation[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const [at, operation] of operations.entries()) {
    const key = operation.kind === "create" ? `create ${at}` : `id ${operation.id}`;
    const lane = lanes.get(key);
    if (lane) lane.push({ at, operation });
    else lanes.set(key, [{ at, operation }]);
  }
  return [...lanes.values()];
}

async function writeOne(
  client: HttpClient,
  entity: HttpEntityConfig,
  map: RecordMap,
  operation: WriteOperation,
  halt: { by: Halt | null },
): Promise<WriteOutcome> {
  const spec: WriteSpec | null | undefined = entity[operation.kind];
  if (!spec)
    return {
      status: "rejected",
      code: "not_supported",
      message: `${entity.displayName} can't be ${operation.kind}d here.`,
    };
  let answer: Answer;
  try {
    answer = await client.call(spec, optionsFor(entity, map, spec, operation));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.neverSent) {
      halt.by ??= { error };
      return later(error);
    }
    return operation.kind === "create" ? { status: "unknown", message: error.message } : later(error);
  }
  return answer.ok ? done(spec, map, operation, answer) : refused(client.refusal(answer), operation, answer, halt);
}

function optionsFor(entity: HttpEntityConfig, map: RecordMap, spec: WriteSpec, operation: WriteOperation): CallOptions {
  const record: Value = operation.kind === "delete" ? {} : map.write(operation.values);
  const values: Value = operation.kind === "delete" ? {} : operation.values;
  const id = operation.kind === "create" ? null : operation.id;
  const options: CallOptions = { facts: { id, record: values, json: record, key: operation.idempotencyKey } };
  if (operation.kind !== "delete") options.body = record;
  if (spec.idempotencyHeader) options.headers = { [spec.idempotencyHeader.toLowerCase()]: operation.idempotencyKey };
  return options;
}

function done(spec: WriteSpec, map: RecordMap, operation: WriteOperation, answer: Answer): WriteOutcome {
  const json = safeJson(answer);
  const record = compileSelector(spec.recordSelector ?? "")(json);
  const read = record === undefined || record === null ? undefined : map.read([record]).records[0];
  const named = spec.idSelector ? compileSelector(spec.idSelector)(json) : undefined;
  const told = typeof named === "string" || typeof named === "number" ? String(named) : read?.id;
  const id = operation.kind === "create" ? told : operation.id;
  if (id === undefined)
    return { status: "unknown", message: "The record was created, but the answer does not tell its id." };
  // An answer about another record than the one written says nothing about its values.
  if (!read || read.id !== id) return { status: "done", id };
  return { status: "done", id, values: read.values, modifiedAt: read.modifiedAt };
}

/** Some systems answer a success with an empty page or plain text. */
function safeJson(answer: Answer): Value {
  try {
    return jsonOf(answer);
  } catch {
    return null;
  }
}

function refused(
  error: ConnectorError,
  operation: WriteOperation,
  answer: Answer,
  halt: { by: Halt | null },
): WriteOutcome {
  if (error.kind === "notFound" && operation.kind !== "create") return { status: "missing" };
  if (
    error.kind === "authentication" ||
    error.kind === "permission" ||
    error.kind === "rateLimited" ||
    answer.status === 503
  ) {
    halt.by ??= { error };
    return later(error);
  }
  if (error.retryable)
    return operation.kind === "create" ? { status: "unknown", message: error.message } : later(error);
  return { status: "rejected", code: answer.status === 409 ? "duplicate" : "refused", message: error.message };
}
