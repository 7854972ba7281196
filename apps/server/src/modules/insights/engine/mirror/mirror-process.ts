/**
 * The process of the mirror: holds DuckDB, so that whatever happens to it ends this process and not the server. It reads
 * records from PostgreSQL itself and answers the server over its channel. Ends with the server.
 */
import { openDatabase } from "../../../../platform/db/db.ts";
import { makeLog } from "../../../../platform/log/log.ts";
import { stopCapture } from "./change-capture.store.ts";
import { emptyFolder, removeStale, touch } from "./mirror-folder.ts";
import { Mirrors } from "./mirrors.ts";
import type { FromMirror, MirrorQuestion, ToMirror } from "./protocol.ts";
import { RefusedError, untilAborted } from "./refusals.ts";

const TEND_MS = 5_000;
const PRUNE_MS = 60_000;
const FAILURES_MS = 10_000;
const CONNECTIONS = 8;

const send = (message: FromMirror): void => void process.send?.(message, undefined, undefined, () => {});
const sayProblem = (facts: Record<string, unknown>, message: string): void =>
  send({ type: "log", level: "warn", facts, message });

let lastSaid = -FAILURES_MS;

/** What fails once fails at each question. */
function sayFailure(error: unknown): void {
  if (performance.now() - lastSaid < FAILURES_MS) return;
  lastSaid = performance.now();
  sayProblem({ reason: String(error) }, "the mirror could not do its work: PostgreSQL answers");
}

/** Questions that somebody waits for. */
const asked = new Map<number, AbortController>();

/** From its arrival on a question has its time, wherever it waits. */
async function answer(starting: Promise<Mirrors>, id: number, question: MirrorQuestion): Promise<void> {
  const { schema, timeoutMs } = question;
  const ending = new AbortController();
  asked.set(id, ending);
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const { signal } = ending;
  let mirrors: Mirrors | undefined;
  try {
    mirrors = await untilAborted(starting, signal);
    const mirror = await untilAborted(mirrors.of(schema), signal);
    send({ type: "answer", id, answer: await mirror.ask(question, signal) });
    mirrors.onAnswer(schema);
  } catch (error) {
    send({ type: "refusal", id, reason: error instanceof RefusedError ? error.reason : "failed" });
    if (error instanceof RefusedError) return;
    sayFailure(error);
    await mirrors?.onFailure(schema, error);
  } finally {
    clearTimeout(timer);
    asked.delete(id);
  }
}

async function start({ url, folder, limits }: Extract<ToMirror, { type: "start" }>): Promise<Mirrors> {
  const { pool } = openDatabase({
    ...{ url, name: "accord-mirror", connections: CONNECTIONS, idleInTransactionTimeoutMs: 30_000 },
    log: makeLog({ logLevel: "silent" }),
  });
  await emptyFolder(folder);
  await removeStale(folder);
  // What an earlier process left noted is of no use: its copies are gone. Where others write, it is tried again later.
  await stopCapture(pool);
  const mirrors: Mirrors = new Mirrors({
    ...{ pool, folder, limits, onFailure: sayFailure },
    say: (level, facts, message) => send({ type: "log", level, facts, message }),
    onChange: () =>
      void mirrors.files().then((files) => send({ type: "tables", tables: mirrors.tables(), files }), sayFailure),
    onStuck() {
      process.stderr.write("Error: DuckDB did not stop a question\n");
      process.exit(1);
    },
  });
  let turns = 0;
  let isTending = false;
  setInterval(() => {
    touch(folder).catch(sayFailure);
    if (isTending) return;
    isTending = true;
    turns += 1;
    const isPruning = turns % (PRUNE_MS / TEND_MS) === 0;
    if (isPruning) removeStale(folder).catch(sayFailure);
    void mirrors
      .tend(isPruning)
      .catch((error: unknown) => sayProblem({ reason: String(error) }, "the mirror could not catch up"))
      .finally(() => (isTending = false));
  }, TEND_MS);
  send({ type: "ready" });
  return mirrors;
}

let started: Promise<Mirrors> | undefined;
process.on("message", (message: ToMirror) => {
  switch (message.type) {
    case "start":
      started = start(message);
      started.catch((error: unknown) => {
        sayProblem({ reason: String(error) }, "the mirror could not start");
        process.exit(1);
      });
      break;
    case "ask":
      if (started) answer(started, message.id, message.question).catch(sayFailure);
      break;
    case "cancel":
      asked.get(message.id)?.abort();
      break;
    case "ping":
      send({ type: "pong" });
  }
});
process.on("disconnect", () => process.exit(0));
