/** Systems that have not answered, or have taken no calls, for so long that people want to know of it. */
import type { HeldUp } from "../../schedule/pipeline-rows.store.ts";

/** Milliseconds after which a system is named. Most calls are answered in a fraction of that. */
export const SLOW_CALL_MS = 10_000;

interface Connector {
  /** When each call under way began, in order: UTC milliseconds. */
  calls: number[];
  /** Calls that wait until it takes calls again. */
  waits: number;
  /** Since when it has answered nothing that it was asked; undefined while nothing is owed. */
  since: number | undefined;
  /** It has asked for a pause since it last answered. */
  isLimited: boolean;
}

export class SlowCalls {
  readonly #now: () => number;
  readonly #connectors = new Map<string, Connector>();
  #written = "[]";

  /** `now`: UTC milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isWaiting(): boolean {
    return [...this.#connectors.values()].some(({ waits }) => waits > 0);
  }

  /** A call begins; answers how to say that it is over. One that failed, and is tried again, is as none that was answered. */
  begin(connectorId: string): (isAnswered: boolean) => void {
    const connector = this.#of(connectorId);
    const began = this.#now();
    connector.calls.push(began);
    connector.since ??= began;
    return (isAnswered) => {
      connector.calls.splice(connector.calls.indexOf(began), 1);
      if (isAnswered) this.answered(connectorId);
    };
  }

  /** It has answered something: only what is still under way is owed. */
  answered(connectorId: string): void {
    const connector = this.#of(connectorId);
    connector.since = connector.calls[0];
    connector.isLimited = connector.waits > 0;
  }

  /** A call waits for a system to take calls again, or waits no more. */
  wait(connectorId: string, isWaiting: boolean): void {
    const connector = this.#of(connectorId);
    connector.waits += isWaiting ? 1 : -1;
    if (!isWaiting) return;
    connector.since ??= this.#now();
    connector.isLimited = true;
  }

  /** Notes what was written down; answers whether it is something else than before. */
  noteWritten(heldUp: readonly HeldUp[]): boolean {
    const before = this.#written;
    this.#written = JSON.stringify(heldUp);
    return this.#written !== before;
  }

  /** Systems that hold the cycle up, each once. */
  heldUp(): HeldUp[] {
    const now = this.#now();
    return [...this.#connectors].flatMap(([connectorId, { since, isLimited }]) =>
      since !== undefined && now - since >= SLOW_CALL_MS ? [{ connectorId, isLimited, since }] : [],
    );
  }

  #of(connectorId: string): Connector {
    const known = this.#connectors.get(connectorId);
    if (known) return known;
    const connector: Connector = { calls: [], waits: 0, since: undefined, isLimited: false };
    this.#connectors.set(connectorId, connector);
    return connector;
  }
}
