/** First half of a page's way: which records are new, changed, gone or stale, and what the source path makes of them. */
import type { BadRecord, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { comparableValues } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, storable } from "@accord/expressions";
import type { RunEnv } from "../../functions/run-env.ts";
import type { ActionCall } from "../../actions/call.ts";
import type { DataResult } from "../../functions/data-requests.ts";
import { type FlowRecord, newFlowRecord } from "../../functions/flow.ts";
import {
  afterLoss,
  expectedOf,
  fieldOf,
  hasMissing,
  holds,
  isAsExpected,
  isKnown,
  isOfOtherVersion,
  isRead,
  seenFingerprint,
} from "../state/fingerprint.ts";
import { ConversionError, type SourceMapping, type SourcePlan } from "../plan/plan.ts";
import { writeIndexOf } from "../state/fields/read-index.ts";
import type { PathExecution } from "../graph/compiled-path.ts";
import type { PathCounts } from "../graph/path-counts.ts";
import { isReactivated } from "../state/links/reactivation.ts";
import { hasChanges, isReleased, linkOfCopy } from "../state/links/released-links.ts";
import { isLeftOut, missingFields, withHeldBefore } from "../state/fields/missing-fields.ts";
import { normalFingerprint } from "../state/normalization/normal-fingerprint.ts";
import { isAttempted } from "../state/unconfirmed/unconfirmed-writes.ts";
import { creationsOfOthers, ownUnconfirmedCreation } from "../state/unconfirmed/unconfirmed-creations.ts";
import { returnedFields } from "../state/fields/returned-fields.ts";
import { sanitizeRecords } from "../state/sanitize-records.ts";
import { failed, unreadable, unstorable } from "./page-quarantine.ts";
import type { QuarantineWrite } from "../protocol/quarantine-entries.ts";
import type { Resolved, ResolveRequest } from "../protocol/storage.ts";
import type { StoredLink } from "../protocol/stored.ts";
import { type RecordWarning, type InboundRecord, warningsOf } from "../protocol/inbound-record.ts";

/** A page with one entry per external record: a later version in the same page replaces an earlier one. */
export interface FingerprintedPage {
  records: readonly SourceRecord[];
  /** Fingerprint of each record; empty for deletions. */
  seen: readonly string[];
  bad: readonly BadRecord[];
  /** Records that the storage can't keep, with its reason. */
  unstorable?: readonly { record: SourceRecord; reason: string }[];
  /** About the list, and about records that had to be changed to be stored at all. */
  warnings: readonly RecordWarning[];
  /** Records that were quarantined, asked for anew: how they stand is certain. */
  isReplay: boolean;
  /** The source tells how records stand now: an earlier state can't come late, whatever their time stamps say. */
  isCurrent: boolean;
  /** When it was asked for, milliseconds; 0 where that is not known. */
  askedAt: number;
}

/** `loss`: the last one of the source's place. */
export function fingerprintPage(
  source: SourcePlan,
  page: ReadPage,
  { isReplay = false, askedAt = 0, loss = 0 } = {},
): FingerprintedPage {
  // What can't be read of a record is of no account once the page has a later version of it.
  const isCurrent = page.isCurrent === true;
  const fit = sanitizeRecords({ records: lastVersions(page.records, isCurrent), bad: page.bad });
  const { records } = fit;
  const { readFields, lapsed } = source.place;
  const program = afterLoss(source.program, loss);
  const seen = records.map((record) =>
    record.deleted ? "" : seenFingerprint(program, readFields, comparableValues(record), lapsed),
  );
  const { nodeId } = source;
  const replaced = fit.replaced.map(({ id, field }) => ({
    nodeId,
    code: "characters_replaced",
    message: `Characters of ${field} that can't be stored were replaced by “\ufffd”.`,
    record: id,
  }));
  const ofList = (page.warnings ?? []).map((warning) => ({
    ...warning,
    nodeId,
    record: source.label,
    isOfSource: true as const,
  }));
  const warnings = [...ofList, ...replaced];
  return { records, seen, bad: fit.bad, warnings, isReplay, isCurrent, askedAt };
}

function lastVersions(records: readonly SourceRecord[], isInOrder: boolean): readonly SourceRecord[] {
  const byId = new Map<string, SourceRecord>();
  for (const record of records) {
    const earlier = byId.get(record.id);
    if (!earlier || isInOrder || !isOlder(record.modifiedAt, earlier.modifiedAt)) byId.set(record.id, record);
  }
  return byId.size === records.length ? records : [...byId.values()];
}

const isOlder = (left: string | null | undefined, right: string | null | undefined): boolean =>
  Boolean(left && right && left < right);

export function resolveRequest(source: SourcePlan, page: FingerprintedPage, absorb: boolean): ResolveRequest {
  const references: ResolveRequest["references"] = [];
  for (const mapping of source.mappings) {
    if (!mapping.reference) continue;
    const ids = new Set<string>();
    for (const record of page.records) {
      const value = record.values[mapping.connectorField];
      if (!record.deleted && value !== null && value !== undefined && value !== "") ids.add(String(value));
    }
    if (ids.size > 0) references.push({ ...mapping.reference, externalIds: [...ids] });
  }
  return {
    placeId: source.place.id,
    records: page.records.map((record, index) => ({
      externalId: record.id,
      seen: page.seen[index] ?? "",
      deleted: record.deleted === true,
    })),
    absorb,
    references,
  };
}

/** What most records have none of. */
const NONE: readonly never[] = [];
const NO_FIELDS: ReadonlySet<string> = new Set();
const NONE_RETURNED: InboundRecord["returned"] = new Map();

/** A page after the first look. */
export interface ProcessedPage {
  seen: FingerprintedPage;
  resolved: Resolved;
  /** Records that are known from now on by what they show, and no news: what was written to them, or copies let go. */
  confirmed: { seen: string; link: StoredLink; isNew?: boolean }[];
  gone: { record: SourceRecord; link: StoredLink }[];
  /** Known records that the path ended for. */
  heldBack: readonly InboundRecord[];
  /** Records that reached the core, with where they came from. */
  completed: { inbound: InboundRecord; flow: FlowRecord }[];
  quarantine: QuarantineWrite[];
  settled: string[];
  absorbed: number;
  filtered: number;
  /** Actions to perform once the page is safe. */
  deferredActions: readonly ActionCall[];
  /** Actions performed on the path. */
  executedActions: readonly Pick<ActionCall, "externalId" | "key">[];
  warnings: readonly RecordWarning[];
  /** What passed and ended on its path. */
  pathCounts?: PathCounts | undefined;
}

/** A page on its path. */
export interface PageExecution {
  page: ProcessedPage;
  inboundRecords: readonly InboundRecord[];
  execution: PathExecution;
}

/** The same page with the answers that its path waited for. */
export const resumePage = (pageExecution: PageExecution, answers: readonly DataResult[]): PageExecution =>
  pageExecution.execution.state === "suspended"
    ? { ...pageExecution, execution: pageExecution.execution.resume(answers) }
    : pageExecution;

/** Sorts a page by what is known of its records and sends the changed ones down the source path. */
export function startPage(source: SourcePlan, seen: FingerprintedPage, resolved: Resolved, env: RunEnv): PageExecution {
  const page: ProcessedPage = {
    seen,
    resolved,
    confirmed: [],
    gone: [],
    heldBack: [],
    completed: [],
    quarantine: [
      ...seen.bad.map((bad) => unreadable(source, bad)),
      ...(seen.unstorable ?? NONE).map((refused) => unstorable(source, refused)),
    ],
    settled: [],
    absorbed: 0,
    filtered: 0,
    deferredActions: [],
    executedActions: [],
    warnings: [],
  };
  const inboundRecords: InboundRecord[] = [];
  const flows: FlowRecord[] = [];
  const adopted = new Set<string>();
  const unchanged: { record: SourceRecord; seen: string }[] = [];
  seen.records.forEach((record, index) => {
    const link = resolved.links.get(record.id) ?? null;
    const told = seen.seen[index] ?? "";
    const shown = record.deleted ? told : withHeldBefore(source.place, told, link);
    const isBack = link?.dead === true && isReactivated(source, seen, record, resolved);
    const isPast = isOlderThanQuarantined(page, record) || (!isBack && isStale(record, link, shown, seen.isCurrent));
    if (resolved.absorbed.has(index) || isPast) {
      page.absorbed += 1;
    } else if (record.deleted) {
      if (link && source.acceptDeletes) page.gone.push({ record, link });
      else page.absorbed += 1;
    } else if (shown !== told && !env.isResync && isUnchanged(record, link, shown, resolved)) {
      page.absorbed += 1;
      unchanged.push({ record, seen: shown });
    } else if (link && !env.isResync && isConfirmation(record, link, shown, resolved)) {
      page.confirmed.push({ seen: shown, link: { ...link, modifiedAt: record.modifiedAt ?? link.modifiedAt } });
      page.absorbed += 1;
    } else if (link && isAsLeftAlone(source, record, link, shown, resolved)) {
      page.confirmed.push({ seen: shown, link: { ...link, modifiedAt: record.modifiedAt ?? link.modifiedAt } });
      page.absorbed += 1;
    } else {
      const own = link ? null : ownUnconfirmedCreation(source, record, shown, resolved, adopted);
      if (own !== null) adopted.add(own);
      if (own !== null && !resolved.records.has(own)) {
        page.confirmed.push({ seen: shown, link: linkOfCopy(record, own, shown), isNew: true });
        page.absorbed += 1;
        return;
      }
      const inbound = toInboundRecord(source, record, { shown, link, own, isBack }, resolved);
      flows.push(flowOf(inbound, inboundRecords.length));
      inboundRecords.push(inbound);
    }
  });
  page.warnings = missingFields(source, [...unchanged, ...inboundRecords]);
  return { page, inboundRecords, execution: source.path(flows, env) };
}

/** What became of a page whose path is behind it. */
export function finishPage({ page, inboundRecords, execution }: PageExecution): ProcessedPage {
  if (execution.state === "suspended") throw new Error("the page is still on its road");
  const completed = joinCopies(execution.completed, inboundRecords.length);
  for (const flow of completed) {
    const inbound = inboundRecords[flow.rowIndex];
    if (!inbound) continue;
    if (flow.failure) {
      page.quarantine.push(failed(inbound, flow));
    } else {
      page.completed.push({ inbound, flow });
    }
  }
  page.pathCounts = execution.counts;
  page.filtered = inboundRecords.length - completed.length;
  if (page.filtered > 0) {
    const lanes = new Set(completed.map(({ rowIndex }) => rowIndex));
    page.heldBack = inboundRecords.filter(({ link }, rowIndex) => link !== null && !lanes.has(rowIndex));
  }
  const failedIds = new Set(page.quarantine.map(({ externalId }) => externalId));
  if (page.resolved.quarantined.size > 0)
    page.settled = page.seen.records.flatMap((record) => (isOver(page, record, failedIds) ? [record.id] : []));
  // A failed record comes again: its actions wait until it gets through.
  page.deferredActions = execution.deferredActions.filter(({ externalId }) => !failedIds.has(externalId));
  page.executedActions = execution.executedActions.filter(({ externalId }) => !failedIds.has(externalId));
  const onTheWay = page.completed.flatMap(({ flow }) => (flow.warnings.length > 0 ? warningsOf(flow) : []));
  page.warnings = [...page.warnings, ...page.seen.warnings, ...onTheWay];
  return page;
}

/** Whether what was quarantined of a record is over: it got through, was filtered out, or is gone. Old news settles nothing. */
function isOver(page: ProcessedPage, record: SourceRecord, failedIds: ReadonlySet<string | null>): boolean {
  const { resolved, seen } = page;
  const { isReplay, isCurrent } = seen;
  const { id, modifiedAt } = record;
  if (!resolved.quarantined.has(id) || failedIds.has(id)) return false;
  if (isCurrent) return true;
  if (isOlderThanQuarantined(page, record)) return false;
  const known = resolved.links.get(id)?.modifiedAt;
  const isUnchangedRead = Boolean(modifiedAt && known && (isReplay ? modifiedAt < known : modifiedAt <= known));
  return !isUnchangedRead;
}

/** One record for each that set out, in the order in which the first copies arrived. */
function joinCopies(flows: readonly FlowRecord[], count: number): readonly FlowRecord[] {
  const places = new Int32Array(count).fill(-1);
  const records: FlowRecord[] = [];
  for (const flow of flows) {
    const place = places[flow.rowIndex] ?? -1;
    const copy = records[place];
    if (copy) records[place] = joined(copy, flow);
    else places[flow.rowIndex] = records.push(flow) - 1;
  }
  return records;
}

/** Two copies of one record that took different paths: what the later one carries wins. */
const joined = (first: FlowRecord, second: FlowRecord): FlowRecord => ({
  ...second,
  values: { ...first.values, ...second.values },
  attach: [...first.attach, ...second.attach],
  // What both noted before they parted is one and the same.
  warnings: [...first.warnings, ...second.warnings.filter((warning) => !first.warnings.includes(warning))],
  failure: first.failure ?? second.failure,
});

/** Older than the copy of the record that was quarantined, and that still waits: a list may answer an old one after it. */
const isOlderThanQuarantined = (
  { resolved, seen }: Pick<ProcessedPage, "resolved" | "seen">,
  { id, modifiedAt }: SourceRecord,
): boolean => !seen.isCurrent && isOlder(modifiedAt, resolved.quarantined.get(id)?.modifiedAt);

/** Older than what we know of the record, or a deleted record's last shape showing up late. */
function isStale(record: SourceRecord, link: StoredLink | null, seen: string, isCurrent: boolean): boolean {
  if (!link || isCurrent) return false;
  if (isOlder(record.modifiedAt, link.modifiedAt)) return true;
  if (!link.dead || record.deleted) return false;
  if (record.modifiedAt && link.modifiedAt) return record.modifiedAt <= link.modifiedAt;
  return link.seen === seen || link.seen === null;
}

/** Nothing is otherwise than it was last seen: fields that are missing were so then. */
function isUnchanged({ id }: SourceRecord, link: StoredLink | null, shown: string, resolved: Resolved): boolean {
  return link?.seen === shown && !link.dead && !link.heldBack && !resolved.quarantined.has(id);
}

/**
 * What was written there, as the record of a core record that lives, or of one that was merged into such a record
 * meanwhile; nothing else is known to be amiss with it.
 */
function isConfirmation({ id }: SourceRecord, link: StoredLink, seen: string, resolved: Resolved): boolean {
  if (link.dead || link.heldBack || !isAsExpected(link.seen, seen) || resolved.quarantined.has(id)) return false;
  return resolved.records.get(resolved.merged?.get(link.recordId) ?? link.recordId)?.deleted === false;
}

/** An unchanged copy of a record that is not there, or is deleted and not told so: that is known here. */
function isAsLeftAlone(
  source: SourcePlan,
  record: SourceRecord,
  link: StoredLink,
  seen: string,
  resolved: Resolved,
): boolean {
  if (link.dead) return false;
  const isGoneHere = resolved.records.get(link.recordId)?.deleted === true && !resolved.merged?.has(link.recordId);
  if (!isReleased(link, resolved) && !(isGoneHere && !source.isAlsoSink)) return false;
  return !hasChanges(source, record, link, seen);
}

function toInboundRecord(
  source: SourcePlan,
  record: SourceRecord,
  { shown, link, own, isBack }: { shown: string; link: StoredLink | null; own: string | null; isBack: boolean },
  resolved: Resolved,
): InboundRecord {
  const recordId = link?.recordId ?? own;
  const survivor = link && resolved.merged?.get(link.recordId);
  const inbound: InboundRecord = {
    record,
    seen: shown,
    link,
    isBack,
    stored: resolved.records.get(survivor ?? recordId ?? "") ?? null,
    isAlias: survivor !== undefined && survivor !== null,
    formerId: link && isReleased(link, resolved) ? (survivor ?? link.recordId) : null,
    written: [
      ...((recordId && resolved.unanswered.get(recordId)?.written) || NONE),
      ...(link ? creationsOfOthers(source, record, { shown, link }, resolved) : NONE),
    ],
    mapped: {},
    refusedFields: NONE,
    pending: NONE,
    renamed: NONE,
    returned: NONE_RETURNED,
    spelling: null,
  };
  for (const mapping of source.mappings) mapField(mapping, inbound, resolved);
  inbound.returned = returnedFields(source, inbound);
  return inbound;
}

function mapField(mapping: SourceMapping, inbound: InboundRecord, resolved: Resolved): void {
  const { values, badFields = NONE } = inbound.record;
  const bad = badFields.find(({ field }) => field === mapping.connectorField);
  if (bad) {
    if (!mapping.isProvisional) refuse(inbound, mapping, storable(bad.excerpt ?? bad.message));
    return;
  }
  if (isLeftOut(inbound, mapping.readIndex)) {
    // What others on the path make of the field they make of what the core holds.
    const { stored } = inbound;
    if (stored) inbound.mapped[mapping.coreField] = stored.values[mapping.coreField] ?? null;
    return;
  }
  const value = values[mapping.connectorField] ?? null;
  if (mapping.reference && value !== null && value !== "") {
    const externalId = String(value);
    const key = `${mapping.reference.connectorId}/${mapping.reference.entity}`;
    const recordId = resolved.references.get(key)?.get(externalId);
    if (recordId === undefined) {
      const pending = { ...mapping.reference, field: mapping.coreField, externalId };
      inbound.pending = [...inbound.pending, pending];
    }
    inbound.mapped[mapping.coreField] = recordId ?? null;
    if (resolved.renamed?.has(externalId)) inbound.renamed = [...inbound.renamed, mapping.coreField];
    return;
  }
  const converted = mapping.convert(value);
  if (!(converted instanceof ConversionError)) inbound.mapped[mapping.coreField] = converted;
  else if (!mapping.isProvisional) refuse(inbound, mapping, value);
}

function refuse(inbound: InboundRecord, { coreField, connectorField }: SourceMapping, value: Value): void {
  const named = connectorField === coreField ? {} : { connectorField };
  inbound.refusedFields = [...inbound.refusedFields, { field: coreField, value, ...named }];
}

function flowOf(inbound: InboundRecord, rowIndex: number): FlowRecord {
  return newFlowRecord({
    values: inbound.mapped,
    source: { externalId: inbound.record.id, values: inbound.record.values },
    recordId: inbound.stored?.recordId ?? null,
    before: inbound.stored?.values ?? null,
    change: inbound.stored ? "update" : "insert",
    occurrenceKey: inbound.seen,
    rowIndex,
  });
}

/** Which core fields the source itself changed since we last saw or wrote them there. */
export function changedFields(
  source: SourcePlan,
  inbound: InboundRecord,
  completed: Values,
  reapply: boolean,
): (field: string) => boolean {
  const missing = missingCoreFields(source, inbound);
  const isChanged = changedAmongShown(source, inbound, completed, reapply);
  return missing.size === 0 ? isChanged : (field) => !missing.has(field) && isChanged(field);
}

const missingCoreFields = ({ mappings }: SourcePlan, inbound: InboundRecord): ReadonlySet<string> =>
  hasMissing(inbound.seen)
    ? new Set(mappings.flatMap(({ readIndex, coreField }) => (isLeftOut(inbound, readIndex) ? [coreField] : [])))
    : NO_FIELDS;

function changedAmongShown(
  source: SourcePlan,
  inbound: InboundRecord,
  completed: Values,
  reapply: boolean,
): (field: string) => boolean {
  const known = inbound.link?.seen ?? null;
  const isNewPath = known !== null && isOfOtherVersion(known, source.program);
  // A second external record of one thing only says what is news: else the two would take turns.
  if (inbound.isAlias) {
    if (known === null) return () => false;
  } else if (inbound.link === null || known === null || (reapply && !source.isAlsoSink)) {
    // Where we write too, an unchanged value may be one that is yet to be overwritten there: it is no news.
    if (inbound.written.length === 0) return () => true;
  }
  const changed = new Set<string>();
  for (const mapping of source.mappings) {
    if (!holdsField(source, inbound, known, mapping.readIndex)) changed.add(mapping.coreField);
  }
  const { readFields, lapsed } = source.place;
  const anyRead = readFields.some((_, index) => !lapsed?.has(index) && !holdsField(source, inbound, known, index));
  return (field) => {
    const isComputed = completed[field] !== inbound.mapped[field] || !(field in inbound.mapped);
    return isComputed ? anyRead || isNewPath : changed.has(field);
  };
}

function holdsField(source: SourcePlan, inbound: InboundRecord, known: string | null, read: number): boolean {
  const returned = inbound.returned.get(read);
  if (isLeftOut(inbound, read) || returned === "asBefore") return true;
  if (returned === "unsure") return inbound.spelling?.doubtful.has(read) === true;
  const part = fieldOf(inbound.seen, read);
  if (holds(known, read, part) || inbound.spelling?.fields.has(read)) return true;
  if (isAsLeft(source, inbound, known, read)) return true;
  if (inbound.spelling?.doubtful.has(read)) return true;
  return isAsBeforeItLapsed(source, inbound, known, read) || isAttempted(source, inbound, read);
}

/**
 * Whether a field that earlier versions read, and then none for a time, shows what it held when it was known last:
 * whoever edited it meanwhile says something new, whoever left it alone does not.
 */
function isAsBeforeItLapsed(source: SourcePlan, inbound: InboundRecord, known: string | null, read: number): boolean {
  if (!isRead(known) || isKnown(fieldOf(known ?? "", read))) return false;
  const { link, record, seen } = inbound;
  const told = writeIndexOf(source.place, read);
  const before = told === undefined ? "" : fieldOf(link?.told ?? "", told);
  if (before === "" || !isKnown(before)) return false;
  return before === fieldOf(seen, read) || before === fieldOf(normalFingerprint(source, record, seen), read);
}

/** Whether a field is as blank, in whatever spelling, as we left it when we created the record: nobody has cleared it. */
function isAsLeft(
  { place }: SourcePlan,
  { record, link, written }: InboundRecord,
  known: string | null,
  read: number,
): boolean {
  if (!isBlank(record.values[place.readFields[read] ?? ""])) return false;
  if (known !== null) return !isKnown(fieldOf(known, read)) && isKnown(expectedOf(known, read));
  const told = writeIndexOf(place, read);
  return (
    link === null &&
    told !== undefined &&
    written.length > 0 &&
    written.every((attempt) => !isKnown(fieldOf(attempt, told)))
  );
}
