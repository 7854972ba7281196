/** Faults planted on purpose. A simulation that does not catch each of them proves nothing. */
import type { Effect } from "../run/protocol.ts";
import type { Plan, SourcePlan } from "../run/plan.ts";
import type { Plant } from "./world.ts";

const withSources =
  (change: (source: SourcePlan) => SourcePlan) =>
  (plan: Plan): Plan => ({
    ...plan,
    sources: plan.sources.map(change),
  });

/** Every write under a key of its own, and no look before creating: what a naive destination would be sent. */
function withoutKeys(effect: Effect, next: () => number): Effect {
  if (effect.kind !== "send") return effect;
  const operations = effect.operations.map((operation) => ({ ...operation, idempotencyKey: `${next()}` }));
  return { ...effect, operations };
}

export const PLANTS: Readonly<Record<string, Plant & { says: string }>> = {
  noEpoch: { says: "Storage lets a worker write after its lease was taken.", store: { ignoresEpoch: true } },
  noVersionGuard: {
    says: "A page may overwrite what changed since it was looked at.",
    store: { ignoresVersion: true },
  },
  cursorFirst: {
    says: "The position is saved before the page, and without the epoch.",
    store: { cursorBeforeCommit: true },
  },
  noIntent: { says: "What is about to be sent is not written down first.", store: { forgetsIntent: true } },
  settlesAnyVersion: { says: "An old acknowledgement settles a newer delivery.", store: { settlesAnyWanted: true } },
  staleLinks: { says: "Links do not learn what was seen there.", store: { keepsOldSeen: true } },
  impatient: {
    says: "A creation without an answer is repeated before the destination can show it, without key or look-up.",
    plan: (plan) => ({ ...plan, sinks: plan.sinks.map((sink) => ({ ...sink, matchOn: null, readDelayMs: 0 })) }),
    effect: (effect, chance) => withoutKeys(effect, () => chance.next()),
  },
  noAttach: { says: "Attach rules match nothing.", plan: withSources((source) => ({ ...source, attach: [] })) },
  noDeletes: {
    says: "Deletions at a source are ignored.",
    plan: withSources((source) => ({ ...source, acceptDeletes: false })),
  },
  lostDeliveries: {
    says: "Deliveries are not part of the page's transaction.",
    effect: (effect) => (effect.kind === "commit" ? { ...effect, batch: { ...effect.batch, deliveries: [] } } : effect),
  },
  forgottenPage: {
    says: "Now and then a page's records are skipped but its position is saved.",
    input: (input, chance) =>
      input.kind === "pageRead" && chance.happens(0.05) ? { ...input, page: { ...input.page, records: [] } } : input,
  },
  unknownIsDone: {
    says: "A write without an answer counts as refused for good.",
    input: (input) =>
      input.kind === "sendFailed" ? { ...input, failure: { ...input.failure, nothingDone: true } } : input,
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
