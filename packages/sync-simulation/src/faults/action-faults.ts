/** Faults injected into waiting for answers and into acting. */
import type { Effect, Input } from "@accord/sync-engine/run";
import type { NamedFaults } from "./injected-fault.ts";
import type { Scenario } from "../scenario/scenario.ts";

const shows = ({ actionOptions }: Scenario): boolean => actionOptions !== null;

const withAnswers =
  (change: (answer: Extract<Input, { kind: "answered" }>["answers"][number]) => typeof answer) =>
  (input: Input): Input =>
    input.kind === "answered" ? { ...input, answers: input.answers.map(change) } : input;

const withBatch =
  (change: (batch: Extract<Effect, { kind: "commit" }>["batch"]) => typeof batch) =>
  (effect: Effect): Effect =>
    effect.kind === "commit" ? { ...effect, batch: change(effect.batch) } : effect;

export const ACTION_FAULTS: NamedFaults = {
  actionsLeft: {
    says: "An action that was being performed when its performer died is never taken up again.",
    shows,
    actions: { neverTakesUp: true },
  },
  actionsRepeated: {
    says: "A page that comes again has everything done again that it had done on the way.",
    shows,
    actions: { forgetsBegun: true },
  },
  actsEarly: {
    says: "A page's actions are performed though the page is not committed.",
    shows,
    actions: { writesEarly: true },
  },
  actsInAnyOrder: {
    says: "An action that is tried again is overtaken by later ones of its record.",
    shows,
    actions: { anyOrder: true },
  },
  actionsApart: {
    says: "Actions are not part of the page's transaction: they are missing.",
    shows,
    effect: withBatch((batch) => ({ ...batch, actions: [] })),
  },
  keysForRecords: {
    says: "An action's key says which record it is about and not in which state.",
    shows,
    effect: (effect) =>
      effect.kind === "ask"
        ? {
            ...effect,
            dataRequests: effect.dataRequests.map((dataRequest) =>
              dataRequest.kind === "action"
                ? {
                    ...dataRequest,
                    call: { ...dataRequest.call, key: dataRequest.call.key.split(" ").slice(0, 2).join(" ") },
                  }
                : dataRequest,
            ),
          }
        : effect,
  },
  failuresUnheard: {
    says: "An action that failed counts as done.",
    shows,
    input: withAnswers((answer) =>
      answer.ok && answer.found[0]?.["succeeded"] === false
        ? { ok: true, found: [{ ...answer.found[0], succeeded: true }] }
        : answer,
    ),
  },
  refusalsAreBlank: {
    says: "What a lookup is refused counts as found and blank.",
    shows,
    input: withAnswers((answer) => (answer.ok ? answer : { ok: true, found: [] })),
  },
  quarantineForgotten: {
    says: "A record that failed on its road is not kept aside.",
    shows,
    effect: withBatch((batch) => ({ ...batch, quarantine: [] })),
  },
  writtenOverQuarantined: {
    says: "A record whose news were put aside is told over at its place.",
    shows,
    store: { writesOverQuarantined: true },
  },
  actsWithoutLease: {
    says: "A worker that overslept its lease still has actions performed.",
    shows,
    worker: { asksAnyway: true },
  },
};
