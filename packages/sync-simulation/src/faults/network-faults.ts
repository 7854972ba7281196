/** Faults injected into how batches are sent and how systems that are down are dealt with. */
import type { NamedFaults } from "./injected-fault.ts";
import type { Scenario } from "../scenario/scenario.ts";

const isStepwise = (scenario: Scenario): boolean => scenario.isStepwise;
const hasOutages = ({ outages }: Scenario): boolean => outages.length > 0;

export const NETWORK_FAULTS: NamedFaults = {
  leaseCheckedOncePerBatch: {
    says: "The lease is checked before a batch, and not again before each of its operations.",
    shows: isStepwise,
    worker: { checksLeaseOncePerBatch: true },
  },
  sleeperSendsOn: {
    says: "A worker that wakes up in the middle of a batch sends the rest of it, and whatever comes next.",
    shows: isStepwise,
    worker: { ignoresDeadline: true },
  },
  outageAgainstRecords: {
    says: "While a system is down, its failures count against each record.",
    shows: hasOutages,
    effect: (effect) =>
      effect.kind === "settle"
        ? {
            ...effect,
            settlements: effect.settlements.map((deliveryResult) =>
              deliveryResult.result === "again" && deliveryResult.quarantine
                ? { ...deliveryResult, result: "parked" as const }
                : deliveryResult,
            ),
          }
        : effect,
  },
  outageForgotten: {
    says: "Each cycle asks a system that is down as if it had never failed.",
    shows: hasOutages,
    effect: (effect) =>
      effect.kind === "settle"
        ? {
            ...effect,
            settlements: effect.settlements.map((deliveryResult) =>
              deliveryResult.result === "again" ? { ...deliveryResult, nextAt: 0 } : deliveryResult,
            ),
          }
        : effect,
  },
  failuresUncounted: {
    says: "A destination that fails is not known to have failed in the next cycle, and is sent whole batches.",
    shows: hasOutages,
    effect: (effect) =>
      effect.kind === "finish" ? { ...effect, summary: { ...effect.summary, failures: {} } } : effect,
  },
};
