/**
 * One reconciliation: reads every system of a pipeline to its end, page by page, and compares what it holds with links and
 * core. Nothing is locked and nothing is written to systems or records: what looks different is looked at again by its
 * id after the pipeline has run through, and reported only if it still is.
 */
import { type Connection, ConnectorError, type SourceRecord } from "@accord/connector-sdk";
import type { ReconciledSystem } from "@accord/contracts/sync/reconciliation";
import { AppError } from "../../../platform/http/app-error.ts";
import type { CompiledPipeline } from "../runs/index.ts";
import { doubledRecords } from "./comparison/doubled.ts";
import { type DeletionScanner, type Means, suspectOf } from "./comparison/looks.ts";
import { fingerprintOf, pagesOf, subjectOf } from "./comparison/read-system.ts";
import type { ReportProgress, ReportSummary } from "./report/reports.store.ts";
import type { FoundDifference, Subject } from "./comparison/subjects.ts";
import { noNumbers } from "./comparison/system-numbers.ts";
import { type ComparedSystem, systemsOf } from "./comparison/systems.ts";
import type { SuspectRow, WorkKey } from "./comparison/work.store.ts";

/** Links and records looked for at once. */
const BATCH = 500;
/** Records read there but not here are looked at again until the pipeline had this many chances. */
const MAX_SCANS = 4;
/** How often it is looked whether the pipeline has run through. */
const POLL_MS = 250;

/** Differences of one kind and reason that are stored; of more, only the number is known. */
export const MAX_STORED = 10_000;

export interface ReconcileOptions {
  key: WorkKey;
  pipeline: CompiledPipeline;
  /** Longest wait for the pipeline to run through between two looks. */
  settleMs: number;
  signal: AbortSignal;
  /** Called after each page and batch. Throws when it must end. */
  onProgress(progress: ReportProgress): Promise<void>;
}

export async function reconcile(
  means: Means,
  scanner: DeletionScanner,
  options: ReconcileOptions,
): Promise<ReportSummary> {
  const reconciling = new Reconciling(means, scanner, options);
  return reconciling.run();
}

class Reconciling {
  readonly #means: Means;
  readonly #scanner: DeletionScanner;
  readonly #options: ReconcileOptions;
  readonly #systems: readonly ComparedSystem[];
  readonly #numbers = new Map<number, ReconciledSystem>();
  readonly #counts = new Map<string, number>();
  readonly #progress: Required<ReportProgress> = { phase: "reading", listed: 0, expected: null, suspects: 0 };

  constructor(means: Means, scanner: DeletionScanner, options: ReconcileOptions) {
    this.#means = means;
    this.#scanner = scanner;
    this.#options = options;
    this.#systems = systemsOf(options.pipeline);
    for (const system of this.#systems) {
      this.#numbers.set(system.placeId, noNumbers(system));
    }
  }

  async run(): Promise<ReportSummary> {
    const { work, evidence } = this.#means;
    const { key, pipeline } = this.#options;
    await work.clear(key, "all");
    const listed = this.#comparable();
    this.#progress.expected = await work.countLinks(
      key,
      listed.map(({ placeId }) => placeId),
    );
    await this.#report();
    for (const system of listed) await this.#guarded(system, () => this.#read(system));
    await work.analyze(key);
    await this.#enter("matching");
    for (const system of this.#comparable()) await this.#match(system);
    const coreRecords = await work.countCore(key, pipeline);
    // A record that changes from now on is new in the next look.
    let lookedAt = await evidence.databaseTime();
    for (let look = 1; look <= MAX_SCANS && (await this.#countSuspects()) > 0; look += 1) {
      await this.#settle(lookedAt);
      await this.#enter("checking");
      const since = lookedAt;
      lookedAt = await evidence.databaseTime();
      for (const system of this.#comparable()) {
        await this.#guarded(system, () => this.#check(system, since, look === MAX_SCANS));
      }
    }
    for (const system of this.#comparable()) {
      const doubled = await doubledRecords(this.#means, key, pipeline, system);
      await this.#add(system, doubled);
    }
    await work.clear(key, "work");
    return { coreRecords, systems: [...this.#numbers.values()], counts: Object.fromEntries(this.#counts) };
  }

  #comparable(): ComparedSystem[] {
    return this.#systems.filter((system) => this.#numbersOf(system).problem === null);
  }

  /** A system that can't be read leaves the others to be compared. */
  async #guarded(system: ComparedSystem, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isExpected = error instanceof ConnectorError || error instanceof AppError;
      if (!isExpected || this.#options.signal.aborted) throw error;
      Object.assign(this.#numbersOf(system), { problem: error.message, isFailed: true });
      await this.#means.work.dropSuspectsOf(this.#options.key, system.placeId);
    }
  }

  /** Walks a system to its end. */
  async #read(system: ComparedSystem): Promise<void> {
    const { signal } = this.#options;
    await this.#scanner.connected(system, signal, async (connection) => {
      for await (const { records, bad } of pagesOf(connection, system, signal)) {
        this.#numbersOf(system).unreadable += bad.filter(({ id }) => id === undefined).length;
        const unreadable = new Set(bad.flatMap(({ id }) => id ?? []));
        for (const { id } of records) unreadable.delete(id);
        await this.#takePage(system, records, [...unreadable]);
      }
    });
  }

  async #takePage(
    system: ComparedSystem,
    records: readonly SourceRecord[],
    unreadable: readonly string[],
  ): Promise<void> {
    const { work } = this.#means;
    const { key } = this.#options;
    const { placeId } = system;
    const numbers = this.#numbersOf(system);
    const fresh = await work.addListed(key, placeId, [
      ...records.map(({ id, values }) => ({ externalId: id, fingerprint: fingerprintOf(system, values) })),
      ...unreadable.map((externalId) => ({ externalId, fingerprint: null })),
    ]);
    const compareAll = async (subjects: readonly Subject[], isCounted: boolean): Promise<void> => {
      for (let start = 0; start < subjects.length; start += BATCH) {
        const batch = await this.#scanner.compare(system, subjects.slice(start, start + BATCH));
        await work.addSuspects(key, placeId, batch.compared.flatMap(suspectOf));
        if (!isCounted) continue;
        numbers.filtered += batch.filtered;
        numbers.unknown += batch.unknown;
      }
    };
    const news = records.filter(({ id }) => fresh.has(id));
    await compareAll(news.map(subjectOf), true);
    // Where pages overlap, or a list that moved is read again: as it stands now, but counted already.
    const repeated = records.filter(({ id }) => !fresh.has(id));
    await compareAll(repeated.map(subjectOf), false);
    numbers.unreadable += unreadable.filter((id) => fresh.has(id)).length;
    numbers.listed += news.length;
    this.#progress.listed += news.length;
    await this.#report();
  }

  /** What the walk did not show: alive links to nothing, and records that the system should have. */
  async #match(system: ComparedSystem): Promise<void> {
    const { work } = this.#means;
    const { key, pipeline } = this.#options;
    const { placeId } = system;
    const absent = { values: null, modifiedAt: null };
    await this.#eachBatch(
      (after) => work.missingLinks(key, placeId, after, BATCH),
      (ids) =>
        this.#suspect(
          system,
          ids.map((externalId) => ({ externalId, recordId: null, ...absent })),
        ),
    );
    if (!system.sink) return;
    await this.#eachBatch(
      (after) => work.undelivered(key, pipeline, placeId, after, BATCH),
      (ids) =>
        this.#suspect(
          system,
          ids.map((recordId) => ({ externalId: null, recordId, ...absent })),
        ),
    );
  }

  async #eachBatch(read: (after: string) => Promise<string[]>, take: (ids: string[]) => Promise<void>): Promise<void> {
    for (let after = ""; ;) {
      this.#options.signal.throwIfAborted();
      const ids = await read(after);
      const last = ids.at(-1);
      if (last === undefined) return;
      await take(ids);
      await this.#report();
      after = last;
    }
  }

  async #suspect(system: ComparedSystem, subjects: readonly Subject[]): Promise<void> {
    const { compared } = await this.#scanner.compare(system, subjects);
    await this.#means.work.addSuspects(this.#options.key, system.placeId, compared.flatMap(suspectOf));
  }

  /** Waits until the pipeline has run a whole cycle since, asking for one; not for ever, and not while it is paused. */
  async #settle(since: string): Promise<void> {
    const { evidence, clock, requestCycle } = this.#means;
    const { key, settleMs, signal } = this.#options;
    await this.#enter("settling");
    await requestCycle(key);
    const deadline = clock.monotonicMs() + settleMs;
    while (clock.monotonicMs() < deadline) {
      const progress = await evidence.progress(key, since);
      if (!progress || progress.isPaused || progress.hasCycled) return;
      await this.#report();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      signal.throwIfAborted();
    }
  }

  /** Looks once more, by id, at what looked different. */
  async #check(system: ComparedSystem, since: string, isLast: boolean): Promise<void> {
    const { work } = this.#means;
    const { key, signal } = this.#options;
    await this.#scanner.connected(system, signal, async (connection) => {
      const isById = system.canGetById && connection.getByIds !== undefined;
      if (!isById) await this.#readAgain(system, connection);
      let after: SuspectRow | null = null;
      for (;;) {
        signal.throwIfAborted();
        const suspects = await work.suspects(key, system.placeId, after, BATCH);
        after = suspects.at(-1) ?? null;
        if (!after) return;
        const verdict = await this.#scanner.resolveAgain(system, connection, suspects, { since, isLast });
        await this.#add(system, verdict.differences);
        await work.dropSuspects(key, system.placeId, verdict.settled);
        await work.addSuspects(key, system.placeId, verdict.moving);
        await this.#report();
      }
    });
  }

  /** A system that can't be asked for single records is read once more; only suspected ones are kept. */
  async #readAgain(system: ComparedSystem, connection: Connection): Promise<void> {
    const { work } = this.#means;
    const { key, signal } = this.#options;
    await work.forgetSuspects(key, system.placeId);
    if ((await work.countSuspectsOf(key, system.placeId)) === 0) return;
    for await (const { records } of pagesOf(connection, system, signal)) {
      await work.rememberSuspects(key, system.placeId, records);
      await this.#report();
    }
  }

  async #add(system: ComparedSystem, found: readonly FoundDifference[]): Promise<void> {
    const stored = found.filter(({ kind, reason }) => {
      const name = `${kind} ${reason}`;
      const count = (this.#counts.get(name) ?? 0) + 1;
      this.#counts.set(name, count);
      return count <= MAX_STORED;
    });
    const { seals, secrets } = this.#options.pipeline.seals.at(system.placeId);
    const sealed = stored.map((one) => {
      const name = [one.field, one.connectorField].find((field) => field !== null && secrets.has(field)) ?? "";
      const [outsideValue, coreValue] = [seals.seal(name, one.outsideValue), seals.seal(name, one.coreValue)];
      return { ...one, outsideValue, coreValue };
    });
    await this.#means.reports.addDifferences(this.#options.key, system.placeId, sealed);
  }

  async #countSuspects(): Promise<number> {
    this.#progress.suspects = await this.#means.work.countSuspects(this.#options.key);
    return this.#progress.suspects;
  }

  async #enter(phase: Required<ReportProgress>["phase"]): Promise<void> {
    this.#progress.phase = phase;
    await this.#report();
  }

  #report(): Promise<void> {
    return this.#options.onProgress(this.#progress);
  }

  #numbersOf({ placeId }: ComparedSystem): ReconciledSystem {
    const numbers = this.#numbers.get(placeId);
    if (!numbers) throw new Error(`no numbers of place ${placeId}`);
    return numbers;
  }
}
