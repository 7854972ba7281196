/** A page as it was read: the latest version of each record, with the fingerprint that it is compared by. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { BadRecord, ReadPage, SourceRecord } from "@accord/connector-sdk";
import { comparableValues } from "@accord/connector-sdk/fingerprint";
import { afterLoss, seenFingerprint } from "../../state/fingerprint.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";
import type { ResolveRequest } from "../../protocol/storage.ts";
import { sanitizeRecords } from "../../state/sanitize-records.ts";

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
  /** The source shows how records stand now: an earlier state can't come late, whatever their time stamps say. */
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
    message: fill(runTexts.charactersReplaced, { field }),
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

/** By their times of change; false where one has none. */
export const isOlder = (left: string | null | undefined, right: string | null | undefined): boolean =>
  Boolean(left && right && left < right);

/** What has to be looked up of a page before it can be processed. */
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
