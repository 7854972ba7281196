/** Finds the core record that a new external record belongs to, by the attach rules it met on its path. */
import type { FlowRecord } from "../../../functions/flow.ts";
import { CandidateIndex } from "./candidate-index.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import type { Resolved } from "../../protocol/storage.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";

export interface Attachment {
  record: StoredRecord;
  /** The rule that held. */
  nodeId: string;
  /** More records match; the oldest was taken. */
  isAmbiguous: boolean;
}

export class RecordMatcher {
  readonly #source: SourcePlan;
  /** Records whose external records here are deleted by the page itself. */
  readonly #left: CandidateIndex;
  readonly #candidates: CandidateIndex;
  /** Records that we tried to create at this place without learning how it ended. */
  readonly #created: CandidateIndex;

  constructor(
    source: SourcePlan,
    candidates: readonly StoredRecord[],
    resolved: Resolved,
    left: readonly StoredRecord[] = [],
  ) {
    this.#source = source;
    this.#left = new CandidateIndex(left);
    this.#candidates = new CandidateIndex(candidates.filter(({ deleted }) => !deleted));
    this.#created = new CandidateIndex(
      [...resolved.unanswered]
        .filter(([, { intent, isTied }]) => intent === "create" && !isTied)
        .flatMap(([recordId]) => resolved.records.get(recordId) ?? []),
    );
  }

  /** The only record whose external record here the page itself deletes that satisfies a rule; null where several do. */
  findLeft(flow: FlowRecord): StoredRecord | null {
    for (const intent of flow.attach) {
      const rule = this.#source.attach.find((candidate) => candidate.nodeId === intent.nodeId);
      const [record, ...others] = rule ? this.#left.find(rule, intent) : [];
      if (record) return others.length === 0 ? record : null;
    }
    return null;
  }

  /**
   * Oldest candidate that satisfies one of the attach rules the record met, in the order it met them. A record that we
   * tried to create at this place comes first, even if it is deleted by now: this may be that creation. Then comes `left`,
   * whose row here was deleted just now. Records in `taken` stand for another record of this source already.
   */
  find(flow: FlowRecord, taken: ReadonlySet<string>, left: StoredRecord | null = null): Attachment | null {
    for (const intent of flow.attach) {
      const { nodeId } = intent;
      const rule = this.#source.attach.find((candidate) => candidate.nodeId === nodeId);
      if (!rule) continue;
      const isFree = ({ recordId }: StoredRecord): boolean => !taken.has(recordId);
      const own = this.#created.find(rule, intent).find(isFree);
      if (own) return { record: own, nodeId, isAmbiguous: false };
      if (left && isFree(left)) return { record: left, nodeId, isAmbiguous: false };
      const [record, ...others] = this.#candidates.find(rule, intent).filter(isFree);
      if (record) return { record, nodeId, isAmbiguous: others.length > 0 };
    }
    return null;
  }
}

export const severalMatches = (nodeId: string, record: string): RecordWarning => ({
  nodeId,
  code: "several_matches",
  message: "Several records match; the oldest was taken.",
  record,
});
