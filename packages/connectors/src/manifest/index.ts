/** Systems described by a low-code manifest: its streams are read as they are described, without a line of code. */
import { ConnectorError, defineConnector, type Capability, type Connection } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { allInputs, MANIFEST_AUTH_METHODS, MANIFEST_CONFIG_FIELDS, ManifestConfig, plainInputs } from "./config.ts";
import { originsOf } from "./document/describe.ts";
import { parseManifest } from "./document/manifest.ts";
import { readStream, type StreamReader } from "./reading/read-stream.ts";
import { entityOf, hasSchema } from "./reading/schema.ts";
import { openManifest, type ManifestSource } from "./reading/source.ts";
import { beginPass } from "./reading/walk.ts";

export { describeManifest, type ManifestDescription } from "./document/describe.ts";
export { readInputs, splitInputs } from "./config.ts";
export { SUPPORTED_TYPES } from "./components/registry.ts";

const originsFor = (config: ManifestConfig): string[] => {
  const { origins, problems } = originsOf(parseManifest(config.manifest), plainInputs(config));
  const [problem] = problems;
  if (problem !== undefined) throw new ConnectorError("configuration", problem);
  return origins;
};

export const manifestConnector = defineConnector({
  type: "manifest",
  displayName: "Airbyte manifest",
  category: "api",
  description: "Any system that a low-code manifest describes: paste the manifest unchanged, and read its streams.",
  icon: "api",
  backgroundColor: "teal",
  config: ManifestConfig,
  configFields: MANIFEST_CONFIG_FIELDS,
  authMethods: MANIFEST_AUTH_METHODS,
  capabilities: ["read", "readChanges", "readByWatermark"],
  capabilitiesOf: (_, entity) => capabilitiesOf(entity),
  readPageSize: 1000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
  hosts: (config) =>
    originsFor(config).map((origin) => {
      const { protocol, hostname, port } = new URL(origin);
      return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
    }),
  destinations: originsFor,

  connect(context, config): Connection {
    const manifest = parseManifest(config.manifest);
    const inputs = allInputs(config, context.credentials["secrets"] ?? "");
    const source = openManifest(context, manifest, inputs, originsFor(config));
    return {
      check: () => check(source, manifest.checkStreams),
      async *discover({ only }) {
        const streams = source.streams.filter(({ name }) => !only || only.includes(name));
        for (const [at, { name }] of streams.entries())
          yield { entity: await describe(source.reader(name)), done: at + 1, total: streams.length };
      },
      read: (request) => readStream(source.reader(request.entity.apiName), request),
      async close() {},
    };
  },
});

/** Only a time of change that is kept as one lets changes be asked for. */
function capabilitiesOf(entity: EntitySchema): Capability[] {
  return entity.fields.some((field) => field.isWatermarkField) ? ["read", "readChanges", "readByWatermark"] : ["read"];
}

const isRecord = (record: Value): record is Values =>
  typeof record === "object" && record !== null && !Array.isArray(record);

/** Records that fields are found out from. */
const SAMPLES = 100;
/** Steps to find some: partitions may be empty. */
const SAMPLE_STEPS = 10;

async function sample({ stream, walk }: StreamReader, wanted: number): Promise<Values[]> {
  const records: Values[] = [];
  let pass = beginPass(stream, stream.cursor?.start() ?? null);
  for (let steps = 0; steps < SAMPLE_STEPS && records.length < wanted; steps += 1) {
    const step = await walk.step(pass, SAMPLES, () => true);
    records.push(...step.found.flatMap(({ record }) => (isRecord(record) ? [record] : [])));
    if (step.pass === null) break;
    pass = step.pass;
  }
  return records;
}

async function describe(reader: StreamReader): Promise<EntitySchema> {
  return entityOf(reader.stream, hasSchema(reader.stream) ? [] : await sample(reader, SAMPLES));
}

/** Reads of the streams that the manifest names for it, else of the first. */
async function check(source: ManifestSource, named: readonly string[]): Promise<void> {
  const wanted = named.length > 0 ? named : source.streams.slice(0, 1).map(({ name }) => name);
  if (wanted.length === 0)
    throw new ConnectorError("configuration", "No stream of the manifest can run.", {
      hint: "npm run manifest says which component types are missing.",
    });
  for (const name of wanted) await sample(source.reader(name), 1);
}
