/** Counts what a resync would change, batch by batch: of the batches themselves only a few samples are kept. */
import { type CommitBatch, type CycleSummary, type LedgerEntry, type Plan } from "@accord/sync-engine/run";
import type { SecretFields } from "@accord/expressions";
import type { DeliveryKey } from "../storage/deliveries/enqueue-deliveries.store.ts";

const MAX_SAMPLES = 20;
const UPDATING: ReadonlySet<string> = new Set(["update", "restore", "attach"]);

export class ResyncCounts {
  readonly #changes = { created: 0, updated: 0, deleted: 0, quarantined: 0 };
  readonly #samples: LedgerEntry[] = [];
  /** By place: records that would be created there and are met once, */
  readonly #createdAt = new Map<number, number>();
  /** and those that exist: several batches may send the same one. */
  readonly #existingAt = new Map<number, Set<string>>();

  /** `lacking`: what destinations have no external record of. */
  add({ creates, ledger, quarantine, deliveries }: CommitBatch, lacking: readonly DeliveryKey[]): void {
    this.#changes.created += creates.length;
    this.#changes.quarantined += quarantine.length;
    for (const { operation } of ledger) {
      if (UPDATING.has(operation)) this.#changes.updated += 1;
      else if (operation === "delete") this.#changes.deleted += 1;
    }
    this.#samples.push(...ledger.slice(0, MAX_SAMPLES - this.#samples.length));
    const isNew = new Set(creates.map(({ recordId }) => recordId));
    const created = new Set<string>();
    const wanted = deliveries.filter(({ onlyIfOutstanding }) => !onlyIfOutstanding);
    for (const { placeId, recordId } of [...wanted, ...lacking]) {
      if (!isNew.has(recordId)) this.#addExisting(placeId, recordId);
      else created.add(`${placeId} ${recordId}`);
    }
    for (const key of created) {
      const placeId = Number.parseInt(key, 10);
      this.#createdAt.set(placeId, (this.#createdAt.get(placeId) ?? 0) + 1);
    }
  }

  preview({ sinks }: Pick<Plan, "sinks">, summary: CycleSummary | null, secrets: SecretFields) {
    const { read: readBySource = {}, filtered = 0, refused = 0 } = summary?.counts ?? {};
    const read = Object.values(readBySource).reduce((sum, count) => sum + count, 0);
    const changed = Object.values(this.#changes).reduce((sum, count) => sum + count, 0);
    return {
      read,
      ...this.#changes,
      unchanged: Math.max(0, read - changed - filtered),
      filtered,
      refused,
      told: Object.fromEntries(sinks.map(({ nodeId, place }) => [nodeId, this.#sentTo(place.id)])),
      complete: summary?.resync?.done === true,
      problem: summary?.problems.find(({ severity }) => severity === "error")?.message ?? null,
      samples: this.#samples.map((entry) => sampleOf(entry, secrets)),
    };
  }

  #addExisting(placeId: number, recordId: string): void {
    const records = this.#existingAt.get(placeId) ?? new Set();
    this.#existingAt.set(placeId, records.add(recordId));
  }

  #sentTo(placeId: number): number {
    return (this.#createdAt.get(placeId) ?? 0) + (this.#existingAt.get(placeId)?.size ?? 0);
  }
}

const sampleOf = ({ recordId, externalId, operation, changes, refused }: LedgerEntry, secrets: SecretFields) => ({
  recordId,
  externalId,
  operation,
  changes: secrets.changes(changes),
  refused: secrets.refused(refused),
});
