/** First half of a page's way: which records are new, changed, gone or stale, and what the source's road makes of them. */
import type { BadRecord, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { comparableValues } from "@accord/connector-sdk/fingerprint";
import type { Value, Values } from "@accord/contracts/data/values";
import { isBlank, storable } from "@accord/expressions";
import type { RunEnv } from "../functions/run-env.ts";
import type { ActionCall } from "../actions/call.ts";
import type { Answer } from "../functions/questions.ts";
import { type FlowRecord, newFlowRecord } from "../functions/flow.ts";
import {
  afterLoss,
  expectedOf,
  fieldOf,
  hasMissing,
  holds,
  isAsExpected,
  isKnown,
  isOfOtherProgram,
  isRead,
  seenFingerprint,
} from "./fingerprint.ts";
import { Inconvertible, type SourceMapping, type SourcePlan } from "./plan.ts";
import { toldIndexOf } from "./read-now.ts";
import type { Trip } from "./road.ts";
import { hasComeBack } from "./come-back.ts";
import { holdsNews, isLetGo, linkOfCopy } from "./let-go.ts";
import { isLeftOut, missingFields, withHeldBefore } from "./missing-fields.ts";
import { normalFingerprint } from "./normal-fingerprint.ts";
import { isAttempted } from "./attempts.ts";
import { creationsOfOthers, ownCreation } from "./creations-in-doubt.ts";
import { returnedFields } from "./returned-fields.ts";
import { shownId, storableRecords } from "./storable-records.ts";
import type { QuarantineWrite, Resolved, ResolveRequest } from "./storage.ts";
import type { StoredLink } from "./stored.ts";
import { type RecordWarning, type Traveller, warningsOf } from "./traveller.ts";

/** A page with one entry per outside record: a later version in the same page replaces an earlier one. */
export interface SeenPage {
  records: readonly SourceRecord[];
  /** Fingerprint of each record; empty for deletions. */
  seen: readonly string[];
  bad: readonly BadRecord[];
  /** Records that the storage can't keep, with its reason. */
  unstorable?: readonly { record: SourceRecord; reason: string }[];
  /** About the list, and about records that had to be changed to be stored at all. */
  warnings: readonly RecordWarning[];
  /** Records that were put aside, asked for anew: how they stand is certain. */
  isReplay: boolean;
  /** The source tells how records stand now: an earlier state can't come late, whatever their time stamps say. */
  isCurrent: boolean;
  /** When it was asked for, milliseconds; 0 where that is not known. */
  askedAt: number;
}

/** `loss`: the last one of the source's place. */
export function seePage(
  source: SourcePlan,
  page: ReadPage,
  { isReplay = false, askedAt = 0, loss = 0 } = {},
): SeenPage {
  // What can't be read of a record is of no account once the page has a later version of it.
  const isCurrent = page.isCurrent === true;
  const fit = storableRecords({ records: lastVersions(page.records, isCurrent), bad: page.bad });
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

export function resolveRequest(source: SourcePlan, page: SeenPage, absorb: boolean): ResolveRequest {
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
const NONE_RETURNED: Traveller["returned"] = new Map();

/** A page after the first look. */
export interface LookedPage {
  seen: SeenPage;
  resolved: Resolved;
  /** Records that are known from now on by what they show, and no news: what was written to them, or copies let go. */
  confirmed: { seen: string; link: StoredLink; isNew?: boolean }[];
  gone: { record: SourceRecord; link: StoredLink }[];
  /** Known records that the road ended for. */
  heldBack: readonly Traveller[];
  /** Records that reached the core, with where they came from. */
  arrived: { traveller: Traveller; flow: FlowRecord }[];
  quarantine: QuarantineWrite[];
  settled: string[];
  absorbed: number;
  filtered: number;
  /** Actions to perform once the page is safe. */
  acts: readonly ActionCall[];
  /** Keys of actions performed on the road. */
  performed: readonly string[];
  warnings: readonly RecordWarning[];
}

/** A page on its road. */
export interface TravellingPage {
  page: LookedPage;
  travellers: readonly Traveller[];
  trip: Trip;
}

/** The same page with the answers that its road waited for. */
export const goOn = (travelling: TravellingPage, answers: readonly Answer[]): TravellingPage =>
  travelling.trip.state === "asking" ? { ...travelling, trip: travelling.trip.resume(answers) } : travelling;

/** Sorts a page by what is known of its records and sends the changed ones down the source's road. */
export function setOut(source: SourcePlan, seen: SeenPage, resolved: Resolved, env: RunEnv): TravellingPage {
  const page: LookedPage = {
    seen,
    resolved,
    confirmed: [],
    gone: [],
    heldBack: [],
    arrived: [],
    quarantine: [
      ...seen.bad.map((bad) => unreadable(source, bad)),
      ...(seen.unstorable ?? NONE).map((refused) => unstorable(source, refused)),
    ],
    settled: [],
    absorbed: 0,
    filtered: 0,
    acts: [],
    performed: [],
    warnings: [],
  };
  const travellers: Traveller[] = [];
  const flows: FlowRecord[] = [];
  const adopted = new Set<string>();
  const unchanged: { record: SourceRecord; seen: string }[] = [];
  seen.records.forEach((record, index) => {
    const link = resolved.links.get(record.id) ?? null;
    const told = seen.seen[index] ?? "";
    const shown = record.deleted ? told : withHeldBefore(source.place, told, link);
    const isBack = link?.dead === true && hasComeBack(source, seen, record, resolved);
    if (resolved.absorbed.has(index) || (!isBack && isStale(record, link, shown, seen.isCurrent))) {
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
      const own = link ? null : ownCreation(source, record, shown, resolved, adopted);
      if (own !== null) adopted.add(own);
      if (own !== null && !resolved.records.has(own)) {
        page.confirmed.push({ seen: shown, link: linkOfCopy(record, own, shown), isNew: true });
        page.absorbed += 1;
        return;
      }
      const traveller = departure(source, record, { shown, link, own, isBack }, resolved);
      flows.push(flowOf(traveller, travellers.length));
      travellers.push(traveller);
    }
  });
  page.warnings = missingFields(source, [...unchanged, ...travellers]);
  return { page, travellers, trip: source.road(flows, env) };
}

/** What became of a page whose road is behind it. */
export function arrive({ page, travellers, trip }: TravellingPage): LookedPage {
  if (trip.state === "asking") throw new Error("the page is still on its road");
  const arrived = joinCopies(trip.arrived, travellers.length);
  for (const flow of arrived) {
    const traveller = travellers[flow.lane];
    if (!traveller) continue;
    if (flow.failure) {
      page.quarantine.push(failed(traveller, flow));
    } else {
      page.arrived.push({ traveller, flow });
    }
  }
  page.filtered = travellers.length - arrived.length;
  if (page.filtered > 0) {
    const lanes = new Set(arrived.map(({ lane }) => lane));
    page.heldBack = travellers.filter(({ link }, lane) => link !== null && !lanes.has(lane));
  }
  const failedIds = new Set(page.quarantine.map(({ externalId }) => externalId));
  if (page.resolved.quarantined.size > 0)
    page.settled = page.seen.records.flatMap((record) => (isOver(page, record, failedIds) ? [record.id] : []));
  // A failed record comes again: its actions wait until it gets through.
  page.acts = trip.acts.filter(({ externalId }) => !failedIds.has(externalId));
  page.performed = trip.performed.filter(({ externalId }) => !failedIds.has(externalId)).map(({ key }) => key);
  const onTheWay = page.arrived.flatMap(({ flow }) => (flow.warnings.length > 0 ? warningsOf(flow) : []));
  page.warnings = [...page.warnings, ...page.seen.warnings, ...onTheWay];
  return page;
}

/** Whether what was put aside of a record is over: it got through, was filtered out, or is gone. Old news settles nothing. */
function isOver(
  { resolved, seen: { isReplay, isCurrent } }: LookedPage,
  { id, modifiedAt }: SourceRecord,
  failedIds: ReadonlySet<string | null>,
): boolean {
  if (!resolved.quarantined.has(id) || failedIds.has(id)) return false;
  if (isCurrent) return true;
  const known = resolved.links.get(id)?.modifiedAt;
  const isNoNews = Boolean(modifiedAt && known && (isReplay ? modifiedAt < known : modifiedAt <= known));
  return !isNoNews;
}

/** One record for each that set out, in the order in which the first copies arrived. */
function joinCopies(flows: readonly FlowRecord[], count: number): readonly FlowRecord[] {
  const places = new Int32Array(count).fill(-1);
  const records: FlowRecord[] = [];
  for (const flow of flows) {
    const place = places[flow.lane] ?? -1;
    const copy = records[place];
    if (copy) records[place] = joined(copy, flow);
    else places[flow.lane] = records.push(flow) - 1;
  }
  return records;
}

/** Two copies of one record that took different roads: what the later one carries wins. */
const joined = (first: FlowRecord, second: FlowRecord): FlowRecord => ({
  ...second,
  values: { ...first.values, ...second.values },
  attach: [...first.attach, ...second.attach],
  // What both noted before they parted is one and the same.
  warnings: [...first.warnings, ...second.warnings.filter((warning) => !first.warnings.includes(warning))],
  failure: first.failure ?? second.failure,
});

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
  if (!isLetGo(link, resolved) && !(isGoneHere && !source.isAlsoSink)) return false;
  return !holdsNews(source, record, link, seen);
}

function departure(
  source: SourcePlan,
  record: SourceRecord,
  { shown, link, own, isBack }: { shown: string; link: StoredLink | null; own: string | null; isBack: boolean },
  resolved: Resolved,
): Traveller {
  const recordId = link?.recordId ?? own;
  const survivor = link && resolved.merged?.get(link.recordId);
  const traveller: Traveller = {
    record,
    seen: shown,
    link,
    isBack,
    stored: resolved.records.get(survivor ?? recordId ?? "") ?? null,
    isAlias: survivor !== undefined && survivor !== null,
    formerId: link && isLetGo(link, resolved) ? (survivor ?? link.recordId) : null,
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
  for (const mapping of source.mappings) mapField(mapping, traveller, resolved);
  traveller.returned = returnedFields(source, traveller);
  return traveller;
}

function mapField(mapping: SourceMapping, traveller: Traveller, resolved: Resolved): void {
  const { values, badFields = NONE } = traveller.record;
  const bad = badFields.find(({ field }) => field === mapping.connectorField);
  if (bad) {
    if (!mapping.isProvisional) refuse(traveller, mapping.coreField, storable(bad.excerpt ?? bad.message));
    return;
  }
  if (isLeftOut(traveller, mapping.readIndex)) {
    // What others on the road make of the field they make of what the core holds.
    const { stored } = traveller;
    if (stored) traveller.mapped[mapping.coreField] = stored.values[mapping.coreField] ?? null;
    return;
  }
  const value = values[mapping.connectorField] ?? null;
  if (mapping.reference && value !== null && value !== "") {
    const externalId = String(value);
    const key = `${mapping.reference.connectorId}/${mapping.reference.entity}`;
    const recordId = resolved.references.get(key)?.get(externalId);
    if (recordId === undefined) {
      const pending = { ...mapping.reference, field: mapping.coreField, externalId };
      traveller.pending = [...traveller.pending, pending];
    }
    traveller.mapped[mapping.coreField] = recordId ?? null;
    if (resolved.renamed?.has(externalId)) traveller.renamed = [...traveller.renamed, mapping.coreField];
    return;
  }
  const converted = mapping.convert(value);
  if (!(converted instanceof Inconvertible)) traveller.mapped[mapping.coreField] = converted;
  else if (!mapping.isProvisional) refuse(traveller, mapping.coreField, value);
}

function refuse(traveller: Traveller, field: string, value: Value): void {
  traveller.refusedFields = [...traveller.refusedFields, { field, value }];
}

function flowOf(traveller: Traveller, lane: number): FlowRecord {
  return newFlowRecord({
    values: traveller.mapped,
    source: { externalId: traveller.record.id, values: traveller.record.values },
    recordId: traveller.stored?.recordId ?? null,
    before: traveller.stored?.values ?? null,
    change: traveller.stored ? "update" : "insert",
    occasion: traveller.seen,
    lane,
  });
}

/** Which core fields the source itself changed since we last saw or wrote them there. */
export function changedFields(
  source: SourcePlan,
  traveller: Traveller,
  arrived: Values,
  reapply: boolean,
): (field: string) => boolean {
  const missing = missingCoreFields(source, traveller);
  const isChanged = changedAmongShown(source, traveller, arrived, reapply);
  return missing.size === 0 ? isChanged : (field) => !missing.has(field) && isChanged(field);
}

const missingCoreFields = ({ mappings }: SourcePlan, traveller: Traveller): ReadonlySet<string> =>
  hasMissing(traveller.seen)
    ? new Set(mappings.flatMap(({ readIndex, coreField }) => (isLeftOut(traveller, readIndex) ? [coreField] : [])))
    : NO_FIELDS;

function changedAmongShown(
  source: SourcePlan,
  traveller: Traveller,
  arrived: Values,
  reapply: boolean,
): (field: string) => boolean {
  const known = traveller.link?.seen ?? null;
  const isNewRoad = known !== null && isOfOtherProgram(known, source.program);
  // A second outside record of one thing only says what is news: else the two would take turns.
  if (traveller.isAlias) {
    if (known === null) return () => false;
  } else if (traveller.link === null || known === null || (reapply && !source.isAlsoSink)) {
    // Where we write too, an unchanged value may be one that is yet to be overwritten there: it is no news.
    if (traveller.written.length === 0) return () => true;
  }
  const changed = new Set<string>();
  for (const mapping of source.mappings) {
    if (!holdsField(source, traveller, known, mapping.readIndex)) changed.add(mapping.coreField);
  }
  const { readFields, lapsed } = source.place;
  const anyRead = readFields.some((_, index) => !lapsed?.has(index) && !holdsField(source, traveller, known, index));
  return (field) => {
    const isComputed = arrived[field] !== traveller.mapped[field] || !(field in traveller.mapped);
    return isComputed ? anyRead || isNewRoad : changed.has(field);
  };
}

function holdsField(source: SourcePlan, traveller: Traveller, known: string | null, read: number): boolean {
  const returned = traveller.returned.get(read);
  if (isLeftOut(traveller, read) || returned === "asBefore") return true;
  if (returned === "unsure") return traveller.spelling?.doubtful.has(read) === true;
  const part = fieldOf(traveller.seen, read);
  if (holds(known, read, part) || traveller.spelling?.fields.has(read)) return true;
  if (isAsLeft(source, traveller, known, read)) return true;
  if (traveller.spelling?.doubtful.has(read)) return true;
  return isAsBeforeItLapsed(source, traveller, known, read) || isAttempted(source, traveller, read);
}

/**
 * Whether a field that earlier versions read, and then none for a time, shows what it held when it was known last:
 * whoever edited it meanwhile says something new, whoever left it alone does not.
 */
function isAsBeforeItLapsed(source: SourcePlan, traveller: Traveller, known: string | null, read: number): boolean {
  if (!isRead(known) || isKnown(fieldOf(known ?? "", read))) return false;
  const { link, record, seen } = traveller;
  const told = toldIndexOf(source.place, read);
  const before = told === undefined ? "" : fieldOf(link?.told ?? "", told);
  if (before === "" || !isKnown(before)) return false;
  return before === fieldOf(seen, read) || before === fieldOf(normalFingerprint(source, record, seen), read);
}

/** Whether a field is as blank, in whatever spelling, as we left it when we created the record: nobody has cleared it. */
function isAsLeft(
  { place }: SourcePlan,
  { record, link, written }: Traveller,
  known: string | null,
  read: number,
): boolean {
  if (!isBlank(record.values[place.readFields[read] ?? ""])) return false;
  if (known !== null) return !isKnown(fieldOf(known, read)) && isKnown(expectedOf(known, read));
  const told = toldIndexOf(place, read);
  return (
    link === null &&
    told !== undefined &&
    written.length > 0 &&
    written.every((attempt) => !isKnown(fieldOf(attempt, told)))
  );
}

function failed(traveller: Traveller, flow: FlowRecord): QuarantineWrite {
  return {
    direction: "source",
    externalId: traveller.record.id,
    recordId: traveller.stored?.recordId ?? null,
    nodeId: flow.failure?.nodeId ?? null,
    code: flow.failure?.code ?? "unexpected",
    message: flow.failure?.message ?? "",
    payload: traveller.record.values,
  };
}

const unstorable = (
  source: SourcePlan,
  { record, reason }: NonNullable<SeenPage["unstorable"]>[number],
): QuarantineWrite => ({
  direction: "source",
  externalId: record.id,
  recordId: null,
  nodeId: source.nodeId,
  code: "unstorable",
  message: reason,
  payload: record.deleted ? null : record.values,
});

function unreadable(source: SourcePlan, bad: BadRecord): QuarantineWrite {
  const isSaid = bad.id === undefined || bad.place === `id ${bad.id}`;
  return {
    direction: "source",
    externalId: shownId(bad.id ?? bad.place),
    recordId: null,
    nodeId: source.nodeId,
    code: "unreadable",
    message: isSaid ? bad.message : `${bad.place}: ${bad.message}`,
    payload: bad.excerpt === undefined ? null : { excerpt: bad.excerpt },
  };
}
