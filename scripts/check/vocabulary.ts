/** Words of our own that have a standard term: counted for each folder in code, comments and texts; they may only get fewer. */
import { dirname } from "node:path";

/** Word in any of its forms → the term of Kafka Connect, Debezium, Temporal or PostgreSQL. */
export const STANDARD_TERMS: Readonly<Record<string, string>> = {
  road: "path",
  roads: "paths",
  trip: "execution",
  journey: "execution",
  traveller: "inbound record",
  travellers: "inbound records",
  parcel: "pending write",
  parcels: "pending writes",
  packing: "write preparation",
  told: "written, sent, notified",
  tell: "write, send, notify",
  tells: "writes, sends, notifies",
  hear: "receive",
  hears: "receives",
  heard: "received",
  hearsay: "shared state",
  errand: "action",
  errands: "actions",
  crew: "worker pool",
  plant: "injected fault",
  plants: "injected faults",
  planted: "injected",
  story: "scenario",
  stories: "scenarios",
  witness: "invariant checker",
  chance: "rng",
  spurned: "rejected",
  patience: "wait policy",
  deed: "action",
  deeds: "actions",
  poke: "request a cycle",
  poked: "requested",
  aside: "quarantined",
  mend: "fix",
  mends: "fixes",
  mended: "fixed",
  looker: "scanner",
  misfit: "type mismatch",
  mayfly: "create then delete",
};

/** `toldFields` and `TOLD_MS` hold the word as much as a sentence does. */
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** How many words of a text have a standard term. */
export function nonStandardWords(text: string): number {
  const words = text.match(WORDS) ?? [];
  return words.filter((word) => Object.hasOwn(STANDARD_TERMS, word.toLowerCase())).length;
}

/** Where a file's words are counted; the table itself has to name them. */
export const folderOf = (file: string): string | undefined =>
  file === "scripts/check/vocabulary.ts" ? undefined : dirname(file);
