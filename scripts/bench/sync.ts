/**
 * 100,000 JSON records of about 330 bytes over HTTP in pages of 1,000, a filter and five mapped fields, into a core
 * entity with links and ledger. The limit is a script by hand: four readers, one upsert by unnest a page, and one ledger
 * row per change. `--unchanged` measures the same again with nothing changed, against only reading the pages.
 * `--records N` takes another number.
 */
import { fork } from "node:child_process";
import { httpConnector } from "@accord/connectors";
import type { Connection } from "@accord/connector-sdk";
import { EntitySchema } from "@accord/contracts/data/schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Graph } from "@accord/contracts/sync/graph";
import { pipelinePlans, type RunsNeeds } from "../../apps/server/src/modules/sync/runs/plans.ts";
import { scheduleStore } from "../../apps/server/src/modules/sync/runs/schedule.store.ts";
import { runCycle } from "../../apps/server/src/modules/sync/runs/cycle.ts";
import { createTable } from "../../apps/server/src/modules/data/schema/index.ts";
import { systemClock } from "../../apps/server/src/platform/clock.ts";
import { migrateInstance } from "../../apps/server/src/platform/db/migrations.ts";
import { makeNewId } from "../../apps/server/src/platform/ids.ts";
import { makeLog } from "../../apps/server/src/platform/log/log.ts";
import { closeTestDatabases, testDatabase, type TestDatabase } from "../../apps/server/test-kit/database.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/test-cluster.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const PAGE = 1_000;
const READERS = 4;
const FIELDS = ["name", "email", "phone", "city", "revenue"] as const;

const newId = makeNewId(systemClock);
const INSTANCE = newId<"instance">();
const ENTITY = newId<"entity">();
const CONNECTOR = newId<"connector">();

export const measure: Measure = async (words, say) => {
  const at = words.indexOf("--records");
  const records = at < 0 ? 100_000 : Number(words[at + 1]);
  const source = await startSource(records);
  const database = await testDatabase();
  try {
    const sync = await prepare(database, source.url);
    const limit = await byHand(database, source.url, records);
    say(`by hand: ${Math.round(limit)} records/s`);
    const results: Measurement[] = [];
    const first = await sync.cycle();
    const ours = records / first.seconds;
    results.push({
      name: `sync: ${records} records`,
      ours,
      limit,
      unit: "records/s",
      better: "more",
      rssMb: peakRssMb(),
    });
    say(`sync: ${Math.round(ours)} records/s, ${JSON.stringify(first.counts)}`);
    if (words.includes("--unchanged")) {
      const reading = await onlyReading(sync.connect, records);
      const written = await database.data.pool.query("SELECT pg_current_wal_lsn() AS at");
      const again = await sync.cycle();
      const { rows } = await database.data.pool.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1) AS bytes", [
        written.rows[0].at,
      ]);
      const { created, updated, absorbed } = again.counts;
      say(`unchanged: ${absorbed} absorbed, ${created + updated} changed, ${rows[0].bytes} bytes of WAL`);
      results.push({
        name: `sync --unchanged: ${records} records`,
        ours: records / again.seconds,
        limit: records / reading,
        unit: "records/s",
        better: "more",
        rssMb: peakRssMb(),
      });
    }
    return results;
  } finally {
    source.stop();
    await database.drop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
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

const coreFields = [
  ...FIELDS.map((apiName) => outside.fields.find((field) => field.apiName === apiName)!),
  outside.fields.find(({ apiName }) => apiName === "active")!,
];

const graph = Graph.parse({
  nodes: [
    {
      id: "bench-source",
      label: "Customers",
      nodeType: "ENTITY_SOURCE",
      configuration: {
        connectorId: CONNECTOR,
        entityDefinition: "customers",
        fieldMappings: FIELDS.map((field) => ({ connectorField: field, coreField: field })),
      },
    },
    {
      id: "bench-filter",
      label: "Active",
      nodeType: "FUNCTION",
      apiName: "filter",
      configuration: {
        condition: {
          type: "condition",
          left: { kind: "field", field: "revenue" },
          operator: "greaterOrEqual",
          right: [{ kind: "literal", value: 100_000 }],
        },
      },
    },
    { id: "bench-core", label: "Customer", nodeType: "CORE_ENTITY", configuration: {} },
  ],
  edges: [
    { id: "bench-edge-one", source: { nodeId: "bench-source" }, destination: { nodeId: "bench-filter" } },
    { id: "bench-edge-two", source: { nodeId: "bench-filter" }, destination: { nodeId: "bench-core" } },
  ],
});

/** An instance with the pipeline published, and what runs one cycle of it: the server's own parts. */
async function prepare(database: TestDatabase, url: string) {
  const { pool } = database.data;
  await migrateInstance(pool, INSTANCE);
  for (const statement of createTable(INSTANCE, { apiName: "Customer", fields: coreFields }))
    await pool.query(statement);
  const log = makeLog({ logLevel: "warn" });
  const schedule = scheduleStore(pool);
  const connect = (): Connection => openSource(url);
  const needs = makeNeeds(connect);
  await schedule.publish({ instanceId: INSTANCE, pipelineId: ENTITY, versionId: newId(), versionNumber: 1 }, null);
  const plans = pipelinePlans({ dataPool: pool }, needs, schedule);

  async function cycle() {
    await schedule.poke(INSTANCE, ENTITY);
    const acquired = await schedule.acquire("bench", []);
    if (!acquired) throw new Error("the pipeline is not due");
    const pipeline = await plans.load(INSTANCE, ENTITY);
    const began = performance.now();
    const summary = await runCycle({
      deps: { clock: systemClock, newId, log },
      needs,
      schedule,
      pipeline,
      acquired,
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

function makeNeeds(connect: () => Connection): RunsNeeds {
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
          id: ENTITY,
          apiName: "Customer",
          displayName: "Customer",
          version: 1,
          revision: 1,
          fields: coreFields,
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
    answers: { answer: (_, questions) => Promise.resolve(questions.map(() => ({ ok: true, found: [] }))) },
    pipelines: { publishedVersion: () => Promise.resolve(version), listPublished: () => Promise.resolve([]) },
  };
}

interface Row {
  id: string;
  name: string;
  email: string;
  phone: string;
  city: string;
  revenue: number;
}

/** What somebody would write for this one task: answers records a second. */
async function byHand({ data: { pool } }: TestDatabase, url: string, records: number): Promise<number> {
  await pool.query(`CREATE TABLE hand_record (id text COLLATE "C" PRIMARY KEY, name text, email text, phone text, city text,
    revenue bigint, updated_at timestamptz NOT NULL DEFAULT now())`);
  await pool.query(`CREATE TABLE hand_ledger (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(), record_id text COLLATE "C" NOT NULL, changes jsonb NOT NULL)`);
  const began = performance.now();
  let next = 1;
  async function reader(): Promise<void> {
    while (next <= Math.ceil(records / PAGE)) {
      const page = next++;
      const answer = await fetch(`${url}/customers?page=${page}&size=${PAGE}`);
      const rows = ((await answer.json()) as Row[]).filter(({ revenue }) => revenue >= 100_000);
      await pool.query(
        `WITH changed AS (
           INSERT INTO hand_record AS h (id, name, email, phone, city, revenue)
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
           ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, email = EXCLUDED.email, phone = EXCLUDED.phone,
             city = EXCLUDED.city, revenue = EXCLUDED.revenue, updated_at = now()
           WHERE (h.name, h.email, h.phone, h.city, h.revenue)
             IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.email, EXCLUDED.phone, EXCLUDED.city, EXCLUDED.revenue)
           RETURNING id, name, email, phone, city, revenue
         )
         INSERT INTO hand_ledger (record_id, changes) SELECT id, to_jsonb(changed) - 'id' FROM changed`,
        [
          rows.map(({ id }) => id),
          rows.map(({ name }) => name),
          rows.map(({ email }) => email),
          rows.map(({ phone }) => phone),
          rows.map(({ city }) => city),
          rows.map(({ revenue }) => revenue),
        ],
      );
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader));
  const seconds = (performance.now() - began) / 1000;
  await pool.query("DROP TABLE hand_record, hand_ledger");
  return records / seconds;
}

/** Seconds to read every page through the connector and do nothing with it. */
async function onlyReading(connect: () => Connection, records: number): Promise<number> {
  const connection = connect();
  const began = performance.now();
  let cursor: Awaited<ReturnType<Connection["read"]>>["cursor"] | null = null;
  for (let read = 0; ;) {
    const page = await connection.read({
      entity: outside,
      fields: [...FIELDS],
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
