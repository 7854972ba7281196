/** Small faults in the engine's own code, as anybody might write them: simulations have to notice each of them. */
export interface Mutation {
  says: string;
  /** File of `run/`. */
  file: string;
  /** Stands there once. */
  find: string;
  replace: string;
  /** A history in which it shows. */
  seed: number;
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  createsUnread: {
    says: "A creation never waits for a place that nobody has read through.",
    file: "state/links/unread-endpoints.ts",
    find: "if (!run.unreadPlaces.includes(sink.place.id)) return false;",
    replace: "if (sink.place.id > 0) return false;",
    seed: 5007004,
  },
  sameMomentIsOlder: {
    says: "Of two values of one source set at the same moment, the second counts as older.",
    file: "merge/authority/authority.ts",
    find: "return rankOf(rule, left.by) > rankOf(rule, right.by);",
    replace: "return rankOf(rule, left.by) >= rankOf(rule, right.by);",
    seed: 110136,
  },
  equalTimeIsOlder: {
    says: "A state that has the time of the one that is known counts as older.",
    file: "source/page/fingerprint-page.ts",
    find: "Boolean(left && right && left < right)",
    replace: "Boolean(left && right && left <= right)",
    seed: 3,
  },
  spellingIsCorrected: {
    says: "A system that spells the core's value otherwise is written to, on a first load without edits too.",
    file: "state/sink-state.ts",
    find: " || (shown !== hash && isSameHere(source, inbound, mapping, own))",
    replace: "",
    seed: 115,
  },
  doubtfulIsAnEdit: {
    says: "What may be an older write, as the system stores it, goes over a newer edit.",
    file: "state/normalization/normalized-values.ts",
    find: 'return hasMovedOn && (isSpelling || !(isProven || (isLater && isElse))) ? "doubtful" : "edit";',
    replace: 'return "edit";',
    seed: 1010345,
  },
  partIsAnEdit: {
    says: "What a system cut or rounded passes for an edit once the core has moved on and another field was edited there.",
    file: "state/normalization/spelling.ts",
    find: 'if (outline === "" || (shown !== null && typeof shown === "object")) return true;',
    replace: "if (outline.length >= 0) return false;",
    seed: 81004901,
  },
  doubtfulAttemptIsAnEdit: {
    says: "What may be a write without an answer, as the system stores it, goes over a newer edit.",
    file: "state/normalization/normalized-values.ts",
    find: 'if (!written.includes(hashValue(current))) return "doubtful";',
    replace: "",
    seed: 1001961,
  },
  laterTimeIsProof: {
    says: "The time of change of one field proves an edit of all others.",
    file: "state/normalization/normalized-values.ts",
    find: 'const isAnothers = time !== "later" || !isAlone;',
    replace: 'const isAnothers = time !== "later";',
    seed: 1004781,
  },
  unansweredSpellingIsAnEdit: {
    says: "What was written without an answer, in the system's own spelling, counts as an edit.",
    file: "state/unconfirmed/unconfirmed-writes.ts",
    find: "isSpelledAs(attempt, writeFields.length, writeIndex, value)",
    replace: "false",
    seed: 106,
  },
  olderSpellingIsDoubtful: {
    says: "What an older write wrote, in the system's own spelling, counts as doubtful once the core has moved on.",
    file: "state/normalization/normalized-values.ts",
    find: '(known.spelled !== "" && known.spelled === spellingHash(value))',
    replace: "false",
    seed: 146,
  },
};
