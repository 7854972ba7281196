/** Finds the core record that a new external record belongs to, by the attach rules it met on its path. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { matching as words } from "@accord/contracts/messages/en/matching";
import { fill } from "@accord/contracts/messages/fill";
import type { AttachIntent, FlowFailure, FlowRecord } from "../../../functions/flow.ts";
import { CandidateIndex } from "./candidate-index.ts";
import { CutLookups } from "./lookups.ts";
import type { SourcePlan } from "../../plan/plan.ts";
import type { Resolved } from "../../protocol/storage.ts";
import { MAX_MATCHES_OF_KEY } from "../../protocol/match-requests.ts";
import type { StoredRecord } from "../../protocol/stored.ts";
import type { InboundRecord, RecordWarning } from "../../protocol/inbound-record.ts";
import { countAttempted } from "../../state/unconfirmed/unconfirmed-writes.ts";

export interface Attachment {
  record: StoredRecord;
  /** The rule that held. */
  nodeId: string;
  /** More records match; the oldest was taken. */
  isAmbiguous: boolean;
  /** Too many records share its value to be compared: whether more of them match is not known. */
  isCut?: true;
}

/** Whether a record matches, or which is the oldest, can't be judged: too many share the value that the rule compares. */
export interface Undecided {
  undecided: AttachIntent;
}

export class RecordMatcher {
  readonly #source: SourcePlan;
  /** Records whose external records here are deleted by the page itself. */
  readonly #left: CandidateIndex;
  readonly #candidates: CandidateIndex;
  /** Records that we tried to create at this place without learning how it ended. */
  readonly #created: CandidateIndex;
  readonly #unanswered: Resolved["unanswered"];
  readonly #cut: CutLookups;

  constructor(
    source: SourcePlan,
    candidates: readonly StoredRecord[],
    resolved: Resolved,
    { left = [], cut = NOTHING_CUT }: { left?: readonly StoredRecord[]; cut?: CutLookups | undefined } = {},
  ) {
    this.#cut = cut;
    this.#source = source;
    this.#left = new CandidateIndex(left);
    this.#candidates = new CandidateIndex(candidates.filter(({ deleted }) => !deleted));
    this.#unanswered = resolved.unanswered;
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
  find(
    { inbound, flow }: { inbound: InboundRecord; flow: FlowRecord },
    taken: ReadonlySet<string>,
    left: StoredRecord | null = null,
  ): Attachment | Undecided | null {
    for (const intent of flow.attach) {
      const { nodeId } = intent;
      const rule = this.#source.attach.find((candidate) => candidate.nodeId === nodeId);
      if (!rule) continue;
      const isFree = ({ recordId }: StoredRecord): boolean => !taken.has(recordId);
      const own = this.#createdAs(inbound, this.#created.find(rule, intent).filter(isFree));
      if (own) return { record: own, nodeId, isAmbiguous: false };
      if (left && isFree(left)) return { record: left, nodeId, isAmbiguous: false };
      const [record, ...others] = this.#candidates.find(rule, intent).filter(isFree);
      const end = this.#cut.endOf(rule, intent.keys);
      // Beyond the end are only younger ones: up to there the oldest is known.
      if (end && !(record && end.lastId !== null && record.recordId <= end.lastId)) return { undecided: intent };
      if (!record) continue;
      const isAmbiguous = others.length > 0;
      return { record, nodeId, isAmbiguous, ...(end && !isAmbiguous ? { isCut: true } : {}) };
    }
    return null;
  }

  /**
   * Of records that we tried to create here, the one whose values the new external record shows most of, whatever was
   * edited in it since; the oldest of several.
   */
  #createdAs(inbound: InboundRecord, created: readonly StoredRecord[]): StoredRecord | undefined {
    if (created.length < 2) return created[0];
    const counts = created.map(({ recordId }) =>
      countAttempted(this.#source, inbound, this.#unanswered.get(recordId)?.written ?? []),
    );
    return created[counts.indexOf(Math.max(...counts))];
  }
}

const NOTHING_CUT = new CutLookups([], []);

export const severalMatches = (nodeId: string, record: string): RecordWarning => ({
  nodeId,
  code: "several_matches",
  message: runTexts.severalMatches,
  record,
});

const LIMIT = MAX_MATCHES_OF_KEY.toLocaleString("en");

export const matchesNotCompared = (nodeId: string, record: string): RecordWarning => ({
  nodeId,
  code: "matches_not_compared",
  message: fill(words.matchesNotCompared, { limit: LIMIT }),
  record,
});

export const tooManyCandidates = ({ nodeId }: AttachIntent): FlowFailure => ({
  nodeId,
  code: "too_many_candidates",
  message: fill(words.tooManyCandidates, { limit: LIMIT }),
});
