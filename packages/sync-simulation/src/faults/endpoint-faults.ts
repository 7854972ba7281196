/** Faults injected into what may be done where: creations, deletions and their coming back, pauses and cancellations. */
import type { Plan, SinkPlan } from "@accord/sync-engine/run";
import type { NamedFaults } from "./injected-fault.ts";

const withSinks =
  (change: (sink: SinkPlan) => SinkPlan) =>
  (plan: Plan): Plan => ({ ...plan, sinks: plan.sinks.map(change) });

export const PLACE_FAULTS: NamedFaults = {
  deletesAnyway: {
    says: "Deletions go where they were switched off.",
    plan: withSinks((sink) => ({ ...sink, delete: true })),
  },
  recreatesAnyway: {
    says: "What people deleted in a destination comes back though nobody asked for it.",
    plan: withSinks((sink) => ({ ...sink, recreate: true })),
  },
  neverRecreates: {
    says: "What people deleted in a destination stays away though it is to come back.",
    shows: ({ noDeleteSystems }) => noDeleteSystems.length > 0,
    from: 2118,
    plan: withSinks((sink) => ({ ...sink, recreate: false })),
  },
  lookUpFindsNothing: {
    says: "Asked whether a record is there already, a destination always says no.",
    input: (input) => (input.kind === "lookedUp" ? { ...input, records: [] } : input),
  },
  unsureCreationsLeft: {
    says: "What may have been created without an answer is not looked for when it is to be deleted.",
    shows: ({ hasWriteOnly }) => hasWriteOnly,
    from: 1633,
    input: (input) =>
      input.kind === "claimed"
        ? {
            ...input,
            claimed: {
              ...input.claimed,
              deliveries: input.claimed.deliveries.map((delivery) =>
                delivery.record?.deleted ? { ...delivery, unanswered: null } : delivery,
              ),
            },
          }
        : input,
  },
  cancelUnheard: {
    says: "A resync goes on after somebody has cancelled it.",
    input: (input) =>
      input.kind === "committed" && input.answer.status === "done" && input.answer.signal === "cancelResync"
        ? { ...input, answer: { status: "done", signal: "none" } }
        : input,
  },
};
