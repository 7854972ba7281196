/** The embedded PostgreSQL against everything that happens to processes: kill -9, stale numbers, a second start. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import pg from "pg";
import { openDatabases } from "../db/open.ts";
import { transaction } from "../db/transaction.ts";
import { findExposure } from "./exposure.ts";
import { makeLog } from "../log/log.ts";
import { runningPostmaster } from "./cluster.ts";
import { isAlive, waitForEnd } from "./process-identity.ts";

const PROGRAM = join(import.meta.dirname, "../../../test-kit/programs/count-up.ts");
const log = makeLog({ logLevel: "silent" });
const started: ChildProcess[] = [];
let home = "";
let dataFolder = "";

/** A home that was started once and stopped: making its cluster is slow, copying it is not. */
let madeHome = "";

beforeAll(async () => {
  madeHome = newFolder();
  await openDatabases({ home: madeHome }, log).then((databases) => databases.close());
});
beforeEach(() => useHome(madeHome));
afterAll(() => rmSync(madeHome, { recursive: true, force: true }));
afterEach(async () => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  const left = runningPostmaster(dataFolder);
  if (left) {
    process.kill(left, "SIGQUIT");
    await waitForEnd(left, 5_000);
  }
  rmSync(home, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-home-"));
  chmodSync(folder, 0o755);
  return folder;
}

function useHome(copyOf?: string): void {
  if (home) rmSync(home, { recursive: true, force: true });
  home = newFolder();
  dataFolder = join(home, "postgres/data");
  if (copyOf) execFileSync("cp", ["-a", `${copyOf}/.`, home]);
}

/** A child process that counts up in the database of `home`, and what it has said. */
function startCounting() {
  const child = spawn(process.execPath, [PROGRAM, home], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  const lines: string[] = [];
  const waiting: { enough: () => boolean; done: () => void }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const { enough, done } of waiting) if (enough()) done();
  });
  const until = (enough: () => boolean): Promise<void> =>
    enough() ? Promise.resolve() : new Promise((done) => waiting.push({ enough, done }));
  const counted = (): number => Number(lines.findLast((line) => /^\d+$/.test(line)) ?? 0);
  return {
    pid: child.pid ?? 0,
    first: () => until(() => lines.length > 0).then(() => lines[0] ?? ""),
    /** The highest number that was promised to be safe. */
    counted,
    countMore: (by: number) => {
      const goal = counted() + by;
      return until(() => counted() >= goal);
    },
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await waitForEnd(child.pid ?? 0, 20_000);
    },
  };
}

async function killPostgres(): Promise<void> {
  // Between a kill and the next start there is none for a moment.
  let pid = runningPostmaster(dataFolder);
  for (; pid === undefined; pid = runningPostmaster(dataFolder)) await sleep(20);
  process.kill(pid, "SIGKILL");
  await waitForEnd(pid, 5_000);
}

const promised = async (counter: ReturnType<typeof startCounting>): Promise<number> =>
  Number((await counter.first()).replace("ready: ", ""));

describe("after kill -9", () => {
  test("[F2] of PostgreSQL under load the server goes on by itself and nothing promised is lost", async () => {
    const counter = startCounting();
    for (let round = 0; round < 2; round++) {
      await counter.countMore(20);
      await killPostgres();
      await counter.countMore(20);
    }
    await counter.kill("SIGTERM");
    const next = startCounting();
    expect(await promised(next)).toBeGreaterThanOrEqual(counter.counted());
  });

  test("[F2] of PostgreSQL again and again, each time with its first sign of life, the server goes on", async () => {
    const counter = startCounting();
    for (let round = 0; round < 4; round++) {
      await counter.countMore(1);
      await killPostgres();
    }
    await counter.countMore(20);
    await counter.kill("SIGTERM");
    const next = startCounting();
    expect(await promised(next)).toBeGreaterThanOrEqual(counter.counted());
  });

  test("of the server the next one takes over from the PostgreSQL still running", async () => {
    const counter = startCounting();
    await counter.countMore(20);
    await counter.kill("SIGKILL");
    expect(runningPostmaster(dataFolder)).toBeDefined();
    const next = startCounting();
    expect(await promised(next)).toBeGreaterThanOrEqual(counter.counted());
    await next.countMore(10);
  });

  test("[F20] of both, one right after the other, the next start recovers", async () => {
    const counter = startCounting();
    await counter.countMore(20);
    process.kill(counter.pid, "SIGKILL");
    await killPostgres();
    const next = startCounting();
    expect(await promised(next)).toBeGreaterThanOrEqual(counter.counted());
    await next.countMore(10);
  });
});

test("a stop leaves no process behind", async () => {
  const counter = startCounting();
  await counter.countMore(1);
  const postgres = runningPostmaster(dataFolder) ?? 0;
  await counter.kill("SIGTERM");
  expect(isAlive(postgres)).toBe(false);
  expect(existsSync(join(home, "server.lock"))).toBe(false);
});

test("a second server in the same home is refused and says who is there", async () => {
  const counter = startCounting();
  await counter.countMore(1);
  const second = startCounting();
  expect(await second.first()).toBe(
    `refused: Accord already runs in ${home} (process ${counter.pid}). ` +
      "Stop it first, or set ACCORD_HOME to another folder for a second one.",
  );
  await counter.countMore(1);
});

test("a process number left behind that something else got meanwhile is no obstacle", async () => {
  // The number of this very test: alive, and no PostgreSQL.
  writeFileSync(join(dataFolder, "postmaster.pid"), `${process.pid}\n${dataFolder}\n0\n5432\n\n\n0 0\nready\n`);
  writeFileSync(join(home, "server.lock"), JSON.stringify({ pid: process.pid, processStartTime: "another birth" }));
  const databases = await openDatabases({ home }, log);
  expect((await databases.app.pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await databases.close();
});

test("[F19] a cluster half made by a killed first start is made anew", async () => {
  useHome();
  mkdirSync(`${dataFolder}.unfinished/base`, { recursive: true });
  writeFileSync(`${dataFolder}.unfinished/PG_VERSION`, "18\n");
  const databases = await openDatabases({ home }, log);
  await databases.close();
  expect(existsSync(`${dataFolder}.unfinished`)).toBe(false);
});

test("passwords are kept for the owner only, and other programs reach the database with one", async () => {
  const databases = await openDatabases({ home }, log);
  const { mode } = await import("node:fs").then(({ statSync }) => statSync(join(home, "postgres.json")));
  expect((mode & 0o777).toString(8)).toBe("600");
  const { host, port } = databases.embedded?.loopback ?? { host: "", port: 0 };
  const url = new URL(databases.embedded?.url("app") ?? "");
  const { Client } = await import("pg").then((module) => module.default);
  const right = new Client({ host, port, user: url.username, password: url.password, database: "app" });
  await right.connect();
  await right.end();
  const wrong = new Client({ host, port, user: url.username, password: "guess", database: "app" });
  await expect(wrong.connect()).rejects.toThrow("password authentication failed");
  await databases.close();
});

describe.runIf(process.getuid?.() === 0)("started by root", () => {
  test("a home that PostgreSQL's account can't enter keeps its cluster elsewhere and remembers where", async () => {
    useHome();
    chmodSync(home, 0o700);
    const first = await openDatabases({ home }, log);
    await first.app.pool.query("CREATE TABLE kept (id integer)");
    await first.close();
    const place = readFileSync(join(home, "postgres/place.txt"), "utf8");
    expect(existsSync(join(place, "data/PG_VERSION"))).toBe(true);
    const second = await openDatabases({ home }, log);
    expect((await second.app.pool.query("SELECT count(*) FROM kept")).rows).toEqual([{ count: 0 }]);
    await second.close();
    rmSync(place, { recursive: true });
    await expect(openDatabases({ home }, log)).rejects.toThrow(
      `The database of this home was in ${place}, which is gone`,
    );
  });
});

describe("other roles of the embedded PostgreSQL", () => {
  test("may not enter the server's databases, and readers may not call what is dangerous", async () => {
    const { app, data, close } = await openDatabases({ home }, log);
    try {
      await app.pool.query("CREATE ROLE billing LOGIN PASSWORD 'billing'");
      for (const { url } of [app, data]) {
        const address = Object.assign(new URL(url), { username: "billing", password: "billing" });
        const stranger = new pg.Client({ connectionString: address.href });
        await expect(stranger.connect()).rejects.toMatchObject({ code: "42501" });
      }
      for (const { pool } of [app, data])
        expect(await findExposure(pool)).toMatchObject({ isOpen: false, statements: [] });
      await data.pool.query("CREATE ROLE reader NOLOGIN");
      await data.pool.query("GRANT reader TO CURRENT_USER WITH INHERIT FALSE, SET TRUE");
      for (const call of [
        "set_config('role', 'accord', false)",
        "pg_sleep(0)",
        "pg_advisory_lock(1)",
        "pg_notify('a', 'b')",
        "query_to_xml('SELECT 1', true, true, '')",
        "lo_create(0)",
      ]) {
        const asReader = transaction(data.pool, async ({ client }) => {
          await client.query("SET LOCAL ROLE reader");
          await client.query(`SELECT ${call}`);
        });
        await expect(asReader, call).rejects.toMatchObject({ code: "42501" });
        await data.pool.query(`SELECT ${call.replace("'accord', false", "'none', true")}`);
      }
    } finally {
      await close();
    }
  });
});
