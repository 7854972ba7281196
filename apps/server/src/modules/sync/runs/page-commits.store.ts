/** A page's commit: all it changes in one transaction, under the lease. */
import type { CommitAnswer, CommitBatch } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { endComings, insertActions } from "../actions/index.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { writeConflicts } from "./conflict-writes.store.ts";
import { type CopyInto, copyRows } from "./copy-rows.store.ts";
import { type LeaseGuard, refusal, type RunIdentity } from "./lease-guard.store.ts";
import type { mergeStorage } from "./merge-storage.store.ts";
import { pageRows, type PageTables } from "./page-rows.store.ts";
import type { pageWrites } from "./page-writes.store.ts";
import type { pendingReferences } from "./pending-references.store.ts";
import { putAside } from "./quarantine-writes.store.ts";
import type { StoredRows } from "./stored-rows.store.ts";

/** What a page's commit is made of. */
export interface CommitParts {
  tables: PageTables;
  guard: LeaseGuard;
  writes: ReturnType<typeof pageWrites>;
  references: Pick<ReturnType<typeof pendingReferences>, "write">;
  merging: Pick<ReturnType<typeof mergeStorage>, "write">;
}

export function pageCommits(stored: StoredRows, { tables, guard, writes, references, merging }: CommitParts) {
  const { pool, scope, table } = stored;
  const prepared = new WeakMap<CommitBatch, CopyInto[]>();

  /** Makes a page's rows while the one before it is committed. */
  function prepare(run: RunIdentity, batch: CommitBatch): CopyInto[] {
    const rows = prepared.get(batch) ?? pageRows(tables, run, batch);
    prepared.set(batch, rows);
    return rows;
  }

  async function commit(run: RunIdentity, batch: CommitBatch, newId: () => string): Promise<CommitAnswer> {
    try {
      const rows = prepare(run, batch);
      const signal = await transaction(pool, async ({ client }) => {
        const asked = await guard(client, run, "page");
        await writes.updateRecords(client, batch);
        await writes.changeLinks(client, batch);
        await copyRows(client, rows);
        if (batch.fulfilled) await writes.fulfil(client, batch.placeId, batch.fulfilled);
        await writes.wantDeliveries(client, batch.deliveries);
        await putAside(client, stored, batch, newId);
        await references.write(client, batch);
        if (batch.conflicts || batch.agreed) await writeConflicts(client, table("conflict"), scope.pipelineId, batch);
        if (batch.merging) await merging.write(client, run, batch.placeId, batch.merging);
        await writeActions(client, run, batch, newId);
        if (batch.position) await writes.reach(client, batch.position);
        return asked;
      });
      return { status: "done", signal };
    } catch (error) {
      return refusal(error);
    }
  }

  async function writeActions(
    client: PoolClient,
    { versionNumber }: RunIdentity,
    { actions, actionsOver, placeId }: CommitBatch,
    newId: () => string,
  ): Promise<void> {
    const pipeline = { ...scope, versionNumber };
    const written = actions.map((call) => ({ id: newId(), call, key: null }));
    const links = { table: table("link"), placeId };
    await insertActions(client, pipeline, written, { begun: false, links });
    await endComings(client, pipeline, { keys: actionsOver, links });
  }

  return { prepare, commit };
}
