/** Faults injected into telling destinations. */
import type { WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { DeliveryResult, Effect, Input } from "@accord/sync-engine/run";
import type { NamedFaults } from "./injected-fault.ts";

/** Every write under a key of its own: what a naive destination would be sent. */
function withKeys(effect: Effect, keyOf: (operation: WriteOperation) => string): Effect {
  if (effect.kind !== "send") return effect;
  const operations = effect.operations.map((operation) => ({ ...operation, idempotencyKey: keyOf(operation) }));
  return { ...effect, operations };
}

const subjectOf = ({ idempotencyKey }: WriteOperation): string => idempotencyKey.split("-").slice(0, 2).join("-");

const withSettlements =
  (change: (deliveryResult: DeliveryResult) => DeliveryResult) =>
  (effect: Effect): Effect =>
    effect.kind === "settle" ? { ...effect, settlements: effect.settlements.map(change) } : effect;

/** As if it had been done. */
const doneAs = (operation: WriteOperation | undefined, index: number): WriteOutcome => ({
  status: "done",
  id: operation === undefined || operation.kind === "create" ? `nobody-${index}` : operation.id,
});

const withClaims =
  (change: (claimed: Extract<Input, { kind: "claimed" }>["claimed"]["deliveries"][number]) => typeof claimed) =>
  (input: Input): Input =>
    input.kind === "claimed"
      ? { ...input, claimed: { ...input.claimed, deliveries: input.claimed.deliveries.map(change) } }
      : input;

export const DELIVERY_FAULTS: NamedFaults = {
  noIntent: { says: "What is about to be sent is not written down first.", store: { forgetsIntent: true } },
  forgottenDoubts: {
    says: "The next worker does not know what was sent without an answer.",
    store: { forgetsDoubts: true },
  },
  settlesAnyVersion: { says: "An old acknowledgement settles a newer delivery.", store: { settlesAnyWanted: true } },
  claimsWhatIsHeld: {
    says: "A delivery is tried again before the destination can show what the last attempt did.",
    store: { claimsWhatIsHeld: true },
    input: withClaims((delivery) => ({ ...delivery, dueForMs: 60_000 })),
  },
  forgetsHold: {
    says: "What a worker sent just before it lost its lease is tried again before the destination can show it.",
    from: 940_003_813,
    store: { forgetsHold: true },
    effect: (effect) =>
      effect.kind === "intend"
        ? { ...effect, intents: effect.intents.map((intent) => ({ ...intent, holdMs: 0 })) }
        : effect,
  },
  believesTheHidden: {
    says: "A record that its system does not show yet is taken as deleted there.",
    input: withClaims((delivery) => ({ ...delivery, writtenForMs: null })),
  },
  expectsNothing: {
    says: "A destination is written whatever it holds by now, read or not.",
    effect: (effect) =>
      effect.kind === "send"
        ? { ...effect, operations: effect.operations.map((operation) => ({ ...operation, expected: undefined })) }
        : effect,
  },
  impatient: {
    says: "A creation without an answer is repeated before the destination can show it, without key or look-up.",
    plan: (plan) => ({ ...plan, sinks: plan.sinks.map((sink) => ({ ...sink, matchOn: null, readDelayMs: 0 })) }),
    effect: (effect, rng) => withKeys(effect, (operation) => `${subjectOf(operation)}-${rng.next()}`),
  },
  keyPerRecord: {
    says: "All updates of a record have the same idempotency key.",
    effect: (effect) => withKeys(effect, (operation) => `${subjectOf(operation)}-${operation.kind}`),
  },
  unknownIsRefused: {
    says: "A write without an answer counts as surely not done.",
    input: (input) =>
      input.kind === "sendFailed" ? { ...input, failure: { ...input.failure, isSafeToRetry: true } } : input,
  },
  unknownIsDone: {
    says: "A write without an answer counts as done.",
    outcomes: (outcomes, operations) =>
      outcomes.map((outcome, index) => (outcome.status === "unknown" ? doneAs(operations[index], index) : outcome)),
  },
  batchIsDone: {
    says: "A batch of which a part succeeded counts as done as a whole.",
    outcomes: (outcomes, operations) =>
      outcomes.some(({ status }) => status === "done")
        ? outcomes.map((outcome, index) => (outcome.status === "retry" ? doneAs(operations[index], index) : outcome))
        : outcomes,
  },
  batchIsRepeated: {
    says: "A batch of which one record failed is sent again as a whole.",
    outcomes: (outcomes) =>
      outcomes.some(({ status }) => status === "retry")
        ? outcomes.map((): WriteOutcome => ({ status: "retry", message: "planted" }))
        : outcomes,
  },
  refusalIsDone: {
    says: "A record that a destination refuses counts as told.",
    outcomes: (outcomes, operations) =>
      outcomes.map((outcome, index) =>
        outcome.status === "rejected" && operations[index]?.kind === "update"
          ? doneAs(operations[index], index)
          : outcome,
      ),
  },
  refusalForGood: {
    says: "What was put aside is not tried again when a person asks for it.",
    store: { ignoresReplay: true },
  },
  heldForGood: {
    says: "What was put aside for another record's outside record waits for a person though that record is gone.",
    shows: ({ duplicates, hasReferences, noDeleteSystems }) =>
      !duplicates && !hasReferences && noDeleteSystems.length === 0,
    store: { leavesHeld: true },
  },
  parkedForGood: { says: "A record put aside is not told of later changes either.", store: { parksForGood: true } },
  restless: {
    says: "A record that can't be told is tried again at once and for ever.",
    effect: withSettlements((deliveryResult) =>
      deliveryResult.result === "parked"
        ? { ...deliveryResult, result: "again", attempts: 0, nextAt: 0, quarantine: null }
        : deliveryResult,
    ),
  },
  ownWritesUnknown: {
    says: "What we wrote is not remembered: it comes back as somebody's edit.",
    effect: withSettlements((deliveryResult) =>
      deliveryResult.link
        ? { ...deliveryResult, link: { ...deliveryResult.link, seen: null, lastWritten: null } }
        : deliveryResult,
    ),
  },
};
