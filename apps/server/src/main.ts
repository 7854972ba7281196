/** Starts the server: `node apps/server/src/main.ts --roles=web,worker,scheduler` (all three when left out). */
import { parseArgs } from "node:util";
import { buildApp, type Role } from "./app.ts";
import { readConfig, type Config } from "./config.ts";
import { failedSystems, hasDemo, openDemoSystems, type DemoSystems } from "./demo/index.ts";
import { systemClock } from "./platform/clock.ts";
import { exitOnCrash } from "./platform/crash.ts";
import { migrate } from "./platform/db/migrations.ts";
import { takeSessionLock } from "./platform/db/session-lock.ts";
import { openDatabases, type Databases } from "./platform/db/open.ts";
import { makeLog, type Log } from "./platform/log/log.ts";
import { stopInTime } from "./platform/stop-in-time.ts";
import { readMasterKeys } from "./platform/secrets/master-key-file.ts";

/** Any number, the same in every version: servers that start at once on an empty database take turns. */
const FIRST_START_LOCK = 4_212_025_113;

const ROLES: readonly Role[] = ["web", "worker", "scheduler"];

export interface StartOptions {
  /** Gets short words on how the start proceeds. */
  say?: (line: string) => void;
  log?: Log;
  roles?: readonly Role[];
}

export interface RunningServer {
  address: string;
  adminEmail: string;
  /** Only when it was made by this very start. */
  adminPassword?: string;
  /** Call once the password is shown: until then each start makes another one. */
  passwordIsTold(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Databases, migrations, modules, then the port. What a person can mend (settings, a locked home, an unreachable
 * database, a taken port) is thrown as it is; its message says what to do.
 */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const { say = () => {}, log = makeLog({ logLevel: config.logLevel }), roles = ROLES } = options;
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (process.getuid?.() === 0)
      log.warn(
        "the server runs as root: start it as an account of its own (useradd --system accord), which needs no more",
      );
    say("Starting the database");
    const masterKeys = await readMasterKeys(config.masterKeyFile);
    const databases = await openDatabases(config, log);
    undo.push(() => databases.close());
    say("Updating the database");
    await migrate({ appPool: databases.app.pool, dataPool: databases.data.pool });
    const { app, data } = databases;
    const server = await buildApp({ config, clock: systemClock, log, app, data, masterKeys });
    undo.push(() => server.close());
    const endFirstStart = await takeSessionLock(app.pool, FIRST_START_LOCK, () =>
      say("Waiting for the first start of another server"),
    );
    undo.push(endFirstStart);
    const installation = await server.ensureInstallation();
    if (!installation.isFirstStart) await endFirstStart();
    const demo = hasDemo(config, installation) ? await openDemo(config, databases, { say, log }) : null;
    if (demo) undo.splice(1, 0, () => stopInTime("demo systems", () => demo.stop(), { log }));
    say("Starting the services");
    const work = roles.includes("worker") ? demo : null;
    await server.start(roles, work ? () => server.repointDemo(work, installation) : undefined);
    if (work) {
      say("Connecting the demo");
      await server.makeDemo(work, installation);
    }
    if (roles.includes("web")) await server.http.listen({ port: config.port, host: config.host });
    // A password that others would make anew is on no screen yet.
    if (!installation.generatedPassword) await endFirstStart();
    return {
      address: config.baseUrl,
      adminEmail: installation.email,
      adminPassword: installation.generatedPassword ?? undefined,
      async passwordIsTold() {
        await installation.passwordIsTold();
        await endFirstStart();
      },
      stop,
    };
  } catch (error) {
    await stop().catch((cause: unknown) => log.error({ err: cause }, "the failed start did not clean up"));
    throw error;
  }
}

async function openDemo(
  config: Config,
  databases: Databases,
  { say, log }: { say: (line: string) => void; log: Log },
): Promise<DemoSystems | null> {
  say("Starting the demo systems");
  const systems = await openDemoSystems(config, databases, log);
  for (const name of systems ? failedSystems(systems) : [])
    say(`The demo's ${name} could not be started: the log says why, the demo goes on without it`);
  return systems;
}

if (import.meta.main) {
  const config = readConfig();
  const log = makeLog({ logLevel: config.logLevel });
  exitOnCrash(log);
  const server = await startServer(config, { roles: readRoles(), log });
  const password = server.adminPassword ? ` · password (shown this once): ${server.adminPassword}` : "";
  process.stderr.write(`Ready: ${server.address} · sign in as ${server.adminEmail}${password}\n`);
  await server.passwordIsTold();
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`The server did not stop cleanly: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}

function readRoles(): Role[] {
  const { values } = parseArgs({ options: { roles: { type: "string", default: ROLES.join(",") } } });
  const wanted = values.roles.split(",").map((role) => role.trim());
  const unknown = wanted.find((role) => !ROLES.includes(role as Role));
  if (unknown !== undefined) throw new Error(`There is no role ${unknown}: use some of ${ROLES.join(",")}`);
  return ROLES.filter((role) => wanted.includes(role));
}
