/** A throw-away MariaDB server for connector tests, with TLS by a certificate nobody trusts. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import mysql, { type Connection } from "mysql2/promise";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "./self-signed.ts";
import { freePort } from "./free-port.ts";

export interface MariaDbServer {
  host: string;
  port: number;
  user: string;
  password: string;
  /** An administrator's connection, to a database if one is named; the caller ends it. */
  client(database?: string): Promise<Connection>;
  stop(): Promise<void>;
}

const USER = "accord";
const PASSWORD = "throw-away";
/** The server refuses to run as root: nobody's account does. */
const NOBODY = { name: "nobody", uid: 65_534, gid: 65_534 };

/** Starts in a few seconds; stops and leaves nothing behind. */
export async function startMariaDbServer(
  extraSettings: readonly string[] = [],
  /** As `TZ` has it: the zone of the server's system. */
  zone = "UTC",
): Promise<MariaDbServer> {
  const [program, installer] = [programAt("mariadbd"), programAt("mariadb-install-db")];
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(join(tmpdir(), "accord-mariadb-"));
  const at = (name: string): string => join(folder, name);
  writeFileSync(at("server.key"), SELF_SIGNED_KEY);
  writeFileSync(at("server.crt"), SELF_SIGNED_CERTIFICATE);
  writeFileSync(
    at("start.sql"),
    `CREATE USER IF NOT EXISTS '${USER}'@'%' IDENTIFIED BY '${PASSWORD}';\nGRANT ALL ON *.* TO '${USER}'@'%' WITH GRANT OPTION;\n`,
  );
  for (const path of [folder, at("server.key"), at("server.crt"), at("start.sql")]) {
    if (path !== folder) chmodSync(path, 0o600);
    if (isRoot) chownSync(path, NOBODY.uid, NOBODY.gid);
  }
  // Its own temporary files: the account may not write anywhere else.
  const env = { ...process.env, TMPDIR: folder, TZ: zone };
  const account = isRoot ? [`--user=${NOBODY.name}`] : [];
  const small = ["--innodb-buffer-pool-size=32M", "--innodb-log-file-size=8M", "--skip-log-bin"];
  const made = spawnSync(
    installer,
    ["--no-defaults", ...account, `--datadir=${at("data")}`, "--skip-test-db", "--skip-name-resolve", ...small],
    { cwd: folder, env, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stdout}${made.stderr}`);
  const port = await freePort();
  const server = spawn(
    program,
    [
      "--no-defaults",
      ...account,
      ...small,
      `--datadir=${at("data")}`,
      `--socket=${at("socket")}`,
      `--pid-file=${at("pid")}`,
      `--log-error=${at("log")}`,
      `--init-file=${at("start.sql")}`,
      `--ssl-cert=${at("server.crt")}`,
      `--ssl-key=${at("server.key")}`,
      `--port=${port}`,
      "--skip-networking=0",
      "--bind-address=127.0.0.1",
      "--skip-name-resolve",
      "--innodb-flush-log-at-trx-commit=0",
      ...extraSettings,
    ],
    { cwd: folder, env, stdio: "ignore" },
  );
  const client = (database?: string): Promise<Connection> =>
    mysql.createConnection({
      host: "127.0.0.1",
      port,
      user: USER,
      password: PASSWORD,
      multipleStatements: true,
      ...(database && { database }),
    });
  await untilReady(client, server, at("log"));
  return {
    host: "127.0.0.1",
    port,
    user: USER,
    password: PASSWORD,
    client,
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      if (server.exitCode === null) {
        server.kill("SIGKILL");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];

/** The system's own MariaDB: nothing is downloaded. */
function programAt(name: string): string {
  const folders = [...(process.env["PATH"] ?? "").split(":"), ...FOLDERS].filter((folder) => folder !== "");
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    `There is no ${name} on this machine: install MariaDB (apt-get install mariadb-server-core mariadb-client-core).`,
  );
}

async function untilReady(client: () => Promise<Connection>, server: ChildProcess, log: string): Promise<void> {
  const said = (): string => (existsSync(log) ? readFileSync(log, "utf8").slice(-2000) : "");
  for (let tries = 0; tries < 400; tries += 1) {
    if (server.exitCode !== null) throw new Error(`MariaDB ended with code ${server.exitCode}: ${said()}`);
    try {
      await (await client()).end();
      return;
    } catch {
      await pause(50);
    }
  }
  throw new Error(`MariaDB did not get ready within 20 seconds: ${said()}`);
}
