/** A page's commit: all it changes in one transaction, under the lease. */
import { type CommitResult, type CommitBatch, freedByPage, type Signal } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { endOccurrences, insertActions } from "../../../actions/index.ts";
import { transaction } from "../../../../../platform/db/transaction.ts";
import { writeConflicts } from "./conflict-writes.store.ts";
import { copyRows, type CopyInto, lockAndCopy, lockFor } from "./copy-rows.store.ts";
import { releaseFreed } from "../deliveries/freed-records.store.ts";
import { type LeaseGuard, refusal, Refused, type RunIdentity } from "../lease-guard.store.ts";
import type { mergeStorage } from "../merge-storage.store.ts";
import { pageRows, type PageTables } from "./page-rows.store.ts";
import type { pageWrites } from "./page-writes.store.ts";
import type { pendingReferences } from "./pending-references.store.ts";
import { quarantineRecords } from "../deliveries/quarantine-writes.store.ts";
import { mayGoInEarly, type PageAhead, type StagedPage, stagePage } from "./staged-pages.store.ts";
import type { StoredRows } from "../stored-rows.store.ts";
import { isDataError, unstorableOfPage } from "../unstorable-values.store.ts";

/** What a page's commit is made of. */
export interface CommitParts {
  tables: PageTables;
  guard: LeaseGuard;
  writes: ReturnType<typeof pageWrites>;
  references: Pick<ReturnType<typeof pendingReferences>, "write">;
  mergeBatch: Pick<ReturnType<typeof mergeStorage>, "write">;
}

/** What is ready of a run's pages behind the one under way. */
interface RunTurns {
  begun: WeakSet<CommitBatch>;
  rows: WeakMap<CommitBatch, CopyInto[]>;
  /** Prepared and not yet put in, in their order. */
  waiting: CommitBatch[];
  staged: Map<CommitBatch, StagedPage<Signal>>;
  /** The last page under way; null while none is. */
  ahead: PageAhead | null;
}

export function pageCommits(stored: StoredRows, { tables, guard, writes, references, mergeBatch }: CommitParts) {
  const { pool, scope, table } = stored;
  const written = [tables.records, tables.link, tables.ledger];
  const turns = new WeakMap<RunIdentity, RunTurns>();

  function turnsOf(run: RunIdentity): RunTurns {
    const known = turns.get(run) ?? {
      begun: new WeakSet(),
      rows: new WeakMap(),
      waiting: [],
      staged: new Map(),
      ahead: null,
    };
    turns.set(run, known);
    return known;
  }

  const rowsOf = (run: RunIdentity, batch: CommitBatch): CopyInto[] =>
    turnsOf(run).rows.get(batch) ?? pageRows(tables, run, batch);

  /** Makes a page's rows while the one before it is committed, and puts them in where nothing can stand in their way. */
  function prepare(run: RunIdentity, batch: CommitBatch): void {
    const own = turnsOf(run);
    if (own.begun.has(batch)) return;
    own.rows.set(batch, rowsOf(run, batch));
    own.waiting.push(batch);
    putIn(run, own);
  }

  /** Puts in what waits, as long as a page before is under way: one behind another, so that none is passed by. */
  function putIn(run: RunIdentity, own: RunTurns): void {
    for (let [batch] = own.waiting; own.ahead && batch && mayGoInEarly(batch); [batch] = own.waiting) {
      own.waiting.shift();
      const page = stagePage<Signal>(pool, { tables: written, rows: rowsOf(run, batch) }, own.ahead);
      own.ahead = page;
      own.staged.set(batch, page);
    }
  }

  /** What was put in ahead of its turn is taken out again: the run is over, or a page before has to be decided anew. */
  async function dropPrepared(run: RunIdentity): Promise<void> {
    const own = turnsOf(run);
    const pages = [...own.staged.values()];
    own.waiting.unshift(...own.staged.keys());
    own.staged.clear();
    own.ahead = null;
    await Promise.all(pages.map((page) => page.drop()));
  }

  /** Throws `UnstorableValue` when the page holds what the database can't keep. */
  async function commit(run: RunIdentity, batch: CommitBatch, newId: () => string): Promise<CommitResult> {
    const own = turnsOf(run);
    const page = own.staged.get(batch);
    own.begun.add(batch);
    own.staged.delete(batch);
    own.waiting = own.waiting.filter((waiting) => waiting !== batch);
    try {
      const answer = (page && (await commitStaged(page, run, batch, newId))) ?? (await commitWhole(run, batch, newId));
      if (answer.status !== "done") await dropPrepared(run);
      else if (own.staged.size === 0) own.ahead = null;
      return answer;
    } catch (error) {
      if (!isDataError(error)) throw error;
      await dropPrepared(run);
      throw await unstorableOfPage(stored, batch, error);
    }
  }

  /** null when its rows could not be put in early: it takes the usual way then. */
  async function commitStaged(
    page: StagedPage<Signal>,
    run: RunIdentity,
    batch: CommitBatch,
    newId: () => string,
  ): Promise<CommitResult | null> {
    let isHeld = false;
    try {
      const signal = await page.finish(async (client) => {
        // Last, so that it holds for everything that went before.
        const asked = await guard(client, run, "page");
        isHeld = true;
        await writeRest(client, run, batch, newId);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      return isHeld || error instanceof Refused ? refusal(error) : null;
    }
  }

  async function commitWhole(run: RunIdentity, batch: CommitBatch, newId: () => string): Promise<CommitResult> {
    const own = turnsOf(run);
    // Pages behind this one must not hold what it may need.
    if (own.staged.size > 0) await dropPrepared(run);
    const [opened, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    own.ahead = { opened: opened.promise, locked: locked.promise };
    putIn(run, own);
    try {
      const rows = rowsOf(run, batch);
      const signal = await transaction(pool, async ({ client }) => {
        opened.resolve();
        const asked = await guard(client, run, "page");
        if (changesRows(batch)) {
          // The page behind copies its rows meanwhile.
          await client.query(lockFor(written));
          locked.resolve();
          await writes.updateRecords(client, batch);
          await writes.changeLinks(client, batch);
          await copyRows(client, rows);
        } else await lockAndCopy(client, written, rows, locked.resolve);
        await writeRest(client, run, batch, newId);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      return refusal(error);
    } finally {
      opened.resolve();
      locked.resolve();
    }
  }

  async function writeRest(
    client: PoolClient,
    run: RunIdentity,
    batch: CommitBatch,
    newId: () => string,
  ): Promise<void> {
    if (batch.returned) await writes.resumeReturned(client, batch.returned);
    if (batch.standing) await writes.assertStanding(client, batch.standing);
    if (batch.fulfilled) await writes.fulfil(client, batch.placeId, batch.fulfilled);
    await writes.wantAndReach(client, batch);
    const freed = freedByPage(batch).map((record) => ({ placeId: batch.placeId, ...record }));
    await releaseFreed(client, stored.schema, freed);
    await writes.loseFields(client, batch);
    await quarantineRecords(client, stored, batch, newId);
    await references.write(client, batch);
    if (batch.conflicts || batch.agreed) await writeConflicts(client, table("conflict"), scope.pipelineId, batch);
    if (batch.mergeBatch) await mergeBatch.write(client, { run, placeId: batch.placeId }, batch.mergeBatch);
    await writeActions(client, run, batch, newId);
  }

  async function writeActions(
    client: PoolClient,
    { versionNumber }: RunIdentity,
    { actions, endedOccurrences, placeId }: CommitBatch,
    newId: () => string,
  ): Promise<void> {
    const pipeline = { ...scope, versionNumber };
    const { sealedCall = (call) => call } = scope;
    const wanted = actions.map((call) => ({ id: newId(), call: sealedCall(call), key: null }));
    const links = { table: table("link"), placeId };
    await insertActions(client, pipeline, wanted, { begun: false, links });
    await endOccurrences(client, pipeline, { keys: endedOccurrences, links });
  }

  return { prepare, dropPrepared, commit };
}

/** Whether rows that were there before may be changed: all that a page of creations alone does not do. */
const changesRows = ({ creates, updates, links }: CommitBatch): boolean =>
  updates.length > 0 || links.length > creates.length || links.some(({ isNew }) => !isNew);
