/** One language, two storages: PostgreSQL does what the memory of simulations does. */
import { expect, test } from "vitest";
import { REPLAYED_SEEDS, replayHistory } from "../../../../../test-kit/replay/replay-history.ts";

test.each(REPLAYED_SEEDS)(
  "[F1] [F4] [F5] [F13] [F14] PostgreSQL answers each command of simulated history %i as memory does",
  { timeout: 120_000 },
  async (seed) => {
    await replayHistory(seed, (given, expected, where) => expect(given, where).toEqual(expected));
  },
);
