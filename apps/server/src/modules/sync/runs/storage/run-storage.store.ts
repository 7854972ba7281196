/**
 * The engine's storage in PostgreSQL: looks, and commits that happen whole or not at all. Every write renews the lease
 * under its epoch; where that finds another epoch, nothing is written.
 */
import type { LedgerEntry } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import { copyRows } from "./pages/copy-rows.store.ts";
import { deliveryClaims } from "./deliveries/delivery-claims.store.ts";
import { deliveryOutcomes } from "./deliveries/delivery-outcomes.store.ts";
import { leaseGuard, type RunIdentity } from "./lease-guard.store.ts";
import { mergeStorage } from "./merge-storage.store.ts";
import { boundedMatches } from "./pages/bounded-matches.store.ts";
import { pageResolve } from "./pages/page-resolve.store.ts";
import { pageCommits } from "./pages/page-commits.store.ts";
import { ledgerRows, type PageTables } from "./pages/page-rows.store.ts";
import { pageWrites } from "./pages/page-writes.store.ts";
import { pendingReferences } from "./pages/pending-references.store.ts";
import { storedRows, type StorageScope } from "./stored-rows.store.ts";
import { tableStatistics } from "./table-statistics.store.ts";
import { findLacking, type DeliveryKey } from "./deliveries/enqueue-deliveries.store.ts";

async function insertUserLedger(
  client: PoolClient,
  { ledger, entityNumber }: PageTables,
  { userId, name }: { userId: string; name: string },
  entries: readonly LedgerEntry[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${ledger} (entity, record_id, operation, user_id, user_name, changes)
     SELECT $1, w.id, w.operation, $2, $3, w.changes FROM unnest($4::text[], $5::text[], $6::json[]) AS w(id, operation, changes)`,
    [
      entityNumber,
      userId,
      name,
      entries.map(({ recordId }) => recordId),
      entries.map(({ operation }) => operation),
      entries.map(({ changes }) => JSON.stringify(changes)),
    ],
  );
}

export type RunStorage = ReturnType<typeof runStorage>;

export function runStorage(pool: Pool, scope: StorageScope) {
  const stored = storedRows(pool, scope);
  const { schema, table, records, fields, recordColumns, readRecord } = stored;
  const { entityNumber } = scope;
  const tables = { records, link: table("link"), ledger: table("ledger"), fields, entityNumber };
  const guard = leaseGuard(scope);
  const writes = pageWrites(stored);

  const writeLedger = (client: PoolClient, run: RunIdentity, placeId: number, entries: LedgerEntry[]): Promise<void> =>
    copyRows(client, [ledgerRows(tables, run, placeId, entries)]);

  const rows = { recordColumns, records, readRecord };
  const references = pendingReferences(pool, { pipelineId: scope.pipelineId, schema, ...rows });
  const mergeBatch = mergeStorage(pool, {
    instanceId: scope.instanceId,
    pipelineId: scope.pipelineId,
    schema,
    referrers: scope.referrers,
    ...rows,
    findMatches: (keys, search) => boundedMatches(stored, keys, search),
    updateRecords: writes.updateRecords,
    writeLedger: (client, author, entries) =>
      author.actor
        ? insertUserLedger(client, tables, author.actor, entries)
        : writeLedger(client, author.run, author.placeId, entries),
  });

  const statistics = tableStatistics(stored);
  const commits = pageCommits(stored, { tables, guard, writes, references, mergeBatch });
  const outcomes = deliveryOutcomes(stored, { guard, references, dropDeadTwins: writes.dropDeadTwins, writeLedger });

  return {
    ...pageResolve(stored, mergeBatch),
    ...commits,
    ...deliveryClaims(stored, references),
    ...outcomes,
    commit: async (...[run, batch, newId]: Parameters<typeof commits.commit>) => {
      const answer = await commits.commit(run, batch, newId);
      if (answer.status === "done") statistics.stored(batch);
      return answer;
    },
    settle: async (...settling: Parameters<typeof outcomes.settle>) => {
      const answer = await outcomes.settle(...settling);
      if (answer.status === "done") statistics.settled(settling[1], settling[2]);
      return answer;
    },
    findDuplicates: mergeBatch.find,
    findLacking: (keys: readonly DeliveryKey[]) => findLacking(pool, table("link"), keys),
    findResolved: references.findResolved,
    renewWaiting: references.renewWaiting,
    reach: writes.reach,
    readRecords: stored.readRecords,
    lockRecords: stored.lockRecords,
    mergeRecords: mergeBatch.write,
    guard,
  };
}
