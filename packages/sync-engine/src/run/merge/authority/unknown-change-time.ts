/**
 * Values whose age nobody can tell: without a time of change, and read for the first time, by a reading of all there is,
 * after a look-up, or since their field is mapped. They may have stood there for years, and count as set when the
 * pipeline began to follow their source: what was entered anywhere since then is newer. During a first load this holds
 * where no authority decides too. Those of a source that joins a running pipeline fill in what is blank and replace nothing.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import { ruleOf } from "./authority.ts";
import { expectedOf, fieldOf, isKnown, isRead } from "../../state/fingerprint.ts";
import type { ClaimContext } from "./authority.ts";
import type { Merged } from "../merge.ts";
import type { Plan, SourcePlan } from "../../plan/plan.ts";
import { writeIndexOf } from "../../state/fields/read-index.ts";
import type { RecordWarning, InboundRecord } from "../../protocol/inbound-record.ts";

/** How far a source is known when a page of it is decided. */
export interface Following {
  /** When the pipeline began to follow it, UTC ISO-8601; null: not known. */
  since: string | null;
  /** Since when the pipeline ran before this source joined it, UTC ISO-8601; null: it did not join later. */
  joinedAfter: string | null;
  /** All that it held then has been read, and nothing of it is held back: a record that is new here was entered since. */
  isReadWhole: boolean;
  /** The page is one of a reading of all there is. */
  isOfAll: boolean;
  /** Some source has not been read through yet: values of unknown age may still come. */
  isFirstLoad: boolean;
}

/** What is known about when a record's values were set. */
export type Ages = Pick<ClaimContext, "old" | "enteredAt">;

const NONE_KNOWN: Ages = { old: null, enteredAt: null };

export function agesOf(source: SourcePlan, inbound: InboundRecord, following: Following, now: string): Ages {
  const { record, link, isBack } = inbound;
  const { since, isFirstLoad, joinedAfter } = following;
  if (since === null || isBack) return NONE_KNOWN;
  // Of a record that was read before, only fields that are mapped since then are of unknown age.
  const isOfJoined = joinedAfter !== null && !record.modifiedAt && !isRead(link?.seen ?? null);
  const at = record.modifiedAt ?? (isOfJoined ? joinedAfter : since);
  const has = record.modifiedAt ? isFirstReadOf(inbound, isFirstLoad) : isOfUnknownAge(source, inbound, following);
  const isChange = link !== null || (record.modifiedAt ? record.modifiedAt > since : !following.isOfAll);
  const enteredAt = link === null ? (record.modifiedAt ?? now) : now;
  return { old: has && { at, has, isOfJoined }, enteredAt: isFirstLoad && isChange ? enteredAt : null };
}

const ALL = (): boolean => true;

/** A record with a time of change that is read for the first time, while others are too. */
const isFirstReadOf = ({ link }: InboundRecord, isFirstLoad: boolean) => (link === null && isFirstLoad ? ALL : null);

function isOfUnknownAge(
  source: SourcePlan,
  { link, seen }: InboundRecord,
  { isOfAll, isFirstLoad }: Following,
): ((field: string) => boolean) | null {
  if (link === null) return isOfAll ? ALL : null;
  // It was found by a look-up.
  if (!isOfAll && !isFirstLoad && !isRead(link.seen)) return null;
  const fields = source.mappings.filter(({ readIndex }) => {
    const known = link.seen ?? "";
    if (isKnown(fieldOf(known, readIndex))) return false;
    const writeIndex = writeIndexOf(source.place, readIndex);
    const part = writeIndex === undefined ? "" : fieldOf(link.lastWritten ?? "", writeIndex);
    // What it was told, or left without, and does not show any more was edited since.
    return part !== "" && isKnown(part) ? part === fieldOf(seen, readIndex) : !isKnown(expectedOf(known, readIndex));
  });
  const names = new Set(fields.map(({ coreField }) => coreField));
  return names.size > 0 ? (field) => names.has(field) : null;
}

/** Where no authority decides, values that were not taken as others may be newer: no conflict is listed there. */
export const keptUserValues = (
  plan: Pick<Plan, "authority">,
  source: Pick<SourcePlan, "nodeId">,
  { record, link }: InboundRecord,
  { refused, values }: Pick<Merged, "refused" | "values">,
  { old }: Ages,
): RecordWarning[] =>
  Object.entries(refused ?? {}).flatMap(([field, [value, reason]]): RecordWarning[] => {
    if (reason !== "older" || ruleOf(plan.authority, field).authority !== "NONE") return [];
    const sample = fill(runTexts.sampleKept, {
      kept: JSON.stringify(values[field] ?? null),
      other: JSON.stringify(value),
      record: record.id,
    });
    const ofReading = old?.isOfJoined ? runTexts.keptOverJoined : runTexts.keptOverFirstReading;
    const message = link?.heldBack ? runTexts.keptOverHeldBack : ofReading;
    return [{ nodeId: source.nodeId, code: "edited_at_once", message, record: record.id, field, sample }];
  });
