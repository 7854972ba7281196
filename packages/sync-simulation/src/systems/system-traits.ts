/** What systems can and can't do, as they come in the wild. */
import type { Values } from "@accord/contracts/data/values";
import type { Rng } from "../rng.ts";
import type { OddAnswers } from "./odd-answers.ts";

export interface SystemTraits {
  /** How late reads and look-ups show a change, milliseconds. */
  lagMs: number;
  /** Writes don't find a record by its id either until reads show it. */
  hidesNew: boolean;
  /** What is compared before a write is as late as all reads. */
  comparesLate: boolean;
  reportsModifiedAt: boolean;
  answersStoredValues: boolean;
  /** What writes are answered with; absent: what is stored, or nothing. */
  answers?: OddAnswers | null;
  /** Stores notes in capitals, whatever it is given. */
  respells: boolean;
  /** How it stores the values it is given, where that is not as they are. */
  storeAs?: (values: Values) => Values;
  idempotentCreate: boolean;
  /** Does an update or a deletion with a key it knows not again. */
  idempotentWrites: boolean;
  /** Refuses each record whose note ends like this, until people have fixed it; null: takes everything. */
  refuses: string | null;
  /** Tells some changes twice, and old ones late, as webhooks do. */
  repeatsItself: boolean;
  canLookup: boolean;
  pageSize: number;
}

/** Traits as they come in the wild; each system can do at least one of the two things that make creating safe. */
export function drawTraits(rng: Rng): SystemTraits {
  const idempotentCreate = rng.bool(0.5);
  const lagMs = rng.bool(0.4) ? rng.between(100, 4_000) : 0;
  const reportsModifiedAt = lagMs > 0 || rng.bool(0.5);
  return {
    lagMs,
    hidesNew: lagMs % 2 === 1,
    comparesLate: lagMs % 3 === 1,
    // Without a time of change, an old state shown late can't be told from somebody's change back to it.
    reportsModifiedAt,
    answersStoredValues: rng.bool(0.5),
    respells: rng.bool(0.2),
    idempotentCreate,
    idempotentWrites: rng.bool(0.4),
    refuses: rng.bool(0.25) ? String(rng.between(0, 10)) : null,
    // Only by its time can old news be told from new.
    repeatsItself: reportsModifiedAt && rng.bool(0.3),
    canLookup: !idempotentCreate || rng.bool(0.5),
    pageSize: rng.between(1, 5),
  };
}

/** Whether a system refuses a record for what it holds. */
export const refusesRecord = ({ refuses }: SystemTraits, { note }: Values): boolean =>
  refuses !== null && typeof note === "string" && note.endsWith(refuses);
