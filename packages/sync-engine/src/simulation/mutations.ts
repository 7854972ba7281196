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
    file: "sink-steps.ts",
    find: "if (!run.unreadPlaces.includes(sink.place.id)) return false;",
    replace: "if (sink.place.id > 0) return false;",
    seed: 5007004,
  },
  sameMomentIsOlder: {
    says: "Of two values of one source set at the same moment, the second counts as older.",
    file: "authority.ts",
    find: "return rankOf(rule, left.by) > rankOf(rule, right.by);",
    replace: "return rankOf(rule, left.by) >= rankOf(rule, right.by);",
    seed: 100897,
  },
  equalTimeIsOlder: {
    says: "A state that has the time of the one that is known counts as older.",
    file: "look.ts",
    find: "Boolean(left && right && left < right)",
    replace: "Boolean(left && right && left <= right)",
    seed: 10,
  },
};
