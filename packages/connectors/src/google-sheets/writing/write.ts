/**
 * Writes many records with two calls: the tab is read, every record is found by its id and compared with what is expected of
 * it, and all changes leave together right after, done as a whole or not at all. Where Google refuses them, the halves are
 * written one after the other, so that a record that can't be written costs itself alone.
 */
import { ConnectorError, type WriteOperation, type WriteOutcome, type WriteRequest } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { formatsIn } from "../calls/formats.ts";
import { recordsOf } from "../reading/records.ts";
import { readTab, type TabContent, type TabReader } from "../reading/tab.ts";
import { planOf, type Plan } from "./plan.ts";
import { addsDates, requestsOf } from "./requests.ts";

const words = googleSheets.writes;

/** What was compared says nothing of later edits: the write has to leave within this time. */
const READ_LASTS_MS = 2_000;
/** Readings before one write, where it keeps waiting for its turn. The last one counts however old it is. */
const MAX_READINGS = 3;

/** The write had to wait until what was read before it was too old: nothing was sent. */
class OutdatedRead extends ConnectorError {
  constructor() {
    super("rateLimited", words.unread, { neverSent: true });
  }
}

interface Writing {
  reader: TabReader;
  request: WriteRequest;
  /** Why nothing more is sent. */
  halt: ConnectorError | null;
}

export async function writeRows(reader: TabReader, request: WriteRequest): Promise<WriteOutcome[]> {
  const writing: Writing = { reader, request, halt: null };
  const outcomes = await writeSome(writing, request.operations);
  // Nothing was done at all: the whole request failed, and may be repeated as a whole.
  const isUndone = outcomes.length > 0 && outcomes.every(({ status }) => status === "retry");
  if (writing.halt && isUndone && !request.signal?.aborted) throw writing.halt;
  return outcomes;
}

async function writeSome(writing: Writing, operations: readonly WriteOperation[]): Promise<WriteOutcome[]> {
  if (writing.halt) return operations.map(() => later(writing.halt));
  if (writing.request.signal?.aborted) return operations.map(() => later(null));
  for (let reading = 1; ; reading += 1) {
    const planned = await read(writing, operations);
    if (!planned) return operations.map(() => later(writing.halt));
    const { plan } = planned;
    const open = operations.filter((_, at) => plan.outcomes[at] === null);
    if (open.length === 0) return withOpen(plan, () => undefined);
    const error = await send(writing, planned, reading < MAX_READINGS);
    if (error === null) return withOpen(plan, (at) => plan.done.get(at));
    if (error instanceof OutdatedRead) continue;
    if (error.kind !== "invalidRequest") return withOpen(plan, () => failed(writing, error));
    if (open.length === 1)
      return withOpen(plan, () => ({ status: "rejected", code: "refused", message: error.message, isTransient: true }));
    const half = Math.ceil(operations.length / 2);
    const first = await writeSome(writing, operations.slice(0, half));
    return [...first, ...(await writeSome(writing, operations.slice(half)))];
  }
}

/** Outcomes that are certain, and for the others what came of the call. */
const withOpen = (plan: Plan, outcomeOf: (at: number) => WriteOutcome | undefined): WriteOutcome[] =>
  plan.outcomes.map((outcome, at) => outcome ?? outcomeOf(at) ?? { status: "missing" });

interface Planned {
  plan: Plan;
  content: TabContent;
  formats: Map<number, Value> | null;
}

/** null: the tab could not be read, and `halt` says why. */
async function read(writing: Writing, operations: readonly WriteOperation[]): Promise<Planned | null> {
  const { reader, request } = writing;
  const { entity, signal } = request;
  try {
    const content = await readTab(reader, entity, signal);
    const plan = planOf(content, entity, recordsOf(content, entity, comparedFields(request)), operations);
    const above = content.rows.at(-1)?.index;
    const formats = addsDates(plan) ? await formatsIn(reader.client, content, above ?? null, signal) : null;
    return { plan, content, formats };
  } catch (error) {
    writing.halt = unsent(connectorErrorOf(error, request));
    return null;
  }
}

function comparedFields({ fields = [], operations }: WriteRequest): string[] {
  const names = new Set(fields);
  for (const operation of operations) {
    if (operation.kind !== "create") for (const field in operation.expected) names.add(field);
    if (operation.kind !== "delete") for (const field in operation.values) names.add(field);
  }
  return [...names];
}

/** null: it was done. */
async function send(
  writing: Writing,
  { plan, content, formats }: Planned,
  mustBeFresh: boolean,
): Promise<ConnectorError | null> {
  const { reader, request } = writing;
  const requests = requestsOf(content, plan, formats);
  // A creation whose row is there already, or a row that was added and taken away again.
  if (requests.length === 0) return null;
  const beforeSend = (): void => {
    request.assertMaySend?.();
    if (mustBeFresh && reader.client.now() - content.readAt > READ_LASTS_MS) throw new OutdatedRead();
  };
  try {
    await reader.client.sheets("write", ":batchUpdate", { body: { requests }, signal: request.signal, beforeSend });
    return null;
  } catch (error) {
    return connectorErrorOf(error, request);
  }
}

/** What stops everything, and surely did nothing. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  ...["authentication", "permission", "notFound", "rateLimited", "configuration", "schemaChanged"],
  ...["outboundRefused", "certificate"],
]);

function failed(writing: Writing, error: ConnectorError): WriteOutcome {
  const isUndone = error.neverSent || OF_THE_WHOLE.has(error.kind);
  writing.halt ??= error;
  return isUndone ? later(error) : { status: "unknown", message: error.message };
}

/** Reading changes nothing: whatever became of it, nothing was written. */
function unsent(error: ConnectorError): ConnectorError {
  if (error.neverSent) return error;
  const { kind, message, hint, retryAfterMs, isFieldGone, cause } = error;
  const options = { ...(hint !== undefined && { hint }), ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new ConnectorError(kind, message, { ...options, isFieldGone, cause, neverSent: true });
}

/** A request that the caller broke off ends as if no answer had come. */
function connectorErrorOf(error: unknown, { signal }: WriteRequest): ConnectorError {
  if (error instanceof ConnectorError) return error;
  if (signal?.aborted) return new ConnectorError("timeout", words.noAnswer, { cause: error });
  throw error;
}

const later = (error: ConnectorError | null): WriteOutcome => ({
  status: "retry",
  message: error?.message ?? words.stopped,
  neverSent: true,
  ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
});
