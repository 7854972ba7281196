/** Merges as part of a page: its records are compared as they will stand, and what is merged commits with them. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { matching as words } from "@accord/contracts/messages/en/matching";
import { fill } from "@accord/contracts/messages/fill";
import type { RunEnv } from "../../../functions/run-env.ts";
import type { FlowRecord } from "../../../functions/flow.ts";
import { findDuplicates } from "./deduplicate.ts";
import type { CutLookups } from "./lookups.ts";
import { MAX_MATCHES_OF_KEY } from "../../protocol/match-requests.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";
import type { MergeCode } from "./merge-code.ts";
import type { MergePlan } from "./merge-plan.ts";
import type { Plan } from "../../plan/plan.ts";
import type { FoundDuplicates, MergeBatch } from "../../protocol/merge-writes.ts";
import type { CommitBatch } from "../../protocol/storage.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import type { IsWrittenFor } from "../../source/written-twins.ts";

/** A record of the page, and how it arrived. */
export interface ArrivedRecord {
  recordId: string;
  flow: FlowRecord;
  isWrittenFor?: IsWrittenFor | null;
}

export interface MergedPage {
  /** What the batch's records turn out to be the same as; null when there is nothing to merge or report. */
  mergeBatch: MergeBatch | null;
  warnings: RecordWarning[];
}

/** `cut`: look-ups that found the oldest records only. */
export function mergeDuplicatesInPage(
  plan: Plan,
  rules: MergePlan,
  batch: CommitBatch,
  completed: readonly ArrivedRecord[],
  {
    found,
    cut,
    env,
  }: { found: FoundDuplicates; cut?: CutLookups | undefined; env: RunEnv & { newId: () => string; code?: MergeCode } },
): MergedPage {
  if (completed.length === 0) return { mergeBatch: null, warnings: [] };
  const after = recordsAfter(batch, found);
  const incoming = completed.flatMap(({ recordId, flow, isWrittenFor = null }) => {
    const record = after.get(recordId);
    return record && !record.deleted ? [{ record, flow, isWrittenFor }] : [];
  });
  const tied = new Set(batch.links.flatMap(({ isNew, recordId }) => (isNew ? [recordId] : [])));
  const page = { incoming, after, tied, placeId: batch.placeId, cut };
  const { merges, reports, notCompared, unanswered } = findDuplicates(plan, rules, page, found, env);
  // It is all done again with the answers.
  if (env.code && env.code.questions.length > 0) return { mergeBatch: null, warnings: [] };
  const partly = [...notCompared.map((recordId) => duplicatesNotCompared(rules, recordId)), ...unanswered];
  if (merges.length + reports.length === 0) return { mergeBatch: null, warnings: partly };
  const mergeBatch = { merges, reports, ...sinksAffectedByMerges(plan) };
  return { mergeBatch, warnings: [...warningsOfMerging(rules, mergeBatch), ...partly] };
}

const duplicatesNotCompared = ({ match: { nodeId } }: MergePlan, record: string): RecordWarning => ({
  nodeId,
  code: "duplicates_not_compared",
  message: fill(words.duplicatesNotCompared, { limit: MAX_MATCHES_OF_KEY.toLocaleString("en") }),
  record,
});

/** Destinations that learn of merges, and those of them where records that lost are deleted. */
export const sinksAffectedByMerges = ({
  sinks,
}: Pick<Plan, "sinks">): Pick<MergeBatch, "notifySinkIds" | "deleteAt"> => ({
  notifySinkIds: sinks.map(({ place }) => place.id),
  deleteAt: sinks.filter((sink) => sink.delete).map(({ place }) => place.id),
});

/** What people should learn of: duplicates that were too many to be merged. */
export const warningsOfMerging = (rules: MergePlan, { reports }: MergeBatch): RecordWarning[] =>
  reports
    .filter(({ why }) => why === "tooMany")
    .map(({ winnerId: record }) => ({
      nodeId: rules.match.nodeId,
      code: "too_many_duplicates",
      message: runTexts.tooManyDuplicates,
      record,
    }));

/** The page's records as they will stand. */
function recordsAfter(batch: CommitBatch, found: FoundDuplicates): Map<string, StoredRecord> {
  const after = new Map<string, StoredRecord>();
  for (const { recordId, values, origin } of batch.creates) {
    after.set(recordId, { recordId, version: 1, deleted: false, values, origin });
  }
  for (const { recordId, expectedVersion, values, origin, deleted } of batch.updates) {
    after.set(recordId, { recordId, version: expectedVersion + 1, deleted, values, origin });
  }
  for (const record of found.records) if (!after.has(record.recordId)) after.set(record.recordId, record);
  return after;
}
