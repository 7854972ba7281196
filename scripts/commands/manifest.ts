/**
 * `npm run manifest -- FILE`: says which component types a low-code manifest uses, which are missing, and which of its
 * streams run. `--read N` reads records of a stream (`--stream NAME`) with the inputs of `--config FILE`.
 */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ConnectorError, type ReadRequest } from "../../packages/connector-sdk/src/index.ts";
import { describeManifest, manifestConnector, splitInputs } from "../../packages/connectors/src/index.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { connectContext } from "../../apps/server/src/modules/connections/connectors/connection-context.ts";
import { connectMasked } from "../../apps/server/src/modules/connections/connectors/credentials/masked-connection.ts";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { makeNewId } from "../../apps/server/src/platform/ids.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { outbound } from "../../apps/server/src/platform/outbound/guard.ts";
import { printRecords } from "../setup/print-records.ts";

const USAGE = "npm run manifest -- FILE [--config FILE] [--stream NAME] [--read N]";
/** Waits longer than this are left to the person. */
const MAX_WAIT_MS = 60_000;
const MAX_TRIES = 5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { config: { type: "string" }, stream: { type: "string" }, read: { type: "string" } },
});
const [file] = positionals;
const wanted = values.read === undefined ? 0 : Number(values.read);
if (file === undefined || positionals.length > 1 || !Number.isInteger(wanted) || wanted < 0) {
  console.error(USAGE);
  process.exit(2);
}
try {
  process.exitCode = await run(readFileSync(file, "utf8"));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof ConnectorError && error.hint) console.error(error.hint);
  process.exitCode = 1;
}

async function run(manifest: string): Promise<number> {
  const described = describeManifest(manifest);
  print(described);
  const runnable = described.streams.filter(({ problems }) => problems.length === 0);
  if (wanted > 0) {
    const stream = values.stream ?? runnable[0]?.name;
    if (stream === undefined) throw new Error("None of its streams can be read.");
    const problem = described.streams.find(({ name }) => name === stream)?.problems[0];
    if (problem !== undefined) throw new Error(problem);
    await readRecords(manifest, stream);
  }
  return runnable.length === described.streams.length ? 0 : 1;
}

function print({ version, description, licence, types, streams, inputs }: ReturnType<typeof describeManifest>): void {
  const facts = [version && `format ${version}`, licence && `licence ${licence}`, description].filter(Boolean);
  if (facts.length > 0) console.log(`${facts.join(" · ")}\n`);
  const width = Math.max(...types.map(({ type }) => type.length), 4);
  console.log(`${"Component type".padEnd(width)}  Used  Supported`);
  for (const { type, count, isSupported, streams: users } of types)
    console.log(
      `${type.padEnd(width)}  ${String(count).padStart(4)}  ${isSupported ? "yes" : `missing, needed by ${users.join(", ") || "the manifest"}`}`,
    );
  console.log(`\nStreams: ${streams.filter(({ problems }) => problems.length === 0).length} of ${streams.length} run.`);
  for (const { name, problems } of streams)
    console.log(
      problems.length === 0
        ? `  ✓ ${name}`
        : `  ✗ ${name}\n${problems.map((problem) => `      ${problem}`).join("\n")}`,
    );
  if (inputs.length > 0) console.log("\nInputs:");
  for (const { name, label, required, secret } of inputs)
    console.log(`  ${name} (${label})${required ? ", required" : ""}${secret ? ", secret" : ""}`);
}

async function readRecords(manifest: string, stream: string): Promise<void> {
  const { inputs, secrets } = splitInputs(
    manifest,
    values.config === undefined ? "" : readFileSync(values.config, "utf8"),
  );
  const config = { manifest, inputs };
  const [problem] = manifestConnector.problems(config);
  if (problem) throw new Error(`${problem.path}: ${problem.message}`);
  // Through the server's own way out: internal addresses only where ACCORD_OUTBOUND_ALLOW names them.
  const settings = readConfig();
  const egress = outbound({ allow: settings.outboundAllow });
  const world = { outbound: egress, config: settings, clock: systemClock, log: makeLog({ logLevel: "error" }) };
  const context = connectContext(
    world,
    {
      instanceId: makeNewId(systemClock)<"instance">(),
      type: manifestConnector,
      config,
      authType: "apiSecretKey",
      credentials: { secrets },
    },
    new AbortController().signal,
  );
  const connection = connectMasked(manifestConnector, context);
  try {
    console.log(`\nRecords of ${stream}:`);
    const read = (request: ReadRequest) => withRetries(() => connection.read(request));
    await printRecords(connection, { most: wanted, only: stream, read });
  } finally {
    await connection.close();
    await egress.close();
  }
}

/** Tries again what may succeed later, after the wait that the system asks for. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConnectorError) || !error.retryable || tries >= MAX_TRIES) throw error;
      const wait = error.retryAfterMs ?? 1_000 * 2 ** tries;
      if (wait > MAX_WAIT_MS) throw error;
      console.error(`${error.message} Trying again in ${Math.ceil(wait / 1000)} s.`);
      await pause(wait);
    }
  }
}
