/** First half of a page's way: which records are new, changed, gone or stale, and what the source path makes of them. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { ActionCall } from "../../../actions/call.ts";
import type { DataResult } from "../../../functions/data-requests.ts";
import type { FlowRecord } from "../../../functions/flow.ts";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { PathExecution } from "../../graph/compiled-path.ts";
import type { PathCounts } from "../../graph/path-counts.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import { type RecordWarning, type InboundRecord, warningsOf } from "../../protocol/inbound-record.ts";
import type { QuarantineWrite } from "../../protocol/quarantine-entries.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { lateFields, NONE_LATE, withoutLate } from "../../merge/late-fields.ts";
import { missingFields, withHeldBefore } from "../../state/fields/missing-fields.ts";
import { isAsExpected } from "../../state/fingerprint.ts";
import { isReactivated } from "../../state/links/reactivation.ts";
import { hasChanges, isReleased, linkOfCopy } from "../../state/links/released-links.ts";
import { ownUnconfirmedCreation } from "../../state/unconfirmed/unconfirmed-creations.ts";
import { type FingerprintedPage, isOlder } from "./fingerprint-page.ts";
import { flowOf, toInboundRecord } from "./inbound-records.ts";
import { failed, unreadable, unstorable } from "./page-quarantine.ts";

/** A known record that is known from now on by what it shows. */
interface Confirmed {
  seen: string;
  link: StoredLink;
  isNew?: boolean;
  /** Nothing would tell a later reading that shows an earlier state. */
  keepsReplaced?: boolean;
}

/** A page after the first look. */
export interface ProcessedPage {
  seen: FingerprintedPage;
  resolved: Resolved;
  /** Records that are known from now on by what they show, and no news: what was written to them, or copies let go. */
  confirmed: Confirmed[];
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
      ...(seen.unstorable ?? []).map((refused) => unstorable(source, refused)),
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
    if (resolved.absorbed.has(index)) {
      page.absorbed += 1;
      return;
    }
    const link = resolved.links.get(record.id) ?? null;
    const fingerprint = seen.seen[index] ?? "";
    const asRead = record.deleted ? fingerprint : withHeldBefore(source.place, fingerprint, link);
    const askedAt = seen.askedAt > 0 ? seen.askedAt : env.now;
    const writtenAt = resolved.writtenAt?.get(record.id);
    const late = seen.isCurrent ? NONE_LATE : lateFields(source, { record, shown: asRead, link, writtenAt, askedAt });
    const shown = link && late.size > 0 ? withoutLate(asRead, link, late) : asRead;
    const isBack = link?.dead === true && isReactivated(source, seen, record, resolved);
    const isPast = isOlderThanQuarantined(page, record) || (!isBack && isStale(record, link, shown, seen.isCurrent));
    if (isPast) {
      page.absorbed += 1;
    } else if (record.deleted) {
      if (link && source.acceptDeletes) page.gone.push({ record, link });
      else page.absorbed += 1;
    } else if (late.size > 0 && !env.isResync && isKnownButLate(record, link, shown, resolved)) {
      page.absorbed += 1;
    } else if (shown !== fingerprint && !env.isResync && isUnchanged(record, link, shown, resolved)) {
      page.absorbed += 1;
      unchanged.push({ record, seen: shown });
    } else if (link && late.size === 0 && !env.isResync && isConfirmation(record, link, shown, resolved)) {
      page.confirmed.push(asConfirmed(source, seen, record, { shown, link }));
      page.absorbed += 1;
    } else if (link && isAsLeftAlone(source, record, link, shown, resolved)) {
      page.confirmed.push(asConfirmed(source, seen, record, { shown, link }));
      page.absorbed += 1;
    } else {
      const own = link ? null : ownUnconfirmedCreation(source, record, shown, resolved, adopted);
      if (own !== null) adopted.add(own);
      if (own !== null && !resolved.records.has(own)) {
        page.confirmed.push({ seen: shown, link: linkOfCopy(record, own, shown), isNew: true });
        page.absorbed += 1;
        return;
      }
      const inbound = toInboundRecord(source, record, { shown, link, own, isBack, late }, resolved);
      flows.push(flowOf(inbound, inboundRecords.length));
      inboundRecords.push(inbound);
    }
  });
  page.warnings = missingFields(source, [...unchanged, ...inboundRecords]);
  return { page, inboundRecords, execution: source.path(flows, env) };
}

/** What became of a page whose path is behind it. */
export function finishPage({ page, inboundRecords, execution }: PageExecution): ProcessedPage {
  if (execution.state === "suspended") throw new Error("the page is still on its path");
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

const asConfirmed = (
  { listsAll }: SourcePlan,
  { isCurrent }: FingerprintedPage,
  { modifiedAt }: SourceRecord,
  { shown, link }: { shown: string; link: StoredLink },
): Confirmed => ({
  seen: shown,
  link: { ...link, modifiedAt: modifiedAt ?? link.modifiedAt },
  keepsReplaced: listsAll && !isCurrent && !modifiedAt,
});

/** But for what is shown late, nothing is otherwise than is known or expected. */
function isKnownButLate({ id }: SourceRecord, link: StoredLink | null, shown: string, resolved: Resolved): boolean {
  if (!link || link.heldBack || resolved.quarantined.has(id)) return false;
  return link.seen === shown || isAsExpected(link.seen, shown);
}

/**
 * What was written there, as the record of a core record that lives, or of one that was merged into such a record
 * meanwhile; nothing else is known to be amiss with it.
 */
function isConfirmation({ id }: SourceRecord, link: StoredLink, seen: string, resolved: Resolved): boolean {
  if (link.dead || link.heldBack || !isAsExpected(link.seen, seen) || resolved.quarantined.has(id)) return false;
  return resolved.records.get(resolved.merged?.get(link.recordId) ?? link.recordId)?.deleted === false;
}

/** An unchanged copy of a record that is not there, or is deleted without having been written so: that is known here. */
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
