/** Faults injected on purpose. A simulation that does not catch each of them proves nothing. */
import type { CommitBatch, Effect, Input, Plan, SourcePlan } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import { ARRIVAL_FAULTS } from "./input-faults.ts";
import { DELIVERY_FAULTS } from "./delivery-faults.ts";
import { ACTION_FAULTS } from "./action-faults.ts";
import { IDENTITY_FAULTS } from "./identity-faults.ts";
import { NEIGHBOUR_FAULTS } from "./shared-resource-faults.ts";
import { NETWORK_FAULTS } from "./network-faults.ts";
import { PLACE_FAULTS } from "./endpoint-faults.ts";
import { READING_FAULTS } from "./read-faults.ts";
import { VALUE_FAULTS } from "./value-faults.ts";
import type { NamedFaults } from "./injected-fault.ts";

const withSources =
  (change: (source: SourcePlan) => SourcePlan) =>
  (plan: Plan): Plan => ({
    ...plan,
    sources: plan.sources.map(change),
  });

const withBatch =
  (change: (batch: CommitBatch, rng: Rng) => CommitBatch) =>
  (effect: Effect, rng: Rng): Effect =>
    effect.kind === "commit" ? { ...effect, batch: change(effect.batch, rng) } : effect;

const SOURCE_FAULTS: NamedFaults = {
  stagedShows: {
    says: "A page that is written ahead of its turn is there before its turn, whatever becomes of the page before.",
    store: { showsStaged: true },
  },
  stagedUnderAnyEpoch: {
    says: "A page that was written ahead of its turn is committed though the lease is gone.",
    store: { stagedUnderAnyEpoch: true },
  },
  stagedUnchecked: {
    says: "A page that was written ahead of its turn overwrites what changed since.",
    from: 1_500,
    store: { stagedUnchecked: true },
  },
  noVersionGuard: {
    says: "A page may overwrite what changed since it was looked at.",
    store: { ignoresVersion: true },
  },
  cursorFirst: {
    says: "The position is saved before the page, and without the epoch.",
    store: { cursorBeforeCommit: true },
  },
  cursorTooFar: {
    says: "The position saved is one change further than what was read.",
    effect: withBatch((batch) =>
      batch.position?.of === "changes" && typeof batch.position.cursor === "number"
        ? { ...batch, position: { ...batch.position, cursor: batch.position.cursor + 1 } }
        : batch,
    ),
  },
  cursorBack: {
    says: "Now and then the position before is saved again.",
    effect: withBatch((batch, rng) =>
      batch.position?.of === "changes" && typeof batch.position.cursor === "number" && rng.bool(0.2)
        ? { ...batch, position: { ...batch.position, cursor: Math.max(0, batch.position.cursor - 2) } }
        : batch,
    ),
  },
  resyncMovesCursor: {
    says: "A resync moves the incremental position.",
    effect: withBatch((batch) =>
      batch.position?.of === "resync"
        ? { ...batch, position: { nodeId: batch.position.nodeId, of: "changes", cursor: 40 } }
        : batch,
    ),
  },
  forgottenPage: {
    says: "Now and then a page's records are skipped but its position is saved.",
    input: (input, rng) =>
      input.kind === "pageRead" && rng.bool(0.05) ? { ...input, page: { ...input.page, records: [] } } : input,
  },
  forgottenLast: {
    says: "The last record of each page is skipped.",
    input: (input) =>
      input.kind === "pageRead"
        ? { ...input, page: { ...input.page, records: input.page.records.slice(0, -1) } }
        : input,
  },
  staleLinks: { says: "Links do not learn what was seen there.", store: { keepsOldSeen: true } },
  linksApart: {
    says: "Links are not part of the page's transaction: now and then they are missing.",
    effect: withBatch((batch, rng) => (rng.bool(0.1) ? { ...batch, links: [] } : batch)),
  },
  ledgerApart: {
    says: "The ledger is not part of the page's transaction: now and then its rows are missing.",
    effect: withBatch((batch, rng) => (rng.bool(0.1) ? { ...batch, ledger: [] } : batch)),
  },
  ledgerTwice: {
    says: "Each change is written into the ledger twice.",
    effect: withBatch((batch) => ({ ...batch, ledger: [...batch.ledger, ...batch.ledger] })),
  },
  lostDeliveries: {
    says: "Deliveries are not part of the page's transaction.",
    effect: withBatch((batch) => ({ ...batch, deliveries: [] })),
  },
  untoldDeletions: {
    says: "Nobody is told that a record was deleted.",
    effect: withBatch((batch) => {
      const deleted = new Set(batch.updates.filter((update) => update.deleted).map(({ recordId }) => recordId));
      return { ...batch, deliveries: batch.deliveries.filter(({ recordId }) => !deleted.has(recordId)) };
    }),
  },
  noAttach: { says: "Attach rules match nothing.", plan: withSources((source) => ({ ...source, attach: [] })) },
  linksAnybody: {
    says: "An outside record may stand for two records at once.",
    store: { linksAnybody: true },
    plan: withSources((source) => ({ ...source, attach: [] })),
  },
  noDeletes: {
    says: "Deletions at a source are ignored.",
    plan: withSources((source) => ({ ...source, acceptDeletes: false })),
  },
  oldNewsWins: {
    says: "What a source tells late counts as new.",
    input: (input) => (input.kind === "pageRead" ? withoutTimes(input) : input),
  },
  noAbsorption: {
    says: "What is read is never recognised as known: every page counts as changed.",
    input: (input) =>
      input.kind === "resolved"
        ? {
            ...input,
            resolved: {
              ...input.resolved,
              links: new Map([...input.resolved.links].map(([id, link]) => [id, { ...link, seen: null }])),
              unanswered: new Map(),
            },
          }
        : input,
  },
};

function withoutTimes(input: Extract<Input, { kind: "pageRead" }>): Input {
  const records = input.page.records.map(({ id, values, deleted }) => ({ id, values, deleted: deleted ?? false }));
  return { ...input, page: { ...input.page, records } };
}

const WORKER_FAULTS: NamedFaults = {
  noEpoch: { says: "Storage lets a worker write after its lease was taken.", store: { ignoresEpoch: true } },
  intendsUnderAnyEpoch: {
    says: "A worker whose lease was taken may still announce what it sends.",
    store: { intendsUnderAnyEpoch: true },
  },
  settlesUnderAnyEpoch: {
    says: "A worker whose lease was taken may still settle what it sent.",
    store: { settlesUnderAnyEpoch: true },
  },
  oneEpochForAll: { says: "A new owner of the lease gets the epoch of the one before.", store: { keepsEpoch: true } },
  sleeperSends: {
    says: "A worker that overslept its lease still sends.",
    worker: { ignoresDeadline: true },
  },
  ownClock: {
    says: "Workers go by their own clocks, which jump, instead of the storage's.",
    worker: { trustsOwnClock: true },
  },
  pauseUnheard: {
    says: "A run under way does not hear that the pipeline was paused or published anew.",
    input: (input) =>
      input.kind === "committed" && input.answer.status === "done"
        ? { ...input, answer: { status: "done", signal: "none" } }
        : input,
  },
  newVersionUnheard: {
    says: "A run goes on with the version it is pinned to after a newer one was published.",
    store: { hidesNewVersion: true },
  },
};

export const FAULTS: NamedFaults = {
  ...SOURCE_FAULTS,
  ...WORKER_FAULTS,
  ...DELIVERY_FAULTS,
  ...IDENTITY_FAULTS,
  ...PLACE_FAULTS,
  ...ACTION_FAULTS,
  ...ARRIVAL_FAULTS,
  ...READING_FAULTS,
  ...NEIGHBOUR_FAULTS,
  ...NETWORK_FAULTS,
  ...VALUE_FAULTS,
};
