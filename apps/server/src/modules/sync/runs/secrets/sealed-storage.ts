/** The engine's storage for pipelines with secret fields: what it is given to write is sealed before it gets there. */
import type {
  CommitBatch,
  LedgerEntry,
  MatchKeys,
  MergeBatch,
  QuarantineWrite,
  StoredRecord,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import type { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import { sealedCall } from "../../actions/index.ts";
import type { PipelineSeals } from "./pipeline-secrets.ts";
import { type RunStorage, runStorage } from "../storage/run-storage.store.ts";
import type { StorageScope } from "../storage/stored-rows.store.ts";

export function sealedStorage(
  { dataPool, secrets: keys }: Pick<Deps, "dataPool" | "secrets">,
  scope: StorageScope,
  { core, at }: PipelineSeals,
): RunStorage {
  const storage = runStorage(dataPool, {
    ...scope,
    opened: (values) => core.openAll(values),
    sealedCall: (call) => sealedCall(keys, scope.instanceId, call),
  });
  // A page is prepared and committed under the identity of its batch.
  const known = new WeakMap<CommitBatch, CommitBatch>();

  const sealRecord = <Kept extends Pick<StoredRecord, "values">>(record: Kept): Kept => ({
    ...record,
    values: core.sealAll(record.values),
  });
  const sealEntry = (entry: LedgerEntry, seals: SealedValues): LedgerEntry => ({
    ...entry,
    changes: seals.sealChanges(entry.changes),
    refused: seals.sealRefused(entry.refused),
    ...(entry.created ? { created: seals.sealAll(entry.created) } : {}),
  });
  const sealQuarantine = (entry: QuarantineWrite, placeId: number): QuarantineWrite => {
    const { seals, secrets } = at(placeId);
    return {
      ...entry,
      message: secrets.text(entry.message, entry.payload),
      payload: entry.payload && (entry.code === "unreadable" ? null : seals.sealAll(entry.payload)),
    };
  };
  const sealMerging = (mergeBatch: MergeBatch): MergeBatch => ({
    ...mergeBatch,
    merges: mergeBatch.merges.map((merge) => ({
      ...merge,
      winner: sealRecord(merge.winner),
      losers: merge.losers.map(sealRecord),
      values: core.sealAll(merge.values),
      changes: core.sealChanges(merge.changes),
    })),
  });
  const sealKeys = ({ field, keys, ...others }: MatchKeys): MatchKeys => ({
    ...others,
    field,
    keys: keys.map((key) => core.seal(field, key)),
  });

  function sealBatch(batch: CommitBatch): CommitBatch {
    const sealed = known.get(batch) ?? {
      ...batch,
      creates: batch.creates.map(sealRecord),
      updates: batch.updates.map(sealRecord),
      ledger: batch.ledger.map((entry) => sealEntry(entry, core)),
      quarantine: batch.quarantine.map((entry) => sealQuarantine(entry, batch.placeId)),
      ...(batch.conflicts
        ? { conflicts: batch.conflicts.map((one) => ({ ...one, value: core.seal(one.field, one.value) })) }
        : {}),
      ...(batch.mergeBatch ? { mergeBatch: sealMerging(batch.mergeBatch) } : {}),
    };
    known.set(batch, sealed);
    return sealed;
  }

  return {
    ...storage,
    prepare: (run, batch) => storage.prepare(run, sealBatch(batch)),
    commit: (run, batch, newId) => storage.commit(run, sealBatch(batch), newId),
    settle: (run, placeId, settlements, now, newId) =>
      storage.settle(
        run,
        placeId,
        settlements.map((one) => ({
          ...one,
          ledger: one.ledger && sealEntry(one.ledger, at(placeId).seals),
          quarantine: one.quarantine && sealQuarantine(one.quarantine, placeId),
          ...(one.ifTaken
            ? { ifTaken: { ...one.ifTaken, quarantine: sealQuarantine(one.ifTaken.quarantine, placeId) } }
            : {}),
        })),
        now,
        newId,
      ),
    match: (request) => storage.match({ ...request, fields: request.fields.map(sealKeys) }),
    findHolders: (request) => storage.findHolders({ ...request, fields: request.fields.map(sealKeys) }),
    findDuplicates: (keys) => storage.findDuplicates(keys?.map(sealKeys)),
    mergeRecords: (client, author, mergeBatch) => storage.mergeRecords(client, author, sealMerging(mergeBatch)),
  };
}
