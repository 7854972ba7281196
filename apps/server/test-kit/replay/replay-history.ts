/**
 * The commands of simulated histories, with their crashes, stolen leases, merges and edits, given to PostgreSQL one by
 * one: it has to answer as memory did, and to hold the same in the end.
 */
import { record } from "@accord/sync-simulation";
import { testDatabase } from "../database/database.ts";
import { ReplayedStore } from "./replayed-store.ts";

/** Histories with decimals, dates, moments, lists and objects. */
const TYPED = [22, 33, 34, 50, 57];
/** Histories in which values do not fit a destination whose column has another type by then. */
const UNFIT = [137, 347];
/** Histories of every kind: plain ones, duplicates and references, places used one way, and named duplicates. */
export const REPLAYED_SEEDS: readonly number[] = [
  ...Array.from({ length: 20 }, (_, index) => index + 1),
  ...TYPED,
  ...UNFIT,
  2002381,
  2008533,
  5007004,
  77003048,
  94639,
  5003761,
  102746,
  256184945,
  930038324,
  940003813,
  2763608,
  910001108,
];

/** Called with what both storages answered, in one form, and where in the history; throws where they differ. */
export type CompareAnswers = (given: unknown, expected: unknown, where: string) => void;

/** Plays the history on a database of its own. Throws what `compare` throws. */
export async function replayHistory(seed: number, compare: CompareAnswers): Promise<void> {
  const history = record(seed);
  const database = await testDatabase();
  try {
    const store = await ReplayedStore.open(database, history);
    try {
      for (const [index, command] of history.commands.entries()) {
        const { expected, given } = await store.give(command);
        compare(given, expected, `seed ${seed}, command ${index}: ${command.kind}`);
      }
      const { expected, given } = await store.end();
      compare(given, expected, `what seed ${seed} leaves behind`);
      await store.checkNeighbours();
    } finally {
      await store.close();
    }
  } finally {
    await database.drop();
  }
}
