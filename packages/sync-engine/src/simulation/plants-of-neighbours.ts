/** Faults planted into what several pipelines share: slots of server processes and what systems allow. */
import type { NamedPlants } from "./plant.ts";
import type { Story } from "./story.ts";

const hasNeighbours = ({ neighbours }: Story): boolean => neighbours !== null;
const hasLimit = ({ neighbours }: Story): boolean => neighbours !== null && neighbours.limit !== null;

export const NEIGHBOUR_PLANTS: NamedPlants = {
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
    limits: { ignoresPatience: true },
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
