/** The PostgreSQL that comes with Accord: started with the server in its home folder, kept alive, stopped with it. */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Log } from "../log/log.ts";
import { chooseAccount } from "./account.ts";
import { packagedBinaries } from "./binaries.ts";
import { type Cluster, makeCluster, socketUrl, startPostmaster, stopPostmaster } from "./cluster.ts";
import { lockHome } from "./home-lock.ts";
import { lockDown } from "./lock-down.ts";
import { resolveDataDir } from "./data-dir.ts";
import { ensureRole } from "./role.ts";

export interface EmbeddedPostgres {
  /** Address of a database through the socket, as the server's own role: it may create databases and roles. */
  url(database: string): string;
  /** Closes a database, once it exists, to every other role. */
  lockDown(database: string): Promise<void>;
  /** Where other programs on this machine reach it. */
  loopback: { host: string; port: number };
  version: string;
  /** Ends PostgreSQL and gives the home folder free. */
  stop(): Promise<void>;
}

const Secrets = z.object({ superuser: z.string(), server: z.string(), port: z.number() });
const SERVER_ROLE = "accord";
const MAX_PAUSE_MS = 10_000;

/**
 * Starts PostgreSQL in `<home>/postgres` and starts it again whenever it dies.
 * @throws DataDirInUseError, PostgresStartError
 */
export async function startEmbeddedPostgres(home: string, log: Log): Promise<EmbeddedPostgres> {
  const unlock = lockHome(resolve(home));
  try {
    const account = chooseAccount(join(resolve(home), "postgres/data"));
    const place = resolveDataDir(home, account);
    const binaries = await packagedBinaries(account, join(place.folder, "programs"));
    const secrets = await keepSecrets(join(resolve(home), "postgres.json"));
    const superuser = { name: "postgres", password: secrets.superuser };
    const cluster: Cluster = { place, binaries, account, superuser, loopbackPort: secrets.port };
    await makeCluster(cluster);
    const stop = await supervise(cluster, log);
    await ensureRole(socketUrl(cluster, "postgres"), SERVER_ROLE, secrets.server);
    return {
      url: (database) => socketUrl(cluster, database, { name: SERVER_ROLE, password: secrets.server }),
      lockDown: (database) => lockDown(socketUrl(cluster, database), SERVER_ROLE),
      loopback: { host: "127.0.0.1", port: secrets.port },
      version: binaries.version,
      stop: () => stop().finally(unlock),
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Starts the server and, until told to stop, starts it again when it dies: after kill -9 it recovers by itself. */
async function supervise(cluster: Cluster, log: Log): Promise<() => Promise<void>> {
  let child = await startPostmaster(cluster);
  let stopping = false;
  const watch = (current: ChildProcess): void => {
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (stopping) return;
      log.error({ code, signal }, "PostgreSQL ended unexpectedly; starting it again");
      void revive();
    };
    // Killed between its first answer and now, it has told its end already, to nobody.
    if (current.exitCode !== null || current.signalCode !== null) ended(current.exitCode, current.signalCode);
    else current.once("exit", ended);
  };
  const revive = async (): Promise<void> => {
    for (let pause = 100; !stopping; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        child = await startPostmaster(cluster);
        if (stopping) await end();
        else watch(child);
        log.info("PostgreSQL runs again");
        return;
      } catch (error) {
        log.error({ err: error }, "PostgreSQL could not be started again; trying once more");
        await sleep(pause);
      }
    }
  };
  const end = async (): Promise<void> => {
    if (child.pid !== undefined) await stopPostmaster(child.pid);
  };
  watch(child);
  return async () => {
    stopping = true;
    await end();
  };
}

/** Passwords and port of this home's cluster; made once. A port that something else took meanwhile is changed. */
async function keepSecrets(file: string): Promise<z.infer<typeof Secrets>> {
  const kept = existsSync(file) ? Secrets.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const secrets = {
    superuser: kept?.superuser ?? newPassword(),
    server: kept?.server ?? newPassword(),
    port: await freePort(kept?.port),
  };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

const newPassword = (): string => randomBytes(24).toString("base64url");

async function freePort(wanted = 0): Promise<number> {
  const port = await new Promise<number | undefined>((done) => {
    const probe = createServer();
    probe.once("error", () => done(undefined));
    probe.listen(wanted, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address !== null ? address.port : undefined));
    });
  });
  return port ?? freePort();
}
