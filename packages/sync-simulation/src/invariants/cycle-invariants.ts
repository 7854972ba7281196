/** Watches what a cycle hears, does and says of itself: its summary is what people see of it. */
import type { CommitBatch, CycleSummary, Effect, Input, LedgerEntry, Plan } from "@accord/sync-engine/run";

interface Cycle {
  plan: Plan;
  /** By node: pages that are on their way into storage. */
  committing: Map<string, CommitBatch>;
  /** Places that are being told something, and what was asked last. */
  writing: Map<number, Effect["kind"]>;
  /** What people asked for first. */
  signal: "none" | "pause" | "cancelResync";
  created: number;
  updated: number;
  deleted: number;
  refused: number;
  quarantined: number;
  delivered: Map<number, number>;
}

const WRITING = new Set<Effect["kind"]>(["claim", "lookup", "intend", "send", "settle"]);

/** A record found by its key changes where its values do. */
const isUpdate = ({ operation, changes }: LedgerEntry): boolean =>
  operation === "update" || operation === "restore" || (operation === "attach" && Object.keys(changes).length > 0);

export class CycleInvariants {
  readonly #broken: (rule: string) => void;
  readonly #cycles = new Map<number, Cycle>();

  constructor(broken: (rule: string) => void) {
    this.#broken = broken;
  }

  begun(epoch: number, plan: Plan): void {
    this.#cycles.set(epoch, {
      plan,
      committing: new Map(),
      writing: new Map(),
      signal: "none",
      created: 0,
      updated: 0,
      deleted: 0,
      refused: 0,
      quarantined: 0,
      delivered: new Map(),
    });
  }

  heard(epoch: number, input: Input): void {
    const cycle = this.#cycles.get(epoch);
    if (!cycle) return;
    if ("placeId" in input && input.placeId !== null) cycle.writing.delete(input.placeId);
    if (input.kind === "signal") this.#asked(cycle, input.signal);
    if (input.kind === "sent") {
      const done = input.outcomes.filter(({ status }) => status === "done").length;
      cycle.delivered.set(input.placeId, (cycle.delivered.get(input.placeId) ?? 0) + done);
    }
    if (input.kind === "settled" && input.answer.status === "done" && input.answer.signal === "pause")
      this.#asked(cycle, "pause");
    if (input.kind !== "committed") return;
    const batch = cycle.committing.get(input.nodeId);
    cycle.committing.delete(input.nodeId);
    if (!batch || input.answer.status !== "done") return;
    this.#asked(cycle, input.answer.signal);
    cycle.created += batch.creates.length;
    cycle.updated += batch.ledger.filter(isUpdate).length;
    cycle.refused += batch.ledger.reduce((sum, { refused }) => sum + Object.keys(refused ?? {}).length, 0);
    cycle.deleted += batch.ledger.filter(({ operation }) => operation === "delete").length;
    cycle.quarantined += batch.quarantine.length;
  }

  did(epoch: number, effects: readonly Effect[]): void {
    const cycle = this.#cycles.get(epoch);
    if (!cycle) return;
    for (const effect of effects) {
      if (effect.kind === "commit") cycle.committing.set(effect.nodeId, effect.batch);
      if (effect.kind === "settle")
        cycle.quarantined += effect.settlements.filter(({ quarantine }) => quarantine !== null).length;
      if (effect.kind === "read") {
        const place = cycle.plan.sources.find(({ nodeId }) => nodeId === effect.nodeId)?.place.id;
        if (place !== undefined && cycle.writing.has(place)) this.#broken("a place was read while it was written");
      }
      if (WRITING.has(effect.kind) && "placeId" in effect && effect.placeId !== null)
        cycle.writing.set(effect.placeId, effect.kind);
    }
  }

  finished(epoch: number, { outcome, counts, problems }: CycleSummary): void {
    const cycle = this.#cycles.get(epoch);
    if (!cycle || outcome === "lost") return;
    const hasFailed = problems.some(({ severity }) => severity === "error");
    const expected = { none: hasFailed ? "failed" : "finished", pause: "paused", cancelResync: "cancelled" };
    if (outcome !== expected[cycle.signal])
      this.#broken(`a cycle says that it ${outcome}, but it ${expected[cycle.signal]}`);
    const delivered = [...cycle.delivered].filter(([placeId, count]) => (counts.delivered[placeId] ?? 0) !== count);
    if (delivered.length > 0) this.#broken("a cycle miscounts what it delivered");
    for (const kind of ["created", "updated", "deleted", "refused", "quarantined"] as const)
      if (counts[kind] !== cycle[kind])
        this.#broken(`a cycle miscounts what it ${kind}: ${counts[kind]}, not ${cycle[kind]}`);
  }

  #asked(cycle: Cycle, signal: Cycle["signal"]): void {
    if (cycle.signal === "none") cycle.signal = signal;
  }
}
