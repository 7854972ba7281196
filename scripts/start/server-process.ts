/** The server of `npm start`, in a process of its own: builds the browser app if needed, then serves until told to stop. */
import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { readConfig, type Config } from "../../apps/server/src/config.ts";
import { startServer } from "../../apps/server/src/main.ts";
import { exitOnCrash } from "../../apps/server/src/platform/crash.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { buildWebIfChanged } from "../setup/web-build.ts";
import { AGAIN, READY } from "./supervise.ts";

const MADE_FOR_PEOPLE = new Set([
  "BuildError",
  "ConfigError",
  "DatabaseError",
  "DataDirInUseError",
  "MigrationError",
  "PortTakenError",
  "PostgresStartError",
  "SecretError",
]);

class PortTakenError extends Error {
  override name = "PortTakenError";
}

const say = (line: string): void => console.error(line);
const isAgain = process.argv.includes(AGAIN);

try {
  const config = readConfig();
  await refuseTakenPort(config);
  // After a crash the page that was built before is there, and people wait.
  if (!isAgain) await buildWebIfChanged(say);
  await serve(config);
} catch (error) {
  console.error(`\nAccord did not start.\n${explain(error)}`);
  process.exit(1);
}

async function serve(config: Config): Promise<void> {
  mkdirSync(config.home, { recursive: true });
  const logFile = join(config.home, "server.log");
  const destination = createWriteStream(logFile, { flags: "a", mode: 0o600 });
  // A full disk is no reason to end: the database says what it means for the data.
  destination.on("error", () => {});
  const log = makeLog({ logLevel: config.logLevel, destination });
  exitOnCrash(log, () => flush(destination));
  const server = await startServer(config, { say, log });
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // Whoever started this process was killed: nobody else could stop it.
  process.on("disconnect", stop);
  process.send?.(READY);
  if (isAgain) console.log("Accord is ready again.");
  else sayReady(server);
  await server.passwordIsTold();
}

const flush = (destination: WriteStream): Promise<void> => new Promise((done) => destination.end(done));

function sayReady(server: Awaited<ReturnType<typeof startServer>>): void {
  const password = server.adminPassword
    ? `the password ${server.adminPassword} (shown only this once)`
    : "the password you chose or were shown at the first start";
  console.log(`Accord is ready: open ${server.address} and sign in as ${server.adminEmail} with ${password}.`);
}

/** Errors made for people say all in their message; a stack helps only with the others. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return MADE_FOR_PEOPLE.has(error.name) ? error.message : (error.stack ?? error.message);
}

/** Said before the minute of building, not after it. The server itself refuses too. */
function refuseTakenPort({ port, host }: Config): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", () =>
      fail(
        new PortTakenError(
          `Port ${port} is taken, perhaps by Accord itself: look at http://localhost:${port}. ` +
            `Stop what runs there, or choose another port: PORT=${port + 1} npm start`,
        ),
      ),
    );
    probe.listen(port, host, () => probe.close(() => done()));
  });
}
