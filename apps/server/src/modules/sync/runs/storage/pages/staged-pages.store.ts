/**
 * Pages whose new rows go in on a connection of their own while the page before is committed. Nobody sees them until
 * their turn has come: only then the lease is checked, the rest is written and the transaction ends.
 */
import type { CommitBatch } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../../platform/db/db.ts";
import { transaction } from "../../../../../platform/db/transaction.ts";
import { type CopyInto, lockAndCopy } from "./copy-rows.store.ts";

/** What ends a page's transaction. */
type Rest<Result> = (client: PoolClient) => Promise<Result>;

/** A page under way, as the one behind it sees it. */
export interface PageAhead {
  /** Resolves once it has a connection of its own, or won't need one: who waits for it never holds the last one. */
  opened: Promise<void>;
  /** Resolves once it holds the locks of its tables, or won't need them. */
  locked: Promise<void>;
}

/** A page that is in but for its end. */
export interface StagedPage<Result> extends PageAhead {
  /** Its turn has come. Rejects when the rows could not be copied, and with whatever `rest` throws. */
  finish(rest: Rest<Result>): Promise<Result>;
  /** It will not be committed like this. */
  drop(): Promise<void>;
}

/** A page's rows, and the tables that they go to. */
interface PageRows {
  tables: readonly string[];
  rows: readonly CopyInto[];
}

/**
 * Copies a page beside the one ahead, as soon as that one holds its tables' locks: what waits for a page of the run, a
 * change of the schema, then stands behind all pages before it as well, and none of them behind it. Nothing of the page
 * ahead is held but its two promises: else each would hold the one before it, to the first.
 */
export function stagePage<Result>(
  pool: Pool,
  { tables, rows }: PageRows,
  { opened: aheadOpened, locked: aheadLocked }: PageAhead,
): StagedPage<Result> {
  const turn = Promise.withResolvers<Rest<Result>>();
  const opened = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  let isDropped = false;
  const ended = aheadOpened.then(() => {
    if (isDropped) throw new Dropped();
    return transaction(pool, async ({ client }) => {
      opened.resolve();
      await aheadLocked;
      if (isDropped) throw new Dropped();
      await lockAndCopy(client, tables, rows, locked.resolve);
      const rest = await turn.promise;
      return rest(client);
    });
  });
  ended.catch(() => {
    opened.resolve();
    locked.resolve();
  });
  return {
    opened: opened.promise,
    locked: locked.promise,
    finish: (rest) => {
      turn.resolve(rest);
      return ended;
    },
    drop: async () => {
      isDropped = true;
      turn.resolve(() => Promise.reject(new Dropped()));
      await ended.catch(() => {});
    },
  };
}

class Dropped extends Error {}

/**
 * Whether a page may go in early: it only adds records that nobody knows yet. Such rows wait for nobody, and nobody
 * waits for them.
 */
export function mayGoInEarly({ creates, updates, links, mergeBatch }: CommitBatch): boolean {
  if (creates.length === 0 || updates.length > 0 || mergeBatch) return false;
  return (
    links.length === creates.length &&
    links.every(({ isNew, recordId }, at) => isNew && creates[at]?.recordId === recordId)
  );
}
