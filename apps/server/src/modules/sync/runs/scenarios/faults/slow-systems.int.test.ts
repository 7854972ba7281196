/** Two hundred pipelines on systems that ask for patience or do not answer, beside one whose systems are well. */
import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { httpConnector } from "@accord/connectors";
import { contactGraph, contactSchema } from "@accord/sync-simulation";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { runWorker } from "../../../../../../test-kit/sync-world/running-worker.ts";
import {
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  syncWorldNeeds,
} from "../../../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../../../platform/clock.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import { outbound } from "../../../../../platform/outbound/guard.ts";
import { makeSecrets } from "../../../../../platform/secrets/envelope.ts";
import { connectContext } from "../../../../connections/connectors/connection-context.ts";
import { rateLimits } from "../../../../connections/connectors/rate-limits/rate-limits.ts";
import type { RunsDependencies } from "../../worker/plans.ts";
import { scheduleStore } from "../../schedule/schedule.store.ts";

const SLOW_PIPELINES = 200;
const SYSTEMS = ["limited", "hanging"] as const;
const HANGS_MS = 20_000;
const SAMPLES = 7;
const LONG_TIMEOUT = { timeout: 180_000 };

const log = makeLog({ logLevel: "silent" });
const idOf = (index: number): string => `f${String(index).padStart(23, "0")}`;

/** `/limited` asks for patience, `/hanging` answers much later. */
async function startApi(): Promise<{ server: Server; open: { most: number } }> {
  const open = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.once("close", () => void (open.now -= 1));
    if (request.url?.startsWith("/limited")) response.writeHead(429, { "retry-after": "90" }).end("{}");
    else setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end("[]"), HANGS_MS).unref();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, open };
}

/** The sync world; pipelines other than its own read and write one of the slow systems. */
function needsOf(pool: Pool, base: string, egress: ReturnType<typeof outbound>): RunsDependencies {
  const tables = syncWorldNeeds(pool);
  const secrets = makeSecrets([{ id: "test", key: randomBytes(32) }]);
  const limits = rateLimits({ clock: systemClock, dataPool: pool, log, secrets });
  const contextDeps = { outbound: egress, clock: systemClock, log, config: {} as never };
  const fields = contactSchema.fields.map((field) => ({ ...field, path: "" }));
  return {
    ...tables,
    connectors: {
      ...tables.connectors,
      async openConnection(at, connectorId, options = {}) {
        if (connectorId === "a" || connectorId === "b")
          return tables.connectors.openConnection(at, connectorId, options);
        const signal = options.signal ?? new AbortController().signal;
        const list = { path: `/${connectorId}` };
        const entity = { apiName: "contact", displayName: "Contact", fields, idField: "id", list };
        const config = { baseUrl: base, entities: [entity] };
        const connection = { instanceId: at, type: httpConnector, config, authType: "none", credentials: {} };
        const context = connectContext(contextDeps, connection, signal, options.assertMaySend);
        const calls = { at, credentials: { of: connectorId }, signal, patience: options.patience };
        return httpConnector.connect({ ...context, send: limits.guard(calls, context.send) });
      },
    },
    pipelines: {
      ...tables.pipelines,
      async publishedVersion(at, pipelineId) {
        const version = await tables.pipelines.publishedVersion(at, pipelineId);
        if (!version || pipelineId === ENTITY) return version;
        const name = SYSTEMS[Number(pipelineId.slice(1)) % SYSTEMS.length] ?? "limited";
        return { ...version, graph: contactGraph([{ name, traits: { canLookup: false } }], "NONE") };
      },
    },
  };
}

/** Milliseconds from a change in one system until it is in the other; the middle of several. */
async function latency(pool: Pool, round: string): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const name = `${round} ${sample}`;
    const began = performance.now();
    await editOutside(pool, "a", "UPDATE $table SET name = $1, change = nextval('outside.change')", [name]);
    for (;;) {
      const { rows } = await pool.query("SELECT FROM outside.b WHERE name = $1", [name]);
      if (rows.length > 0) break;
      if (performance.now() - began > 60_000) throw new Error(`${name} never arrived`);
      await sleep(20);
    }
    times.push(performance.now() - began);
    // Not in step with the polls of the worker.
    await sleep((sample * 377) % 700);
  }
  return times.sort((one, other) => one - other)[SAMPLES >> 1] ?? NaN;
}

test(
  "[F3] systems that let pipelines wait delay only those: another pipeline is as fast as ever",
  LONG_TIMEOUT,
  async () => {
    const database = await testDatabase();
    onTestFinished(database.drop);
    const { pool } = database.data;
    const { server, open } = await startApi();
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const egress = outbound({ allow: [`127.0.0.1:${port}`] });
    onTestFinished(() => egress.close());
    await makeSyncWorld(pool);
    await editOutside(pool, "a", "INSERT INTO $table (email, name) VALUES ('one@example.com', 'one')", []);
    const needs = needsOf(pool, `http://127.0.0.1:${port}`, egress);
    const schedule = scheduleStore(pool);
    await runWorker(pool, { needs, schedule });

    await latency(pool, "warm up");
    const quiet = await latency(pool, "quiet");
    // All of them have been due for longer than the one whose systems are well.
    await pool.query(
      `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number, due_at)
     SELECT $1, unnest($2::text[]), 'v', 1, now() - interval '1 hour'`,
      [INSTANCE, Array.from({ length: SLOW_PIPELINES }, (_, index) => idOf(index))],
    );
    await pool.query("NOTIFY accord_sync");
    const beside = await latency(pool, "beside slow systems");
    const { rows } = await pool.query(`SELECT count(*)::int AS held FROM sync_pipeline WHERE owner IS NOT NULL`);
    expect(beside).toBeLessThan(2 * quiet);
    expect(rows[0].held, "pipelines that wait meanwhile").toBeGreaterThanOrEqual(8);
    expect(open.most, "connections to one system").toBeLessThan(40);
  },
);
