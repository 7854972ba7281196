/** Creations that were answered with an external record of another core record, as storage keeps them. */

/** What a creation was answered with. */
export interface TakenRecord {
  externalId: string;
  /** Fingerprint of what the destination finds records by, as it was sent; empty where nothing is said of that. */
  key: string;
}

/** What is to be kept of such an answer, should its external record be another record's. */
export interface AnsweredCreation {
  key: TakenRecord["key"];
  /** Null: the answer shows that nothing was written. */
  written: StrayWrite | null;
}

/** What may stand in another record's copy since. Its delivery is wanted, and in doubt of it as of a write of its own. */
export interface StrayWrite {
  /** Fingerprint as in `Intent.written`. */
  attempt: string;
  /** Indexes of the fields among those told: nobody knows what they hold. */
  fields: readonly number[];
  /** When it can be seen there, milliseconds. */
  nextAt: number;
}
