/** Pages of 100 from 1,000,000 records with a filter, through the HTTP endpoint; the limit is the same SQL by hand. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { API_PREFIX, type Id } from "@accord/contracts";
import type { Predicate } from "@accord/contracts/data/predicate";
import { recordTable } from "../../apps/server/src/modules/data/schema/index.ts";
import { benchApp } from "./parts/bench-app.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const RECORDS = 1_000_000;
/** At least so many rounds, and for at least so long: what takes a millisecond needs more of them to settle. */
const WARM_UP = { rounds: 5, ms: 1_000 };
const MEASURED = { rounds: 25, ms: 3_000 };

/** One list: what the endpoint is asked, and what somebody who knows the table would write instead. */
interface Case {
  name: string;
  /** The hand-written SQL answers over HTTP too: where it takes under a millisecond, the request itself is the cost. */
  limitOverHttp?: true;
  sort: string;
  predicate: Predicate;
  where: string;
  order: string;
}

const condition = (field: string, operator: "equals" | "contains" | "greater", value: string | number): Predicate => ({
  type: "condition",
  left: { kind: "field", field },
  operator,
  right: [{ kind: "literal", value }],
});

const CASES: Case[] = [
  {
    name: "records: text and amount filter, newest first",
    sort: "-accord_id",
    predicate: {
      type: "group",
      combinator: "and",
      children: [condition("name", "contains", "77 gmbh"), condition("amount", "greater", 9000)],
    },
    where: `lower(name COLLATE "und-x-icu") LIKE '%77 gmbh%' AND amount > 9000`,
    order: "accord_id DESC",
  },
  {
    name: "records: one stage, newest first (by hand over bare HTTP)",
    limitOverHttp: true,
    sort: "-accord_id",
    predicate: condition("stage", "equals", "won"),
    where: `lower(stage COLLATE "und-x-icu") = 'won'`,
    order: "accord_id DESC",
  },
  {
    name: "records: one stage, by amount",
    sort: "-amount",
    predicate: condition("stage", "equals", "won"),
    where: `lower(stage COLLATE "und-x-icu") = 'won'`,
    order: "amount DESC NULLS LAST, accord_id DESC",
  },
  {
    name: "records: rare city, by name",
    sort: "name",
    predicate: {
      type: "group",
      combinator: "and",
      children: [condition("city", "equals", "Graz"), condition("pieces", "greater", 990)],
    },
    where: `lower(city COLLATE "und-x-icu") = 'graz' AND pieces > 990`,
    order: `name COLLATE "und-x-icu" NULLS LAST, accord_id`,
  },
];

const FIELDS = [
  { apiName: "name", displayName: "Name" },
  { apiName: "city", displayName: "City" },
  {
    apiName: "stage",
    displayName: "Stage",
    dataType: "picklist",
    picklist: ["open", "won", "lost"].map((id) => ({ id, label: id })),
  },
  { apiName: "amount", displayName: "Amount", dataType: "decimal" },
  { apiName: "pieces", displayName: "Pieces", dataType: "integer" },
  { apiName: "closed", displayName: "Closed", dataType: "date" },
  { apiName: "active", displayName: "Active", dataType: "boolean" },
  { apiName: "email", displayName: "E-mail" },
];

export const measure: Measure = async (_words, say) => {
  const { databases, instanceId, address, headers, close } = await benchApp([]);
  try {
    const post = async (path: string, body: string, type: string): Promise<unknown> => {
      const reply = await fetch(`${address}${API_PREFIX}${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": type },
        body,
      });
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply.json();
    };
    const entity = (await post(
      "/entities",
      JSON.stringify({ apiName: "Deal", displayName: "Deal", fields: FIELDS, publish: true }),
      "application/json",
    )) as { id: Id<"entity"> };
    const table = recordTable(instanceId, "Deal");
    say(`filling ${RECORDS.toLocaleString("en")} records`);
    await databases.data.pool.query(fillSql(table));
    await databases.data.pool.query(`VACUUM ANALYZE ${table}`);

    const measured: Measurement[] = [];
    for (const each of CASES)
      measured.push(await compare(each, { table, pool: databases.data.pool, entityId: entity.id, post }));
    return measured;
  } finally {
    await close();
  }
};

/** Made by arithmetic on the row's number: the same records in every run. */
const fillSql = (table: string): string => `
  INSERT INTO ${table} (accord_id, name, city, stage, amount, pieces, closed, active, email)
  SELECT lpad(to_hex(i), 24, '0'),
    (ARRAY['Alpine','Harbor','Cedar','Lumen','Vertex','Nordic','Quarry'])[1 + i % 7] || ' ' || (i * 7919 % 100000) || ' ' || (ARRAY['GmbH','Ltd','Inc','SA'])[1 + i % 4],
    (ARRAY['Vienna','Graz','Linz','Berlin','Paris','Oslo','Rome','Bern'])[1 + i * 31 % 8],
    (ARRAY['open','won','lost'])[1 + i * 17 % 3],
    (i * 104729 % 1000000)::numeric / 100, i * 613 % 1000,
    DATE '2020-01-01' + (i * 11 % 2000)::integer, i % 3 = 0, 'contact' || i || '@example.com'
  FROM generate_series(1::bigint, ${RECORDS}) AS i`;

interface Subject {
  table: string;
  pool: { query(text: string): Promise<{ rows: unknown[] }> };
  entityId: Id<"entity">;
  post: (path: string, body: string, type: string) => Promise<unknown>;
}

/** Both in turn, so that a busy moment of the machine falls on both; the medians are compared. */
async function compare(
  { name, sort, predicate, where, order, limitOverHttp }: Case,
  { table, pool, entityId, post }: Subject,
): Promise<Measurement> {
  const columns = `accord_id, accord_deleted, accord_version, accord_created_at, accord_updated_at, ${FIELDS.map(({ apiName }) => `"${apiName}"`).join(", ")}`;
  const byHand = () =>
    pool.query(`SELECT ${columns} FROM ${table} WHERE NOT accord_deleted AND ${where} ORDER BY ${order} LIMIT 101`);
  const path = `/entities/${entityId}/records?count=100&sort=${encodeURIComponent(sort)}`;
  const byEndpoint = () => post(path, JSON.stringify(predicate), "text/plain");
  const { rows } = await byHand();
  const bare = limitOverHttp ? await bareHttp(async () => (await byHand()).rows) : null;
  const limit = bare ? () => bare.get() : byHand;
  const page = (await byEndpoint()) as { records: { accordId: string }[] };
  const ids = rows.slice(0, 100).map((row) => (row as { accord_id: string }).accord_id);
  if (page.records.map(({ accordId }) => accordId).join() !== ids.join()) throw new Error(`${name}: not the same page`);

  await inTurn(limit, byEndpoint, WARM_UP);
  const times = await inTurn(limit, byEndpoint, MEASURED);
  await bare?.close();
  return { name, ours: median(times.ours), limit: median(times.limit), unit: "ms", better: "less", rssMb: peakRssMb() };
}

async function inTurn(
  limit: () => Promise<unknown>,
  ours: () => Promise<unknown>,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<{ limit: number[]; ours: number[] }> {
  const times = { limit: [] as number[], ours: [] as number[] };
  const until = performance.now() + ms;
  while (times.ours.length < rounds || performance.now() < until) {
    times.limit.push(await timed(limit));
    times.ours.push(await timed(ours));
  }
  return times;
}

/** The least server there can be: no session, no permission, no checks. */
async function bareHttp(answer: () => Promise<unknown>) {
  const server = createServer((_request, reply) => {
    void answer().then((rows) => reply.setHeader("content-type", "application/json").end(JSON.stringify(rows)));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    get: async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/`)).json(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
