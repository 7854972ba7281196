/**
 * How many cycles a worker runs side by side: few that compute or use our own database, many that wait for systems
 * outside, and only some that wait for the same one. So one slow system delays only the pipelines that use it.
 */
import type { ReadPage } from "@accord/connector-sdk";

/** Cycles that compute or use our own database. */
const MAX_BUSY = 6;
/** Cycles altogether. */
const MAX_CYCLES = 150;
/** Cycles with a call of the same connector under way. */
const MAX_PER_CONNECTOR = 8;
/**
 * Pages of all cycles: those that were read and are not yet stored, and those that are being read, by the size that is
 * expected of them. The cycles that began first read the page they wait for all the same.
 */
const MAX_PAGE_BYTES = 256_000_000;
/** Expected of the first page that a system gives. */
const FIRST_PAGE_BYTES = 32_000_000;
/** Expected at least: a source that had little to tell may have much. */
const MIN_PAGE_BYTES = 1_000_000;
/** What is expected goes down by this with each smaller page. */
const SIZE_DECAY = 0.9;
const ALWAYS_READING = 2;
/** A call outside that takes longer than this counts as waiting. */
const WAITING_AFTER_MS = 200;
/** Records of a page that are measured to estimate all of it. */
const MAX_MEASURED = 20;
/** Of a number, a truth value or nothing. */
const CHARACTERS_OF_SCALAR = 8;
/** What a value takes in memory for each character of its JSON. */
const BYTES_PER_CHARACTER = 2;

/** An entity of a system. */
export interface PageSource {
  connectorId: string;
  entity: string;
}

/** Pages of one source of a cycle in order; null: being read. */
interface PagesOfSource {
  slots: readonly { requestId: number; page: ReadPage | null }[];
}

interface PageRead extends PageSource {
  /** Expected. */
  bytes: number;
  isFirst: boolean;
}

/** How many cycles of each kind may be under way in one process. */
export interface SlotBounds {
  busy: number;
  cycles: number;
  perConnector: number;
}

const WORKER_BOUNDS: SlotBounds = { busy: MAX_BUSY, cycles: MAX_CYCLES, perConnector: MAX_PER_CONNECTOR };

export class CycleSlots {
  readonly #now: () => number;
  readonly #bounds: SlotBounds;
  /** In the order in which their cycles began. */
  readonly #slots = new Set<CycleSlot>();
  /** Connectors that pipelines use, for the version that was taken last. */
  readonly #connectors = new Map<string, { versionNumber: number; connectorIds: readonly string[] }>();
  /** Sizes expected of pages, by connector and entity. */
  readonly #pageSizes = new Map<string, Map<string, number>>();

  /** `now`: steady milliseconds. */
  constructor(now: () => number, bounds = WORKER_BOUNDS) {
    this.#now = now;
    this.#bounds = bounds;
  }

  begin(pipeline: string): CycleSlot {
    const slot = new CycleSlot(pipeline, this.#now, {
      expect: (asking, source, isAwaited) => this.#expect(asking, source, isAwaited),
      learn: (source, bytes) => this.#learnSize(source, bytes),
      end: () => void this.#slots.delete(slot),
    });
    this.#slots.add(slot);
    return slot;
  }

  /** Pipelines that have a cycle. */
  get running(): string[] {
    return [...this.#slots].map(({ pipeline }) => pipeline);
  }

  canBegin(): boolean {
    const slots = [...this.#slots];
    const busy = slots.filter(({ isWaiting }) => !isWaiting).length;
    return slots.length < this.#bounds.cycles && busy < this.#bounds.busy && this.#pageBytes < MAX_PAGE_BYTES;
  }

  /** Milliseconds until a cycle whose call is under way counts as waiting; null when none will. */
  get nextWaitingIn(): number | null {
    const left = [...this.#slots].flatMap(({ waitsInMs }) => (waitsInMs === null ? [] : [waitsInMs]));
    return left.length > 0 ? Math.min(...left) : null;
  }

  knows(pipeline: string, versionNumber: number): boolean {
    return this.#connectors.get(pipeline)?.versionNumber === versionNumber;
  }

  learn(pipeline: string, versionNumber: number, connectorIds: readonly string[]): void {
    this.#connectors.set(pipeline, { versionNumber, connectorIds });
  }

  /** Whether too many cycles wait for one of its connectors to begin another one. */
  isHeldUp(pipeline: string): boolean {
    const full = this.#full();
    return this.#connectors.get(pipeline)?.connectorIds.some((connectorId) => full.has(connectorId)) ?? false;
  }

  /** Pipelines known to use a connector that too many cycles wait for, each with the version that does. */
  heldUp(): string[] {
    const full = this.#full();
    return [...this.#connectors].flatMap(([pipeline, { versionNumber, connectorIds }]) =>
      connectorIds.some((connectorId) => full.has(connectorId)) ? [`${pipeline}/${versionNumber}`] : [],
    );
  }

  #full(): Set<string> {
    const calls = new Map<string, number>();
    for (const { calledConnectors } of this.#slots) {
      for (const connectorId of calledConnectors) calls.set(connectorId, (calls.get(connectorId) ?? 0) + 1);
    }
    const { perConnector } = this.#bounds;
    return new Set([...calls].flatMap(([connectorId, count]) => (count >= perConnector ? [connectorId] : [])));
  }

  get #pageBytes(): number {
    return [...this.#slots].reduce((sum, { pageBytes }) => sum + pageBytes, 0);
  }

  /** The read that is allowed now; null while there is no room for it. */
  #expect(asking: CycleSlot, source: PageSource, isAwaited: boolean): PageRead | null {
    const known = this.#pageSizes.get(source.connectorId);
    const bytes = known?.get(source.entity) ?? Math.max(...(known?.values() ?? [FIRST_PAGE_BYTES]));
    const read: PageRead = { ...source, bytes, isFirst: known === undefined };
    if (isAwaited && [...this.#slots].slice(0, ALWAYS_READING).includes(asking)) return read;
    const reads = [...this.#slots].flatMap(({ pageReads }) => [...pageReads]);
    // A system of which nothing is known yet takes the room of one page, however slow it is and whoever waits for it.
    if (read.isFirst && reads.some(({ isFirst, connectorId }) => isFirst && connectorId === source.connectorId))
      return null;
    const taken = reads.reduce((sum, one) => sum + one.bytes, this.#pageBytes);
    return taken === 0 || taken + bytes <= MAX_PAGE_BYTES ? read : null;
  }

  #learnSize({ connectorId, entity }: PageSource, bytes: number): void {
    const known = this.#pageSizes.get(connectorId) ?? new Map<string, number>();
    this.#pageSizes.set(connectorId, known);
    known.set(entity, Math.max(MIN_PAGE_BYTES, bytes, (known.get(entity) ?? 0) * SIZE_DECAY));
  }
}

interface SlotOwner {
  expect(asking: CycleSlot, source: PageSource, isAwaited: boolean): PageRead | null;
  learn(source: PageSource, bytes: number): void;
  end(): void;
}

/** One cycle's part of what a worker can do at once. It begins as busy. */
export class CycleSlot {
  readonly pipeline: string;
  readonly #now: () => number;
  readonly #owner: SlotOwner;
  /** Work of our own under way. */
  #own = 0;
  /** Calls under way by connector; the empty name for calls that belong to none. */
  readonly #calls = new Map<string, number>();
  /** When only calls outside were left under way; null while there is other work, or nothing. */
  #outsideSince: number | null = null;
  readonly #sizes = new WeakMap<ReadPage, number>();
  /** Estimated size of the pages it holds. */
  pageBytes = 0;
  /** Pages that are being read. */
  readonly pageReads = new Set<PageRead>();
  /** Tickets of the reads without which it does not get on. */
  #awaited: ReadonlySet<number> = new Set();

  constructor(pipeline: string, now: () => number, owner: SlotOwner) {
    this.pipeline = pipeline;
    this.#now = now;
    this.#owner = owner;
  }

  get isWaiting(): boolean {
    return this.waitsInMs === 0;
  }

  /** Milliseconds until it counts as waiting, 0 when it does; null while it works. */
  get waitsInMs(): number | null {
    return this.#outsideSince === null ? null : Math.max(0, this.#outsideSince + WAITING_AFTER_MS - this.#now());
  }

  get calledConnectors(): string[] {
    return [...this.#calls.keys()].filter((connectorId) => connectorId !== "");
  }

  /** Work of our own; answers how to say that it is done. */
  works(): () => void {
    this.#own += 1;
    this.#note();
    return once(() => {
      this.#own -= 1;
      this.#note();
    });
  }

  /** A call of this connector, or of nobody known; answers how to say that it is over. */
  calls(connectorId: string | null): () => void {
    const key = connectorId ?? "";
    this.#calls.set(key, (this.#calls.get(key) ?? 0) + 1);
    this.#note();
    return once(() => {
      const left = (this.#calls.get(key) ?? 1) - 1;
      if (left > 0) this.#calls.set(key, left);
      else this.#calls.delete(key);
      this.#note();
    });
  }

  /**
   * Takes room for a page of this source; null while the pages of all cycles leave none. Answers how to say that the page
   * is there, or that none came (null): from then on it takes the room it needs while the cycle holds it.
   */
  reads(source: PageSource, requestId: number): ((page: ReadPage | null) => void) | null {
    const read = this.#owner.expect(this, source, this.#awaited.has(requestId));
    if (!read) return null;
    this.pageReads.add(read);
    return (page) => {
      if (this.pageReads.delete(read) && page) this.#owner.learn(source, this.#sizeOf(page));
    };
  }

  /** What the cycle's sources hold and read now. Without the first page of a source it does not get on. */
  holds(sources: readonly PagesOfSource[]): void {
    const pages = sources.flatMap(({ slots }) => slots.flatMap(({ page }) => page ?? []));
    this.pageBytes = pages.reduce((sum, page) => sum + this.#sizeOf(page), 0);
    this.#awaited = new Set(sources.flatMap(({ slots }) => (slots[0]?.page === null ? [slots[0].requestId] : [])));
  }

  end(): void {
    this.#owner.end();
  }

  #sizeOf(page: ReadPage): number {
    const known = this.#sizes.get(page);
    if (known !== undefined) return known;
    const { records } = page;
    const step = Math.max(1, Math.ceil(records.length / MAX_MEASURED));
    const measured = records.filter((_, index) => index % step === 0);
    const characters = measured.reduce((sum, record) => sum + charactersOf(record), 0);
    const size = measured.length === 0 ? 0 : (characters / measured.length) * records.length * BYTES_PER_CHARACTER;
    this.#sizes.set(page, size);
    return size;
  }

  #note(): void {
    const isExternal = this.#own === 0 && this.#calls.size > 0;
    if (!isExternal) this.#outsideSince = null;
    else this.#outsideSince ??= this.#now();
  }
}

/** About the characters a record takes as JSON. Without recursion: what systems answer may be nested without end. */
function charactersOf(record: object): number {
  const rest: unknown[] = [record];
  let characters = 0;
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part === "string") characters += part.length + 2;
    else if (typeof part !== "object" || part === null) characters += CHARACTERS_OF_SCALAR;
    else {
      for (const [key, value] of Object.entries(part)) {
        characters += Array.isArray(part) ? 1 : key.length + 4;
        rest.push(value);
      }
    }
  }
  return characters;
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
