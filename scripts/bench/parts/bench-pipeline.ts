/** The pipeline that benches run: the server's own parts around a source of JSON pages, and no server. */
import { fork } from "node:child_process";
import { httpConnector } from "@accord/connectors";
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { EntitySchema } from "@accord/contracts/data/schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Graph } from "@accord/contracts/sync/graph";
import { DEFAULT_SETTINGS } from "@accord/contracts/sync/pipelines";
import { pipelinePlans, type RunsDependencies } from "../../../apps/server/src/modules/sync/runs/worker/plans.ts";
import { scheduleStore } from "../../../apps/server/src/modules/sync/runs/schedule/schedule.store.ts";
import { runCycle } from "../../../apps/server/src/modules/sync/runs/worker/cycle.ts";
import { LEASE_MS } from "../../../apps/server/src/modules/sync/runs/storage/lease-guard.store.ts";
import { databaseTime } from "../../../apps/server/src/modules/sync/runs/schedule/database-time.ts";
import { createTable } from "../../../apps/server/src/modules/data/schema/index.ts";
import { systemClock } from "../../../apps/server/src/platform/clock.ts";
import { LeaseDeadline, readClocks } from "../../../apps/server/src/platform/lease-deadline.ts";
import { migrateInstance } from "../../../apps/server/src/platform/db/migrations.ts";
import { makeNewId } from "../../../apps/server/src/platform/ids.ts";
import { makeLog } from "../../../apps/server/src/platform/log/log.ts";
import type { TestDatabase } from "../../../apps/server/test-kit/database/database.ts";
import { ACTIVE, type BenchNode, type Row, TEN_FIELDS, TEN_NODES, tenNodesByHand } from "./ten-nodes.ts";
import { makeSecrets } from "../../../apps/server/src/platform/secrets/envelope.ts";
import { randomBytes } from "node:crypto";

export const PAGE = 1_000;
/** Pages asked for at a time, here and by hand. */
export const READERS = 4;
const newId = makeNewId(systemClock);
const CONNECTOR = newId<"connector">();

/** What is measured: a graph, the fields it fills, and the same by hand. */
export interface Work {
  name: string;
  nodes: readonly BenchNode[];
  fields: readonly string[];
  byHand(rows: Row[]): Row[];
}

export const PLAIN: Work = {
  name: "sync",
  nodes: [ACTIVE],
  fields: ["name", "email", "phone", "city", "revenue"],
  byHand: (rows) => rows.filter(({ revenue }) => revenue >= 100_000),
};
export const TEN: Work = { name: "sync, ten nodes", nodes: TEN_NODES, fields: TEN_FIELDS, byHand: tenNodesByHand };

/** A process of its own that serves the records. */
export async function startSource(records: number): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL("json-pages.ts", import.meta.url), [String(records)]);
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once("message", (message) => resolve(message as { port: number }));
    child.once("error", reject);
  });
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

export const outside = EntitySchema.parse({
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
export async function prepare(database: TestDatabase, url: string, work: Work) {
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
  const plans = pipelinePlans(
    { dataPool: pool, secrets: makeSecrets([{ id: "bench", key: randomBytes(32) }]) },
    needs,
    schedule,
  );

  /** `onProgress` is told how many records were read so far, often. */
  async function cycle(onProgress: (read: number) => void = () => {}) {
    await schedule.requestCycle(instanceId, pipelineId);
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
      lease: new LeaseDeadline(systemClock, LEASE_MS, readClocks(systemClock)),
      time: databaseTime(acquired.acquiredAt, systemClock),
      start: {
        cycleId: "bench",
        epoch: acquired.epoch,
        sources: [{ nodeId: "bench-source", cursor: null, isComplete: false, since: null, due: true, replay: [] }],
        resync: null,
        failures: {},
      },
      onProgress: ({ counts }) => onProgress(counts.read["bench-source"] ?? 0),
      onCommitted: () => {},
      signal: new AbortController().signal,
    });
    const seconds = (performance.now() - began) / 1000;
    if (summary?.outcome !== "finished") throw new Error(`the cycle ended with ${JSON.stringify(summary)}`);
    await schedule.finish({ ...acquired, versionNumber: 1 }, summary, {
      dueInMs: 0,
      isResync: false,
      error: null,
      isProbing: false,
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
): RunsDependencies {
  const facts = { id: CONNECTOR, name: "Source", readPageSize: PAGE, writeBatchSize: 50, readDelaySeconds: 0 };
  const capabilities = ["read" as const];
  const version = {
    versionId: newId<"pipelineVersion">(),
    number: 1,
    name: "bench",
    graph,
    settings: DEFAULT_SETTINGS,
    publishedAt: new Date().toISOString(),
  };
  const found = {
    connector: { ...facts, status: "ACTIVE", capabilities } as never,
    facts: { status: "ACTIVE", problem: null, capabilities, schema: outside } as never,
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
      getConnector: () => Promise.resolve(found.connector),
      entitySchema: () => Promise.resolve(found.facts),
      findPlaces: (_, wanted) => Promise.resolve(wanted.map(() => found)),
      openConnection: () => Promise.resolve(connect()),
      reportFailure: () => Promise.resolve(),
      reportWorking: () => Promise.resolve(),
    },
    notify: async () => {},
    nameInstance: async () => "Bench",
    answers: { answer: (_, questions) => Promise.resolve(questions.map(() => ({ ok: true, found: [] }))) },
    pipelines: {
      publishedVersion: () => Promise.resolve(version),
      versionById: () => Promise.resolve(version),
      publishedSince: () => Promise.resolve({ nodes: new Map(), first: null }),
      remappedFields: () => Promise.resolve(new Map()),
      listPublished: () => Promise.resolve([]),
    },
  };
}
