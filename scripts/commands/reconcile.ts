/**
 * `npm run reconcile`: compares the systems of published pipelines with their links and the core, record by record.
 * `-- --pipeline NAME` takes one, `-- --json` answers for programs. Ends with 1 when something differs without a reason.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildApp } from "../../apps/server/src/app.ts";
import { readConfig, type Config } from "../../apps/server/src/config.ts";
import type { PublishedPipeline } from "../../apps/server/src/modules/sync/reconciliation/index.ts";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { migrate } from "../../apps/server/src/platform/db/migrations.ts";
import { openDatabases } from "../../apps/server/src/platform/db/open.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { DataDirInUseError } from "../../apps/server/src/platform/postgres/home-lock.ts";
import { runningPostgresUrl } from "../../apps/server/src/platform/postgres/running.ts";
import { readMasterKeys } from "../../apps/server/src/platform/secrets/master-key-file.ts";
import type { Reconciliation } from "@accord/contracts/sync/reconciliation";

/** A running server takes what is asked for within this time; else it is done here. */
const SERVER_TIME_MS = 6_000;
const POLL_MS = 250;

const { values } = parseArgs({ options: { pipeline: { type: "string" }, json: { type: "boolean", default: false } } });

interface Outcome {
  pipeline: string;
  report: Reconciliation;
}

const outcomes = await reconcileAll();
if (values.json) console.log(JSON.stringify(outcomes, null, 2));
else for (const outcome of outcomes) print(outcome);
if (outcomes.length === 0 && values.pipeline !== undefined) process.exit(2);
const hasFailed = outcomes.some(
  ({ report: { status, unexplained, systems } }) =>
    status !== "FINISHED" || unexplained > 0 || systems.some(({ isFailed }) => isFailed),
);
process.exit(hasFailed ? 1 : 0);

async function reconcileAll(): Promise<Outcome[]> {
  const config = readConfig();
  const log = makeLog({ logLevel: "error" });
  const databases = await open(config);
  const { app: appDb, data } = databases;
  const masterKeys = await readMasterKeys(config.masterKeyFile);
  const app = await buildApp({ config, clock: systemClock, log, app: appDb, data, masterKeys });
  try {
    const pipelines = (await app.reconciliation.listPublished()).filter(
      ({ name }) => values.pipeline === undefined || name.toLowerCase() === values.pipeline.toLowerCase(),
    );
    if (pipelines.length === 0) {
      console.error(
        values.pipeline ? `No published pipeline is named ${values.pipeline}.` : "No pipeline is published.",
      );
      process.exitCode = values.pipeline ? 2 : 0;
    }
    const outcomes: Outcome[] = [];
    for (const pipeline of pipelines) outcomes.push(await reconcileOne(app.reconciliation, pipeline));
    return outcomes;
  } finally {
    await app.close();
    await databases.close();
  }
}

/** The databases of a running server, or those of one that is stopped. */
async function open(config: Config) {
  const log = makeLog({ logLevel: "error" });
  try {
    const databases = await openDatabases(config, log);
    await migrate({ appPool: databases.app.pool, dataPool: databases.data.pool });
    return databases;
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    const databaseUrl = runningPostgresUrl(config.home, "app");
    return openDatabases({ ...config, databaseUrl, dataDatabaseUrl: runningPostgresUrl(config.home, "data") }, log);
  }
}

type Commands = Awaited<ReturnType<typeof buildApp>>["reconciliation"];

async function reconcileOne(commands: Commands, pipeline: PublishedPipeline): Promise<Outcome> {
  const begun = await commands.begin(pipeline);
  const look = (): Promise<Reconciliation> => commands.find(pipeline, begun.id);
  let report = begun;
  for (let waited = 0; report.status === "WAITING" && waited < SERVER_TIME_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    report = await look();
  }
  if (report.status === "WAITING") await commands.runOne(begun.id);
  for (report = await look(); report.endedAt === null; report = await look()) await sleep(POLL_MS);
  return { pipeline: pipeline.name, report };
}

function print({ pipeline, report }: Outcome): void {
  console.log(`\n${pipeline}: ${report.status.toLowerCase()}${report.problem ? ` (${report.problem})` : ""}`);
  for (const { connectorName, entityName, listed, unreadable, problem } of report.systems) {
    const more = unreadable > 0 ? `, ${unreadable} unreadable` : "";
    console.log(`  ${connectorName} ${entityName}: ${problem ?? `${listed} records${more}`}`);
  }
  console.log(`  Core: ${report.coreRecords} records`);
  if (report.counts.length === 0 && report.status === "FINISHED") console.log("  Everything agrees.");
  else console.table(report.counts.map(({ kind, reason, count }) => ({ difference: kind, reason, count })));
}
