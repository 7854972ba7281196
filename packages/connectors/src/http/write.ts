/**
 * Writes one record a call, several at a time, each record's own calls in order; each outcome its own.
 *
 * Who is at fault decides what happens next. A refusal (4xx, or a body that says so) is the record's own, 403 unless many
 * get it (`forbidden-writes.ts`). 401, 429 and 503 stop the whole request. 500, 502, 504, time-outs, connections that break off and web pages instead of JSON may be either, and the
 * write may have been done: alone the record is looked at and tried again later, after several in a row the system is
 * taken to have failed and nothing more is sent.
 */
import {
  comparableValues,
  ConnectorError,
  hashValue,
  holdsExpected,
  type Answer,
  type SourceRecord,
  type WriteOutcome,
  type WriteRequest,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import type { Value } from "@accord/contracts/data/values";
import type { HttpClient } from "./client.ts";
import { type BatchFailures, failed, forbids, isSystemFailure, judge, later } from "./failed-writes.ts";
import { ForbiddenWrites, isForbidden } from "./forbidden-writes.ts";
import { saysNoSuchRecord } from "./named-errors.ts";
import { isCoarse, isSameVersion, needsVersion, versionOf, writeMode } from "./precondition.ts";
import { mapRecords, type RecordMap } from "./records.ts";
import {
  createdId,
  failureInBody,
  type KnownState,
  OutdatedRead,
  sendWrite,
  specOf,
  writtenRecord,
  type Operation,
  type SentWrite,
} from "./send-write.ts";
import { readSingle, type SingleRead } from "./single-read.ts";
import { storedValuesOf, type StoredValues } from "./stored-values.ts";

const STOPPED = "The write was stopped before it was sent.";
/**
 * Reads of one record before a write of it: others keep changing it where nothing is compared, or calls keep waiting for
 * the system's limit. The last one counts however long its write has to wait.
 */
const MAX_VERSIONS = 3;

/** What the operations of one request share. */
interface Batch extends BatchFailures {
  client: HttpClient;
  entity: HttpEntityConfig;
  request: WriteRequest;
  /** All fields of a record. */
  map: RecordMap;
  /** What is compared, and answered when it differs. */
  comparedMap: RecordMap;
  stored: StoredValues;
}

export async function writeRecords(
  client: HttpClient,
  entity: HttpEntityConfig,
  request: WriteRequest,
  options: { parallel: number; equalReadBacks: Map<string, number> },
): Promise<WriteOutcome[]> {
  const map = mapRecords(
    entity,
    request.entity,
    entity.fields.map((field) => field.apiName),
  );
  const batch: Batch = {
    client,
    entity,
    request,
    map,
    comparedMap: mapRecords(entity, request.entity, comparedFields(entity, request)),
    stored: storedValuesOf(client, entity, map, options.equalReadBacks),
    halt: null,
    failuresInARow: 0,
    forbidden: new ForbiddenWrites(),
    refusal: null,
  };
  const outcomes: WriteOutcome[] = [];
  const lanes = lanesOf(request.operations);
  const work = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane; lane = lanes.shift())
      for (const { index, operation } of lane) outcomes[index] = await writeOne(batch, operation);
  };
  await Promise.all(Array.from({ length: Math.min(options.parallel, lanes.length) }, work));
  // Nothing was done at all: the whole request failed, and may be repeated as a whole.
  const failure = batch.halt ?? (batch.forbidden.isOfAll ? batch.refusal : null);
  const isUndone = outcomes.every((outcome) => outcome.status === "retry" || isForbidden(outcome));
  if (failure && !request.signal?.aborted && isUndone) throw failure;
  return outcomes;
}

function comparedFields(entity: HttpEntityConfig, { fields, operations }: WriteRequest): string[] {
  const names = new Set(fields);
  for (const operation of operations)
    if (operation.kind !== "create") for (const field in operation.expected) names.add(field);
  if (entity.concurrency?.kind === "versionField") names.add(entity.concurrency.field);
  return [...names];
}

type Lane = { index: number; operation: Operation }[];

/** Operations on one record stay in order; different records may go side by side. */
function lanesOf(operations: readonly Operation[]): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const [index, operation] of operations.entries()) {
    const key = operation.kind === "create" ? `create ${index}` : `id ${operation.id}`;
    const lane = lanes.get(key);
    if (lane) lane.push({ index, operation });
    else lanes.set(key, [{ index, operation }]);
  }
  return [...lanes.values()];
}

async function writeOne(batch: Batch, operation: Operation): Promise<WriteOutcome> {
  const { client, entity, request } = batch;
  if (batch.halt) return later(batch.halt, true);
  if (request.signal?.aborted) return { status: "retry", message: STOPPED, neverSent: true };
  const spec = specOf(entity, operation);
  if (!spec) {
    const message = `${entity.displayName} can't be ${operation.kind}d here.`;
    return { status: "rejected", code: "not_supported", message };
  }
  if (operation.kind === "create") return outcomeOf(batch, operation, await send(batch, operation, { version: null }));
  const isCompared = operation.expected !== undefined && writeMode(entity) !== "unchecked";
  let mustRead = isCompared || needsVersion(entity);
  for (let attempt = 1; ; attempt += 1) {
    const read = mustRead ? await present(batch, operation) : null;
    if (read && "status" in read) return read;
    const version = read ? versionOf(entity, read, operation.kind) : null;
    // Where the API compares a version, it is the judge of that.
    const isJudge = version !== null && !isCoarse(entity);
    const mustBeFresh = read !== null && !isJudge && attempt < MAX_VERSIONS;
    const sent = await send(batch, operation, { version, ...(mustBeFresh ? { readAt: client.now() } : {}) });
    if (sent.error instanceof OutdatedRead) continue;
    const isOutdated = await refusesVersion(batch, operation, sent, version);
    if (isOutdated && attempt < MAX_VERSIONS) mustRead = true;
    else if (isOutdated) return { status: "retry", message: "The record keeps changing there." };
    else return outcomeOf(batch, operation, sent);
  }
}

/** The record as it stands there, or what comes of its not being as expected. */
async function present(
  batch: Batch,
  operation: Exclude<Operation, { kind: "create" }>,
): Promise<SingleRead | WriteOutcome> {
  const { client, entity, comparedMap, request } = batch;
  try {
    const read = await readSingle(client, entity, comparedMap, operation.id, { signal: request.signal });
    batch.failuresInARow = 0;
    if (!read) return { status: "missing" };
    if (operation.expected && !holdsExpected(operation.expected, comparableValues(read.record)))
      return { status: "conflict", record: read.record };
    return read;
  } catch (error) {
    const failure = connectorErrorOf(error, request);
    if (failure.kind === "permission") return forbids(batch, operation, failure);
    judge(batch, failure);
    if (!failure.retryable && batch.halt === null)
      return { status: "rejected", code: "refused", message: failure.message };
    return later(failure, true);
  }
}

/** Whether the API found the version to be an older one; a 409 may also be about something else. */
async function refusesVersion(
  { client, comparedMap, entity, request }: Batch,
  operation: Exclude<Operation, { kind: "create" }>,
  { answer }: SentWrite,
  version: Value,
): Promise<boolean> {
  if (answer === null || writeMode(entity) !== "conditional") return false;
  // "Precondition required": this API takes no change without a version.
  if (answer.status === 428) return version === null;
  if (version === null) return false;
  if (answer.status !== 409) return answer.status === 412;
  const read = await readSingle(client, entity, comparedMap, operation.id, { signal: request.signal }).catch(
    () => null,
  );
  return read !== null && !isSameVersion(versionOf(entity, read), version);
}

/** Sends an operation's own request. */
async function send(batch: Batch, operation: Operation, state: KnownState): Promise<SentWrite> {
  try {
    const sent = await sendWrite(batch, operation, state);
    if (!sent.error || !isSystemFailure(sent.error)) batch.failuresInARow = 0;
    if (!sent.error) batch.forbidden.allow();
    return sent;
  } catch (error) {
    return { answer: null, error: connectorErrorOf(error, batch.request) };
  }
}

async function outcomeOf(batch: Batch, operation: Operation, sent: SentWrite): Promise<WriteOutcome> {
  if (sent.error) return failed(batch, operation, sent.error, sent.answer?.status ?? null);
  const { answer, json } = sent;
  const { signal } = batch.request;
  const told = writtenRecord(batch, operation, json);
  if (told.record) return asAnswered(batch, operation, answer, told.record);
  const error = batch.client.writeErrorIn(answer);
  if (error !== null && operation.kind === "delete" && saysNoSuchRecord(error, batch.entity))
    return { status: "missing" };
  if (error !== null) return failed(batch, operation, failureInBody(answer, error.words), answer.status);
  if (operation.kind === "delete") return { status: "done", id: operation.id };
  const id = told.id ?? createdId(answer);
  const read = id === null ? null : await batch.stored.readBack({ id, sent: operation.values, answer }, { signal });
  const reason = read && isUnchanged(operation, read.record) ? batch.client.reason(answer) : null;
  if (reason !== null) return failed(batch, operation, failureInBody(answer, reason), answer.status);
  // The end of a `Location` is only taken for the id when a record is found by it.
  if (id === null || (told.id === null && !read))
    return { status: "unknown", message: "The record was created, but the answer does not tell its id." };
  return { status: "done", id, ...(read ? { ...whatIsStored(read.record), isReadBack: true as const } : {}) };
}

/** By the record in the answer. One that is as it was before the change may be older than that: then it is read. */
async function asAnswered(
  batch: Batch,
  operation: Operation,
  answer: Answer,
  record: SourceRecord,
): Promise<WriteOutcome> {
  const { id } = record;
  if (operation.kind === "update" && isUnchanged(operation, record)) {
    const sent = operation.values;
    const read = await batch.stored.readBack({ id, sent, answer }, { signal: batch.request.signal });
    if (read && !isUnchanged(operation, read.record))
      return { status: "done", id, ...whatIsStored(read.record), isReadBack: true };
  }
  return { status: "done", id, ...whatIsStored(record), isUnproven: true };
}

/** Whether the record still holds all that it held before a write that changes something. */
function isUnchanged(operation: Operation, record: SourceRecord): boolean {
  if (operation.kind !== "update" || !operation.expected) return false;
  const { expected, values } = operation;
  return (
    holdsExpected(expected, comparableValues(record)) &&
    Object.keys(values).some((field) => expected[field] !== hashValue(values[field]))
  );
}

const whatIsStored = ({ values, modifiedAt }: SourceRecord) => ({ values, modifiedAt });

/** A request that the caller broke off ends as if no answer had come. */
function connectorErrorOf(error: unknown, { signal }: WriteRequest): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (signal?.aborted) return new ConnectorError("timeout", "The write was stopped before an answer came.");
  throw error;
}
