/** Watches actions: done once for each coming of a record, in order for each, none lost, and no failure unheard of. */
import type { ActionCall } from "@accord/sync-engine/actions";
import type { CommitBatch, CycleSummary } from "@accord/sync-engine/run";
import type { MemoryActions } from "../memory/memory-actions.ts";
import type { FinalState } from "./final-state.ts";
import type { Done, FakeService } from "../systems/fake-service.ts";

/** Where actions are written down, and who does them. */
export interface Acting {
  actions: MemoryActions;
  fakeService: FakeService;
}

const whoIs = ({ externalId, recordId }: ActionCall): string => externalId ?? recordId ?? "";

export class ActionInvariants {
  readonly #judged: FinalState;
  readonly #acting: Acting;
  readonly #broken: (rule: string) => void;
  /** By epoch: nodes whose actions failed for records that went on. */
  readonly #failed = new Map<number, Set<string>>();
  /** Comings of each action on the way that were committed, by node, external id and what it said. */
  readonly #occurrences = new Map<string, number>();

  /** Records came again though they had not changed. */
  #hasResyncs = false;

  constructor(judged: FinalState, acting: Acting, broken: (rule: string) => void) {
    this.#judged = judged;
    this.#acting = acting;
    this.#broken = broken;
  }

  /** A run begins. */
  begun(): void {
    this.#hasResyncs ||= this.#judged.store.resync !== null;
  }

  /** A page was committed; its actions are about to be written down, and its keys let go. */
  committed(epoch: number, { ledger, actions, endedOccurrences, position }: CommitBatch): void {
    if (!this.#judged.scenario.actionOptions) return;
    for (const key of endedOccurrences) {
      const kept = this.#acting.actions.kept.find((one) => one.key === key);
      if (!kept) continue;
      this.#count(kept.call);
      if (kept.outcome?.succeeded !== false) continue;
      this.#failed.set(epoch, (this.#failed.get(epoch) ?? new Set()).add(kept.call.nodeId));
    }
    for (const call of actions) this.#count(call);
    if (position?.of !== "changes") return;
    for (const { operation, externalId } of ledger) {
      const isArrival = operation === "create" || operation === "attach" || operation === "update";
      if (!isArrival || externalId === null) continue;
      if (!actions.some((call) => call.externalId === externalId))
        this.#broken("a page was committed without an action of one of its records");
    }
  }

  #count(call: ActionCall): void {
    const key = occurrenceOf(call);
    this.#occurrences.set(key, (this.#occurrences.get(key) ?? 0) + 1);
  }

  /** A cycle told what it did. */
  finished(epoch: number, { outcome, problems }: CycleSummary): void {
    if (outcome === "lost") return;
    for (const nodeId of this.#failed.get(epoch) ?? []) {
      const isReported = problems.some((problem) => problem.nodeId === nodeId && problem.severity === "warning");
      if (!isReported) this.#broken("an action failed and nobody was told");
    }
  }

  /** What must hold of every history once it is over. */
  conclude(now: number): void {
    const { actions, fakeService } = this.#acting;
    const done = Map.groupBy(fakeService.done, ({ id }) => id);
    if (actions.isBusy(now)) this.#broken("an action was never performed");
    for (const { id, state } of actions.kept) {
      const times = done.get(id)?.length ?? 0;
      if (times > 1) this.#broken("an action was performed twice");
      if (state === "DONE" && times === 0) this.#broken("an action counts as done that never was");
    }
    for (const [key, all] of Map.groupBy(fakeService.done, ({ call }) => call.key)) {
      if (isBehindCore(key) && all.length > 1) this.#broken("a version of a record was acted on twice");
    }
    this.#checkComings(fakeService.done);
    this.#checkOrder(fakeService.done);
  }

  /** On the way to the core, nobody is notified of one state of a record more often than it came. */
  #checkComings(done: readonly Done[]): void {
    const notified = Map.groupBy(
      done.filter(({ call }) => !isBehindCore(call.key)),
      ({ call }) => occurrenceOf(call),
    );
    // Once a field that was missing is there again, a record comes as it came before.
    const open = this.#judged.scenario.drift ? this.#acting.actions.kept.filter(({ key }) => key !== null) : [];
    const begunAgain = new Set(open.map(({ call }) => occurrenceOf(call)));
    for (const [key, all] of notified) {
      const came = this.#occurrences.get(key) ?? 0;
      // What its page began and never came back for counts once: the record went on to another state meanwhile.
      const most = this.#hasResyncs || begunAgain.has(key) ? came + 1 : Math.max(1, came);
      if (all.length > most) this.#broken(`told more often than it came: ${key}`);
    }
  }

  /** What nobody waits for is done for each record in the order in which it was written down. */
  #checkOrder(done: readonly Done[]): void {
    const latest = new Map<string, number>();
    const isWaiting = new Map(this.#acting.actions.kept.map(({ id, isAwaited }) => [id, isAwaited]));
    for (const { id, call } of done) {
      if (isWaiting.get(id)) continue;
      const number = Number(id.slice("action".length));
      if (number < (latest.get(whoIs(call)) ?? 0)) this.#broken("actions of one record out of their order");
      latest.set(whoIs(call), number);
    }
  }

  /** How often each node's action was done with a value in it, by node. */
  doneWith(value: string): Map<string, number> {
    const found = this.#acting.fakeService.done.filter(({ body }) => body.split(" ").includes(value));
    return new Map([...Map.groupBy(found, ({ call }) => call.nodeId)].map(([nodeId, all]) => [nodeId, all.length]));
  }
}

const isBehindCore = (key: string): boolean => key.startsWith("post ") || key.startsWith("tell ");

const occurrenceOf = (call: ActionCall): string =>
  `${call.nodeId} ${whoIs(call)} ${"body" in call.work ? String(call.work.body) : ""} ${call.key}`;
