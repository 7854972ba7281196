/** References that became known after the records that hold them: what they change, under the same authority as ever. */
import type { Values } from "@accord/contracts/data/values";
import { merge } from "./merge.ts";
import type { Plan } from "../plan/plan.ts";
import { type CommitBatch, emptyBatch } from "../protocol/storage.ts";
import type { ResolvedReference } from "../protocol/stored-references.ts";
import type { StoredRecord } from "../protocol/stored.ts";

/** The batch of all resolved references of one source. Those of places that are no source any more are dropped. */
export function decideReferences(plan: Plan, placeId: number, found: readonly ResolvedReference[]): CommitBatch {
  const batch = emptyBatch(placeId, null);
  batch.standing = found.map(({ targetId }) => targetId);
  batch.resolvedPending = found.map(({ record, field }) => ({ recordId: record.recordId, field }));
  const source = plan.sources.find(({ place }) => place.id === placeId);
  if (!source) return batch;
  for (const { record, at, values } of byRecord(found)) {
    // Named then, known only now: what was entered since is the later word.
    const old = { at, has: () => true };
    const merged = merge(plan, source, record, values, at, { isFirst: false, isRepeat: false, old });
    const { recordId, version } = record;
    if (merged.hasChanged || merged.origin !== record.origin) {
      const { values: after, origin } = merged;
      batch.updates.push({ recordId, expectedVersion: version, values: after, origin, deleted: false });
    }
    if (merged.hasChanged || merged.refused) {
      const operation = merged.hasChanged ? "update" : "refuse";
      batch.ledger.push({ recordId, operation, externalId: null, changes: merged.changes, refused: merged.refused });
    }
    // Each place, though the value be the same as before: while the reference was open, deliveries left the field out.
    // And the place that named it may know it by the name of a record that was merged away.
    for (const { place } of plan.sinks)
      batch.deliveries.push({ placeId: place.id, recordId, onlyIfOutstanding: false });
  }
  return batch;
}

interface Contribution {
  record: StoredRecord;
  at: string;
  values: Values;
}

function byRecord(found: readonly ResolvedReference[]): Contribution[] {
  const all = new Map<string, Contribution>();
  for (const { record, field, targetId, at } of found) {
    const known = all.get(record.recordId);
    if (known) known.values[field] = targetId;
    else all.set(record.recordId, { record, at, values: { [field]: targetId } });
  }
  return [...all.values()];
}
