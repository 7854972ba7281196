/** Faults injected into what several pipelines share: slots of server processes and what systems allow. */
import type { NamedFaults } from "./injected-fault.ts";
import type { Scenario } from "../scenario/scenario.ts";

const hasNeighbours = ({ neighbours }: Scenario): boolean => neighbours !== null;
const hasLimit = ({ neighbours }: Scenario): boolean => neighbours !== null && neighbours.limit !== null;

export const NEIGHBOUR_FAULTS: NamedFaults = {
  waitsHoldSlots: {
    says: "A cycle that waits for a system's limit keeps its work slot.",
    shows: hasLimit,
    host: { waitsHoldSlots: true },
  },
  leakedSlots: {
    says: "The slot of a cycle that is over is never free again.",
    shows: hasNeighbours,
    host: { leaksSlots: true },
  },
  impatientCalls: {
    says: "Nobody waits before a call, whatever the system told of its limit.",
    shows: hasLimit,
    limits: { ignoresRateLimits: true },
  },
  resyncFirst: {
    says: "What reads everything again goes before what just changed.",
    shows: hasLimit,
    limits: { resyncFirst: true },
  },
  droppedCalls: {
    says: "A call that a system refused for its limit is not made again, and nobody hears of it.",
    shows: hasLimit,
    limits: { dropsRefused: true },
  },
};
