/**
 * 100,000 JSON records of about 330 bytes over HTTP in pages of 1,000 into a core entity with links and ledger: once
 * through a filter and five mapped fields, once through ten nodes. The limit is a script by hand: four readers, one
 * upsert by unnest a page, and one ledger row per change. `--unchanged` measures the same again with nothing changed,
 * against only reading the pages. `--records N` takes another number, `--plain` and `--ten` one of the graphs.
 */
import { fork } from "node:child_process";
import { httpConnector } from "@accord/connectors";
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { EntitySchema } from "@accord/contracts/data/schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Graph } from "@accord/contracts/sync/graph";
import { pipelinePlans, type RunsNeeds } from "../../apps/server/src/modules/sync/runs/plans.ts";
import { scheduleStore } from "../../apps/server/src/modules/sync/runs/schedule.store.ts";
import { databaseTime } from "../../apps/server/src/modules/sync/runs/database-time.ts";
import { runCycle } from "../../apps/server/src/modules/sync/runs/cycle.ts";
import { createTable } from "../../apps/server/src/modules/data/schema/index.ts";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { migrateInstance } from "../../apps/server/src/platform/db/migrations.ts";
import { makeNewId } from "../../apps/server/src/platform/ids.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { closeTestDatabases, testDatabase, type TestDatabase } from "../../apps/server/test-kit/database.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/test-cluster.ts";
import { ACTIVE, type BenchNode, type Row, TEN_FIELDS, TEN_NODES, tenNodesByHand } from "./parts/ten-nodes.ts";
import { type ProcessorTime, processorTimed } from "./parts/processor-time.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const PAGE = 1_000;
const READERS = 4;
const newId = makeNewId(systemClock);
const CONNECTOR = newId<"connector">();

/** What is measured: a graph, the fields it fills, and the same by hand. */
interface Work {
  name: string;
  nodes: readonly BenchNode[];
  fields: readonly string[];
  byHand(rows: Row[]): Row[];
}

const PLAIN: Work = {
  name: "sync",
  nodes: [ACTIVE],
  fields: ["name", "email", "phone", "city", "revenue"],
  byHand: (rows) => rows.filter(({ revenue }) => revenue >= 100_000),
};
const TEN: Work = { name: "sync, ten nodes", nodes: TEN_NODES, fields: TEN_FIELDS, byHand: tenNodesByHand };

export const measure: Measure = async (words, say) => {
  const at = words.indexOf("--records");
  const records = at < 0 ? 100_000 : Number(words[at + 1]);
  const works = words.includes("--plain") ? [PLAIN] : words.includes("--ten") ? [TEN] : [PLAIN, TEN];
  const source = await startSource(records);
  try {
    const results: Measurement[] = [];
    for (const work of works) results.push(...(await measureWork(work, records, source.url, words, say)));
    return results;
  } finally {
    source.stop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

async function measureWork(
  work: Work,
  records: number,
  url: string,
  words: readonly string[],
  say: (line: string) => void,
): Promise<Measurement[]> {
  const database = await testDatabase();
  try {
    const sync = await prepare(database, url, work);
    const { pool } = database.data;
    const { result: limit, time } = await processorTimed(pool, () => byHand(database, url, records, work));
    say(`${work.name}, by hand: ${Math.round(limit)} records/s, ${spent(time, records)}`);
    const { result: first, time: ownTime } = await processorTimed(pool, sync.cycle);
    const ours = records / first.seconds;
    say(`${work.name}: ${Math.round(ours)} records/s, ${spent(ownTime, records)}`);
    say(JSON.stringify(first.counts));
    const common = { unit: "records/s", better: "more" as const };
    const results = [{ name: `${work.name}: ${records} records`, ours, limit, ...common, rssMb: peakRssMb() }];
    if (words.includes("--unchanged")) {
      const reading = await onlyReading(sync.connect, records, work.fields);
      const written = await database.data.pool.query("SELECT pg_current_wal_lsn() AS at");
      const again = await sync.cycle();
      const { rows } = await database.data.pool.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes", [
        written.rows[0].at,
      ]);
      const { created, updated, absorbed } = again.counts;
      say(`unchanged: ${absorbed} absorbed, ${created + updated} changed, ${rows[0].bytes} bytes of WAL`);
      const name = `${work.name} --unchanged: ${records} records`;
      results.push({ name, ours: records / again.seconds, limit: records / reading, ...common, rssMb: peakRssMb() });
    }
    return results;
  } finally {
    await database.drop();
  }
}

const spent = ({ process, postgres }: ProcessorTime, records: number): string => {
  const per = (seconds: number): string => ((seconds / records) * 1e6).toFixed(1);
  return `microseconds of processor a record: ${per(process)} here, ${per(postgres)} in PostgreSQL`;
};

async function startSource(records: number): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL("parts/json-pages.ts", import.meta.url), [String(records)]);
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("error", reject);
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

const outside = EntitySchema.parse({
  apiName: "customers",
  displayName: "Customer",
  fields: [
    { apiName: "id", displayName: "Id", isIdField: true },
    ...["name", "email", "phone", "city", "note", "tags", "updated"].map((apiName) => ({
      apiName,
      displayName: apiName,
    })),
    { apiName: "revenue", displayName: "revenue", dataType: "integer" },
    { apiName: "active", displayName: "active", dataType: "boolean" },
  ],
});

const coreFieldsOf = ({ fields }: Work) =>
  [...fields, "active"].map((apiName) => outside.fields.find((field) => field.apiName === apiName)!);

/** A chain: source, the work's nodes, core. */
function graphOf({ nodes, fields }: Work): Graph {
  const ids = ["bench-source", ...nodes.map((_, index) => `bench-node-${index}`), "bench-core"];
  return Graph.parse({
    nodes: [
      {
        id: "bench-source",
        label: "Customers",
        nodeType: "ENTITY_SOURCE",
        configuration: {
          connectorId: CONNECTOR,
          entityDefinition: "customers",
          fieldMappings: fields.map((field) => ({ connectorField: field, coreField: field })),
        },
      },
      ...nodes.map((node, index) => ({ ...node, id: ids[index + 1], nodeType: "FUNCTION" })),
      { id: "bench-core", label: "Customer", nodeType: "CORE_ENTITY", configuration: {} },
    ],
    edges: ids.slice(1).map((to, index) => ({
      id: `bench-edge-${index}`,
      source: { nodeId: ids[index] },
      destination: { nodeId: to },
      ...(nodes[index - 1]?.apiName === "predicate" ? { edgeType: "true" } : {}),
    })),
  });
}

/** An instance with the pipeline published, and what runs one cycle of it: the server's own parts. */
async function prepare(database: TestDatabase, url: string, work: Work) {
  const { pool } = database.data;
  const instanceId = newId<"instance">();
  const pipelineId = newId<"entity">();
  const fields = coreFieldsOf(work);
  await migrateInstance(pool, instanceId);
  for (const statement of createTable(instanceId, { apiName: "Customer", fields })) await pool.query(statement);
  const log = makeLog({ logLevel: "warn" });
  const schedule = scheduleStore(pool);
  const connect = (): Connection => openSource(url);
  const needs = makeNeeds(connect, pipelineId, fields, graphOf(work));
  await schedule.publish({ instanceId, pipelineId, versionId: newId(), versionNumber: 1 }, null);
  const plans = pipelinePlans({ dataPool: pool }, needs, schedule);

  async function cycle() {
    await schedule.poke(instanceId, pipelineId);
    const acquired = await schedule.acquire("bench", []);
    if (!acquired) throw new Error("the pipeline is not due");
    const pipeline = await plans.load(instanceId, pipelineId);
    const began = performance.now();
    const summary = await runCycle({
      deps: { clock: systemClock, newId, log },
      needs,
      schedule,
      pipeline,
      acquired,
      time: databaseTime(acquired.acquiredAt, systemClock),
      start: {
        cycleId: "bench",
        epoch: acquired.epoch,
        sources: [{ nodeId: "bench-source", cursor: null, since: null, due: true, replay: [] }],
        resync: null,
        failures: {},
      },
      onProgress: () => {},
      onCommitted: () => {},
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - began) / 1000;
    if (summary?.outcome !== "finished") throw new Error(`the cycle ended with ${JSON.stringify(summary)}`);
    await schedule.finish({ ...acquired, versionNumber: 1 }, summary, {
      dueInMs: 0,
      isResync: false,
      error: null,
      isWorthKeeping: true,
    });
    return { seconds, counts: summary.counts };
  }
  return { cycle, connect };
}

function openSource(url: string): Connection {
  const fields = outside.fields.map((field) => ({ ...field, path: "" }));
  return httpConnector.connect({
    config: {
      baseUrl: url,
      entities: [
        {
          apiName: "customers",
          displayName: "Customer",
          fields,
          idField: "id",
          list: {
            path: "/customers",
            paging: { kind: "page", size: PAGE, sizeParam: "size" },
            pagesAhead: READERS,
          },
        },
      ],
    },
    authType: "none",
    credentials: {},
    send: async ({ method, url: address, headers }) => {
      const answer = await fetch(address, { method, headers });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: new Uint8Array(await answer.arrayBuffer()),
      };
    },
    resolveHost: (address, port) => Promise.resolve({ address, port }),
    resolveFolder: (path) => Promise.resolve(path),
    now: () => new Date(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    signal: new AbortController().signal,
    log: () => {},
  });
}

function makeNeeds(
  connect: () => Connection,
  pipelineId: Id<"entity">,
  fields: ReturnType<typeof coreFieldsOf>,
  graph: Graph,
): RunsNeeds {
  const facts = { id: CONNECTOR, name: "Source", readPageSize: PAGE, writeBatchSize: 50, readDelaySeconds: 0 };
  const capabilities = ["read" as const];
  const version = {
    versionId: newId<"pipelineVersion">(),
    number: 1,
    name: "bench",
    graph,
    settings: { realtimePipeline: false },
    publishedAt: new Date().toISOString(),
  };
  return {
    schema: {
      getEntity: () =>
        Promise.resolve({
          id: pipelineId,
          apiName: "Customer",
          displayName: "Customer",
          version: 1,
          revision: 1,
          fields,
        } as unknown as CoreEntity),
      listEntities: () => Promise.resolve([]),
    },
    connectors: {
      getConnector: () => Promise.resolve({ ...facts, status: "ACTIVE", capabilities } as never),
      entitySchema: () => Promise.resolve({ status: "ACTIVE", problem: null, capabilities, schema: outside } as never),
      openConnection: () => Promise.resolve(connect()),
      reportFailure: () => Promise.resolve(),
      reportWorking: () => Promise.resolve(),
    },
    tell: async () => {},
    answers: { answer: (_, questions) => Promise.resolve(questions.map(() => ({ ok: true, found: [] }))) },
    pipelines: { publishedVersion: () => Promise.resolve(version), listPublished: () => Promise.resolve([]) },
  };
}

/** What somebody would write for this one task: answers records a second. */
async function byHand({ data: { pool } }: TestDatabase, url: string, records: number, work: Work): Promise<number> {
  const { fields } = work;
  const typeOf = (name: string): string => (name === "revenue" ? "bigint" : "text");
  const columns = fields.map((name) => `${name} ${typeOf(name)}`).join(", ");
  await pool.query(`CREATE TABLE hand_record (id text COLLATE "C" PRIMARY KEY, ${columns},
    updated_at timestamptz NOT NULL DEFAULT now())`);
  await pool.query(`CREATE TABLE hand_ledger (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(), record_id text COLLATE "C" NOT NULL, changes jsonb NOT NULL)`);
  const names = fields.join(", ");
  const list = (prefix: string): string => fields.map((name) => `${prefix}${name}`).join(", ");
  const upsert = `WITH changed AS (
      INSERT INTO hand_record AS h (id, ${names})
      SELECT * FROM unnest($1::text[], ${fields.map((name, at) => `$${at + 2}::${typeOf(name)}[]`).join(", ")})
      ON CONFLICT (id) DO UPDATE SET ${fields.map((name) => `${name} = EXCLUDED.${name}`).join(", ")}, updated_at = now()
      WHERE (${list("h.")}) IS DISTINCT FROM (${list("EXCLUDED.")})
      RETURNING id, ${names}
    )
    INSERT INTO hand_ledger (record_id, changes) SELECT id, to_jsonb(changed) - 'id' FROM changed`;
  const began = performance.now();
  let next = 1;
  async function reader(): Promise<void> {
    while (next <= Math.ceil(records / PAGE)) {
      const page = next++;
      const answer = await fetch(`${url}/customers?page=${page}&size=${PAGE}`);
      const rows = work.byHand((await answer.json()) as Row[]);
      await pool.query(upsert, [
        rows.map(({ id }) => id),
        ...fields.map((name) => rows.map((row) => row[name as keyof Row])),
      ]);
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader));
  const seconds = (performance.now() - began) / 1000;
  await pool.query("DROP TABLE hand_record, hand_ledger");
  return records / seconds;
}

/** Seconds to read every page through the connector and do nothing with it. */
async function onlyReading(connect: () => Connection, records: number, fields: readonly string[]): Promise<number> {
  const connection = connect();
  const began = performance.now();
  let cursor: Awaited<ReturnType<Connection["read"]>>["cursor"] | null = null;
  for (let read = 0; ;) {
    const page = await connection.read({
      entity: outside,
      fields: [...fields],
      cursor,
      mode: "changes",
      pageSize: PAGE,
    });
    read += page.records.length;
    cursor = page.cursor;
    if (page.drained) {
      if (read !== records) throw new Error(`read ${read} of ${records}`);
      return (performance.now() - began) / 1000;
    }
  }
}
