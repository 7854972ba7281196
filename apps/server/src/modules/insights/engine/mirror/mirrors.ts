/**
 * The mirrors that are open, at most so many at once. They are opened and closed one after another, for
 * each of these has several steps: a lock, a file, triggers.
 */
import { join } from "node:path";
import type { Pool } from "../../../../platform/db/db.ts";
import { CaptureOwner } from "./capture-owner.store.ts";
import { capturedSchemas, prune, pruneForeign, stopCapture } from "./change-capture.store.ts";
import { openMirrorDatabase } from "./mirror-database.store.ts";
import { MirrorOfInstance } from "./mirror-of-instance.ts";
import type { MirroredTable, MirrorLimits } from "./protocol.ts";
import { isBrokenFile, RefusedError } from "./refusals.ts";

interface MirrorsOptions {
  pool: Pool;
  /** Holds a folder for each mirror that was opened, never the same twice. */
  folder: string;
  limits: MirrorLimits;
  say: (level: "info" | "warn", facts: Record<string, unknown>, message: string) => void;
  onFailure: (error: unknown) => void;
  onChange: () => void;
  onStuck: () => void;
}

const IDLE_MS = 30 * 60_000;
/** Of an instance, with a file that seems to be broken, until its copies are made anew. */
const MAX_FAILURES = 2;
/** What broke once may break again: not at once. */
const BROKEN_MS = 60_000;

interface Entry {
  mirror: Promise<MirrorOfInstance>;
}
interface OpenMirror {
  mirror: MirrorOfInstance;
  entry: Entry;
}

export class Mirrors {
  readonly #options: MirrorsOptions;
  readonly #owner: CaptureOwner;
  /** What questions are given, from the first one on. */
  readonly #entries = new Map<string, Entry>();
  /** What has a file and a lock. */
  readonly #open = new Map<string, OpenMirror>();
  readonly #failures = new Map<string, number>();
  readonly #brokenUntil = new Map<string, number>();
  /** Their changes are noted for nobody, as far as is known here. */
  readonly #toStop = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();
  #folders = 0;

  constructor(options: MirrorsOptions) {
    this.#options = options;
    this.#owner = new CaptureOwner(options.pool);
  }

  of(schema: string): Promise<MirrorOfInstance> {
    const known = this.#entries.get(schema);
    if (known) return known.mirror;
    if ((this.#brokenUntil.get(schema) ?? 0) > performance.now()) return Promise.reject(new RefusedError("failed"));
    // Known at once: of two questions the second one waits for the mirror of the first.
    const opening = Promise.withResolvers<MirrorOfInstance>();
    const entry: Entry = { mirror: opening.promise };
    this.#entries.set(schema, entry);
    void this.#inTurn(() => this.#make(schema, entry)).then(opening.resolve, (error: unknown) => {
      this.#forget(schema, entry);
      opening.reject(error);
    });
    return entry.mirror;
  }

  tables(): MirroredTable[] {
    return [...this.#open.values()].flatMap(({ mirror }) => mirror.tables());
  }

  /** What the copies of each open mirror take of the disk. */
  files(): Promise<{ schema: string; bytes: number }[]> {
    return Promise.all([...this.#open].map(async ([schema, { mirror }]) => ({ schema, bytes: await mirror.bytes() })));
  }

  /** Does not fail. */
  async drop(schema: string): Promise<void> {
    // Questions from now on get another one, which is opened when this one is closed.
    this.#entries.delete(schema);
    await this.#inTurn(() => this.#close(schema));
  }

  onAnswer(schema: string): void {
    this.#failures.delete(schema);
  }

  /** Where the file may be broken the copies are made anew. Other errors are no fault of the copies. */
  async onFailure(schema: string, error: unknown): Promise<void> {
    if (!isBrokenFile(error)) return;
    const failures = (this.#failures.get(schema) ?? 0) + 1;
    this.#failures.set(schema, failures);
    if (failures < MAX_FAILURES) return;
    this.#failures.delete(schema);
    this.#brokenUntil.set(schema, performance.now() + BROKEN_MS);
    await this.drop(schema);
  }

  async tend(isPruning: boolean): Promise<void> {
    await this.#owner.renew().catch(this.#options.onFailure);
    for (const [schema, { mirror }] of this.#open) {
      try {
        if (performance.now() - mirror.lastAsked > IDLE_MS) await this.drop(schema);
        else await mirror.tend();
      } catch (error) {
        // An instance that is gone, or whose file is broken, is no matter of the others.
        if (error instanceof RefusedError) continue;
        this.#options.onFailure(error);
        await (isGone(error) ? this.drop(schema) : this.onFailure(schema, error));
      }
    }
    await this.#inTurn(async () => {
      if (isPruning) await this.#pruneAll();
      await this.#stopPending();
    });
    this.#options.onChange();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #forget(schema: string, entry: Entry): void {
    if (this.#entries.get(schema) === entry) this.#entries.delete(schema);
  }

  async #make(schema: string, entry: Entry): Promise<MirrorOfInstance> {
    const { pool, folder, limits, say, onChange, onStuck, onFailure } = this.#options;
    await this.#close(schema);
    while (this.#open.size >= limits.instances) {
      const [oldest] = [...this.#open].toSorted(([, one], [, other]) => one.mirror.lastAsked - other.mirror.lastAsked);
      if (!oldest) break;
      await this.#close(oldest[0]);
    }
    await this.#owner.hold(schema);
    try {
      this.#toStop.delete(schema);
      await pruneForeign(pool, schema);
      this.#folders += 1;
      const database = await openMirrorDatabase(join(folder, `${schema}-${this.#folders}`), limits);
      const now = (): number => performance.now();
      const onBroken = (error: unknown): void => void this.onFailure(schema, error).catch(onFailure);
      const context = { pool, schema, limits, log: say, now, onChange, onStuck, onBroken };
      const mirror = new MirrorOfInstance(context, database);
      this.#open.set(schema, { mirror, entry });
      return mirror;
    } catch (error) {
      await this.#owner.release(schema).catch(onFailure);
      throw error;
    }
  }

  /** In turn. Does not fail: what can't be closed is left, and triggers that can't be dropped are dropped later. */
  async #close(schema: string): Promise<void> {
    const open = this.#open.get(schema);
    if (!open) return;
    this.#open.delete(schema);
    this.#forget(schema, open.entry);
    await open.mirror.close().catch(this.#options.onFailure);
    await this.#owner.release(schema).catch(this.#options.onFailure);
    this.#toStop.add(schema);
    await this.#stop(schema);
    this.#options.onChange();
  }

  async #stop(schema: string): Promise<void> {
    try {
      const { isBusy } = await stopCapture(this.#options.pool, schema);
      if (!isBusy) this.#toStop.delete(schema);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  async #stopPending(): Promise<void> {
    for (const schema of this.#toStop)
      if (this.#open.has(schema)) this.#toStop.delete(schema);
      else await this.#stop(schema);
  }

  /** Of all instances, for a server that noted the changes of some may be no more. */
  async #pruneAll(): Promise<void> {
    const { pool, onFailure } = this.#options;
    const schemas = await capturedSchemas(pool).catch((error: unknown) => {
      onFailure(error);
      return [];
    });
    for (const schema of schemas) {
      await prune(pool, schema).catch(onFailure);
      if (!this.#open.has(schema)) this.#toStop.add(schema);
    }
  }
}

const UNDEFINED_TABLE = "42P01";

/** The instance was deleted, and its schema with it. */
const isGone = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE;
