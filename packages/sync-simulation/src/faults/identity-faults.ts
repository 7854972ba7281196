/** Faults injected into who a record is, whose value wins, and what names what. */
import type { AuthorityPlan, CommitBatch, Effect, FieldRule, MergePlan, Plan } from "@accord/sync-engine/run";
import type { NamedFaults } from "./injected-fault.ts";

const withMerge =
  (change: (merge: MergePlan) => MergePlan) =>
  (plan: Plan): Plan => ({ ...plan, merge: plan.merge && change(plan.merge) });

const withRule =
  (change: (rule: FieldRule) => FieldRule) =>
  (plan: Plan): Plan => {
    const authority: AuthorityPlan = { ...plan.authority, general: change(plan.authority.general) };
    return { ...plan, authority };
  };

const withBatch =
  (change: (batch: CommitBatch) => CommitBatch) =>
  (effect: Effect): Effect =>
    effect.kind === "commit" ? { ...effect, batch: change(effect.batch) } : effect;

const AUTHORITY_FAULTS: NamedFaults = {
  noAuthority: {
    says: "Whoever speaks last wins, whatever the pipeline says about authority.",
    plan: withRule((rule) => ({ ...rule, authority: "NONE" })),
  },
  ranksReversed: {
    says: "The least trusted source is taken for the most trusted one.",
    plan: withRule((rule) => {
      const most = Math.max(0, ...rule.ranks.values());
      return { ...rule, ranks: new Map([...rule.ranks].map(([by, rank]) => [by, most - rank])) };
    }),
  },
  rankForgotten: {
    says: "Records don't keep who set a field: rank counts within one page only.",
    plan: withRule((rule) => ({ ...rule, keepsOrigin: false })),
  },
  blanksWin: {
    says: "A blank replaces a value though blanks are to be refused.",
    plan: withRule((rule) => ({ ...rule, rejectEmptyValues: false, rejectEmptyStrings: false })),
  },
  silentRefusals: {
    says: "What authority keeps out is not written into the ledger.",
    effect: withBatch((batch) => ({ ...batch, ledger: batch.ledger.map((entry) => ({ ...entry, refused: null })) })),
  },
  endlessConflicts: { says: "A conflict stays when its source comes round.", store: { keepsConflicts: true } },
};

const MERGE_FAULTS: NamedFaults = {
  reportsMerge: {
    says: "Duplicates are merged though they are to be reported only.",
    plan: withMerge((merge) => ({ ...merge, reportOnly: false })),
  },
  mergesAnyNumber: {
    says: "Any number of duplicates is merged.",
    shows: ({ duplicates }) => duplicates !== null,
    plan: withMerge((merge) => ({ ...merge, maxDuplicates: 100 })),
  },
  mergesAgain: {
    says: "A pair that a person parted is merged again.",
    shows: ({ duplicates }) => duplicates !== null,
    store: { forgetsUndone: true },
  },
  losersLiveOn: { says: "A record that was merged away is not deleted.", store: { keepsLosers: true } },
  linksLeftBehind: { says: "Outside records stay with records that were merged away.", store: { leavesLinks: true } },
  referencesLeftBehind: { says: "Records go on naming one that was merged away.", store: { leavesReferences: true } },
  untoldMerges: { says: "No destination hears of a merge.", store: { ignoresMerges: true } },
  losersLeftOutside: {
    says: "Outside records of those that lost are not deleted where they may be.",
    effect: withBatch((batch) =>
      batch.mergeBatch ? { ...batch, mergeBatch: { ...batch.mergeBatch, deleteAt: [] } } : batch,
    ),
  },
  winnersForgotten: {
    says: "Nobody knows who stands for a record that was merged away.",
    store: { followsNobody: true },
  },
  youngestAttaches: {
    says: "Of several records that match, the youngest is taken.",
    shows: ({ duplicates }) => duplicates !== null,
    input: (input) => (input.kind === "matched" ? { ...input, candidates: [...input.candidates].reverse() } : input),
  },
  adoptsTwice: {
    says: "A creation whose answer is awaited may still be found when its record has its outside record.",
    shows: ({ duplicates }) => duplicates !== null,
    store: { adoptsTwice: true },
  },
  undoKeepsEpoch: {
    says: "A run goes on under its epoch after a merge it has seen was undone.",
    shows: ({ duplicates }) => duplicates !== null,
    store: { undoKeepsEpoch: true },
  },
  undoFreesLease: {
    says: "An undone merge frees the lease under which somebody may still be sending.",
    shows: ({ duplicates }) => duplicates !== null,
    from: 5_200,
    store: { undoFreesLease: true },
  },
  undoForgetsLinks: {
    says: "An undone merge leaves outside records with the winner.",
    shows: ({ duplicates }) => duplicates !== null,
    store: { undoForgetsLinks: true },
  },
  doubtsLeftBehind: {
    says: "What became of a write to an outside record is forgotten when a merge, or its undoing, gives that to another record.",
    shows: ({ duplicates }) => duplicates !== null,
    from: 2_001_500,
    store: { leavesDoubts: true },
  },
  removalForgotten: {
    says: "What we removed somewhere ourselves is taken for somebody else's removal.",
    from: 3_400,
    shows: ({ duplicates }) => duplicates !== null,
    effect: (effect) =>
      effect.kind === "settle"
        ? {
            ...effect,
            settlements: effect.settlements.map((deliveryResult) =>
              deliveryResult.link?.dead
                ? { ...deliveryResult, link: { ...deliveryResult.link, lastWritten: null } }
                : deliveryResult,
            ),
          }
        : effect,
  },
};

const REFERENCE_FAULTS: NamedFaults = {
  referencesDropped: { says: "References whose targets are missing are not kept.", store: { forgetsPending: true } },
  referencesForGood: {
    says: "References whose targets have appeared stay on the list of open ones.",
    store: { keepsPending: true },
  },
  referencesUnlooked: {
    says: "Nobody looks whether the targets of open references have appeared.",
    worker: { skipsReferences: true },
  },
  waitingForgotten: {
    says: "Destinations told without a reference do not hear of it once its target is there.",
    shows: ({ hasReferences }) => hasReferences,
    store: { forgetsWaiting: true },
  },
  writtenOverPending: {
    says: "A place is told over a reference that it has named and nobody can follow yet.",
    shows: ({ hasReferences }) => hasReferences,
    store: { writesOverPending: true },
  },
};

export const IDENTITY_FAULTS: NamedFaults = { ...AUTHORITY_FAULTS, ...MERGE_FAULTS, ...REFERENCE_FAULTS };
