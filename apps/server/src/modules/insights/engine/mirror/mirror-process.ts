/**
 * The process of the mirror: holds DuckDB, so that whatever happens to it ends this process and not the server. It reads
 * records from PostgreSQL itself and answers the server over its channel. Ends with the server.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeStale } from "./mirror-folder.ts";
import { openDatabase, type Pool } from "../../../../platform/db/db.ts";
import { makeLog } from "../../../../platform/log/log.ts";
import { prune, stopCapture } from "./change-capture.store.ts";
import { MirrorOfInstance, RefusedError } from "./mirror-of-instance.ts";
import { openMirrorDatabase } from "./mirror-database.store.ts";
import type { FromMirror, MirrorLimits, MirrorQuestion, ToMirror } from "./protocol.ts";

const TEND_MS = 5_000;
const PRUNE_MS = 60_000;
const IDLE_MS = 30 * 60_000;
const FAILURES_MS = 10_000;
/** Of an instance, until its copies are made anew. */
const MAX_FAILURES = 2;
const CONNECTIONS = 6;
/** Triggers that can't be dropped now, while others write, only cost those a little; a copy makes its own anew. */
const MAX_ATTEMPTS = 5;

const send = (message: FromMirror): void => void process.send?.(message, undefined, undefined, () => {});
const sayProblem = (facts: Record<string, unknown>, message: string): void =>
  send({ type: "log", level: "warn", facts, message });

class Mirrors {
  readonly #open = new Map<string, Promise<MirrorOfInstance>>();
  readonly #pool: Pool;
  readonly #folder: string;
  readonly #limits: MirrorLimits;
  readonly #failures = new Map<string, number>();

  constructor(pool: Pool, folder: string, limits: MirrorLimits) {
    this.#pool = pool;
    this.#folder = folder;
    this.#limits = limits;
  }

  async of(schema: string): Promise<MirrorOfInstance> {
    const known = this.#open.get(schema);
    if (known) return known;
    await this.#makeRoom();
    const opened = this.#make(schema);
    this.#open.set(schema, opened);
    opened.catch(() => this.#open.delete(schema));
    return opened;
  }

  async #make(schema: string): Promise<MirrorOfInstance> {
    const database = await openMirrorDatabase(join(this.#folder, schema), this.#limits);
    const { log, onChange } = {
      log: (level: "info" | "warn", facts: Record<string, unknown>, message: string) =>
        send({ type: "log", level, facts, message }),
      onChange: () => void this.publishState(),
    };
    const now = () => performance.now();
    return new MirrorOfInstance({ pool: this.#pool, schema, limits: this.#limits, log, now, onChange }, database);
  }

  async publishState(): Promise<void> {
    const open = await Promise.all(this.#open.values());
    send({ type: "tables", tables: open.flatMap((mirror) => mirror.tables()) });
  }

  async #makeRoom(): Promise<void> {
    if (this.#open.size < this.#limits.instances) return;
    const open = await Promise.all([...this.#open].map(async ([schema, mirror]) => ({ schema, mirror: await mirror })));
    const [oldest] = open.toSorted((one, other) => one.mirror.lastAsked - other.mirror.lastAsked);
    if (oldest) await this.drop(oldest.schema);
  }

  async drop(schema: string): Promise<void> {
    const mirror = this.#open.get(schema);
    this.#open.delete(schema);
    await (await mirror)?.close();
    await stopCapture(this.#pool, schema);
  }

  /** After an error of DuckDB its file may be broken: the copies are made anew. */
  async onFailure(schema: string): Promise<void> {
    const failures = (this.#failures.get(schema) ?? 0) + 1;
    this.#failures.set(schema, failures % MAX_FAILURES);
    if (failures === MAX_FAILURES) await this.drop(schema);
  }

  async tend(isPruning: boolean): Promise<void> {
    for (const [schema, opened] of this.#open) {
      try {
        const mirror = await opened;
        if (performance.now() - mirror.lastAsked > IDLE_MS) await this.drop(schema);
        else {
          await mirror.tend();
          if (isPruning) await prune(this.#pool, schema);
        }
      } catch (error) {
        // An instance that is gone, or whose file is broken, is no matter of the others.
        sayFailure(error);
        await this.onFailure(schema).catch(sayFailure);
      }
    }
    await this.publishState();
  }
}

let lastSaid = -FAILURES_MS;

/** What fails once fails at each question. */
function sayFailure(error: unknown): void {
  if (performance.now() - lastSaid < FAILURES_MS) return;
  lastSaid = performance.now();
  sayProblem({ reason: String(error) }, "the mirror could not answer a question: PostgreSQL did");
}

async function answer(mirrors: Mirrors, id: number, question: MirrorQuestion): Promise<void> {
  try {
    const mirror = await mirrors.of(question.schema);
    send({ type: "answer", id, answer: await mirror.ask(question) });
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      sayFailure(error);
      await mirrors.onFailure(question.schema);
    }
    send({ type: "refusal", id, reason: error instanceof RefusedError ? error.reason : "failed" });
  }
}

async function start({ url, folder, limits }: Extract<ToMirror, { type: "start" }>): Promise<Mirrors> {
  const database = openDatabase({
    ...{ url, name: "accord-mirror", connections: CONNECTIONS, idleInTransactionTimeoutMs: 30_000 },
    log: makeLog({ logLevel: "silent" }),
  });
  // What an earlier process left noted is of no use: its copies are gone.
  await removeStale(folder);
  for (let attempt = 1; !(await stopCapture(database.pool)) && attempt < MAX_ATTEMPTS; attempt += 1) await sleep(500);
  const mirrors = new Mirrors(database.pool, folder, limits);
  let turns = 0;
  let isTending = false;
  setInterval(() => {
    if (isTending) return;
    isTending = true;
    turns += 1;
    void mirrors
      .tend(turns % (PRUNE_MS / TEND_MS) === 0)
      .catch((error: unknown) => sayProblem({ reason: String(error) }, "the mirror could not catch up"))
      .finally(() => (isTending = false));
  }, TEND_MS);
  send({ type: "ready" });
  return mirrors;
}

let started: Promise<Mirrors> | undefined;
process.on("message", (message: ToMirror) => {
  if (message.type === "start") {
    started = start(message);
    started.catch((error: unknown) => {
      sayProblem({ reason: String(error) }, "the mirror could not start");
      process.exit(1);
    });
    return;
  }
  if (message.type === "ask") void started?.then((mirrors) => answer(mirrors, message.id, message.question));
});
process.on("disconnect", () => process.exit(0));
