/**
 * `npm run synapse -- new|describe|check|discover|read|pack FOLDER`: for authors of uploaded synapses. Runs the code of
 * the folder in the same sandbox as the server does.
 */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { execFileSync } from "node:child_process";
import { ConnectorError, type ConnectContext, type Connection } from "../../packages/connector-sdk/src/index.ts";
import { uploadedType } from "../../packages/connectors/src/index.ts";
import { readConfig } from "../../apps/server/src/config.ts";
import { connectContext } from "../../apps/server/src/modules/connections/connectors/connection-context.ts";
import { connectMasked } from "../../apps/server/src/modules/connections/connectors/credentials/masked-connection.ts";
import { readCode, type CodeFiles } from "../../apps/server/src/modules/connections/sdk-synapses/archive.ts";
import { readRequirements } from "../../apps/server/src/modules/connections/sdk-synapses/requirements.ts";
import { describeProgram, startProgram } from "../../apps/server/src/modules/connections/sdk-synapses/run-program.ts";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { makeNewId } from "../../apps/server/src/platform/ids.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { outbound } from "../../apps/server/src/platform/outbound/guard.ts";
import { makeSandbox } from "../../apps/server/src/platform/sandbox/sandbox.ts";
import { printRecords } from "../setup/print-records.ts";
import { ROOT } from "../setup/root.mjs";

const STEPS = ["new", "describe", "check", "discover", "read", "pack"] as const;
const USAGE = `npm run synapse -- ${STEPS.join("|")} FOLDER [--inputs FILE] [--entity NAME] [--count N]`;
const TEMPLATE = join(ROOT, "packages/connector-sdk/template");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { inputs: { type: "string" }, entity: { type: "string" }, count: { type: "string" } },
});
const [step, given] = positionals;
const count = Number(values.count ?? 10);
if (!STEPS.some((one) => one === step) || given === undefined || !Number.isInteger(count) || count < 1) {
  console.error(USAGE);
  process.exit(2);
}
const folder = resolve(given);
try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof ConnectorError && error.hint) console.error(error.hint);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  if (step === "new") {
    if (existsSync(folder)) throw new Error(`${folder} is there already.`);
    cpSync(TEMPLATE, folder, { recursive: true });
    return console.log(`Made ${folder}. Next: npm run synapse -- describe ${given}`);
  }
  const archive = pack();
  const code = readCode("synapse.tgz", archive);
  readRequirements(readFileSync(join(folder, "package.json")));
  if (step === "pack") {
    const file = `${folder}.tgz`;
    writeFileSync(file, archive);
    return console.log(`Wrote ${file}, ${archive.length} bytes. Upload it with package.json as its requirements.`);
  }
  await runCode(code);
}

/** The modules of the folder without tests: what is uploaded is what runs here. */
function pack(): Buffer {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.m?js$/.test(name) && !/\.test\.m?js$/.test(name) && !name.includes("node_modules"),
  );
  if (names.length === 0) throw new Error(`There are no modules in ${folder}.`);
  return execFileSync("tar", ["-czf", "-", "-C", folder, "--", ...names], { maxBuffer: 50_000_000 });
}

async function runCode(code: CodeFiles): Promise<void> {
  const sandbox = makeSandbox(systemClock);
  const instanceId = makeNewId(systemClock)<"instance">();
  const description = await describeProgram(sandbox, code, { instanceId });
  if (step === "describe") return console.log(JSON.stringify(description, null, 2));
  const type = uploadedType(basename(folder), description);
  const inputs = readInputs();
  const [problem] = type.problems(inputs.config);
  if (problem) throw new Error(`config.${problem.path} ${problem.message}`);
  const settings = readConfig();
  // Internal addresses only where ACCORD_OUTBOUND_ALLOW names them.
  const egress = outbound({ allow: settings.outboundAllow });
  const world = { outbound: egress, config: settings, clock: systemClock, log: makeLog({ logLevel: "error" }) };
  const context: ConnectContext = connectContext(world, { instanceId, type, ...inputs }, new AbortController().signal);
  const openProgram: ConnectContext["openProgram"] = () =>
    startProgram(sandbox, code, { instanceId, onLog: (text) => process.stderr.write(text) });
  const connection = connectMasked(type, { ...context, openProgram });
  try {
    if (step === "check") await connection.check();
    else if (step === "discover") await discover(connection);
    else await printRecords(connection, { most: count, only: values.entity, read: (asked) => connection.read(asked) });
    if (step === "check") console.log("It connects.");
  } finally {
    await connection.close();
    await egress.close();
  }
}

interface Inputs {
  config: ConnectContext["config"];
  authType: string;
  credentials: Record<string, string>;
}

function readInputs(): Inputs {
  if (values.inputs === undefined) throw new Error("Name a file with inputs: --inputs inputs.json");
  const { config = {}, authType = "none", credentials = {} } = JSON.parse(readFileSync(values.inputs, "utf8"));
  return { config, authType: String(authType), credentials };
}

async function discover(connection: Connection): Promise<void> {
  for await (const { entity } of connection.discover({}))
    console.log(
      `${entity.apiName}: ${entity.fields.map(({ apiName, dataType }) => `${apiName} ${dataType}`).join(", ")}`,
    );
}
