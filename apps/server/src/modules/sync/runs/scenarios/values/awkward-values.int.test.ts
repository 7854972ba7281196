/** Values that are easily bent on their way: they reach core and destination as they are, and no source is written to. */
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as reconciliation from "@accord/contracts/sync/reconciliation";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edge, node } from "../../../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../../../test-kit/index.ts";
import { type TwoSystems, twoSystems } from "../../../../../../test-kit/systems/two-systems.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const ROWS = 2_000;

interface Column {
  name: string;
  type: string;
  /** SQL of what it holds, row by row in turn. */
  values: readonly string[];
  /** SQL that turns the core's column `c` into the column's own type; the column itself unless told. */
  inCore?: string;
}

const COLUMNS: readonly Column[] = [
  { name: "words", type: "text[]", values: ["'{}'", "NULL", `'{"",a}'`, "'{a,NULL,b}'", "'{NULL}'", `'{" a;b "}'`] },
  {
    name: "grid",
    type: "text[][]",
    values: ["'{{a,b},{c,NULL}}'", `'{{{"",x}},{{y,NULL}}}'`, "NULL", "'{}'", "'{a}'"],
  },
  {
    name: "wholes",
    type: "bigint[]",
    values: ["'{9223372036854775807,-9007199254740993,NULL,0}'", "'{}'", "'{{1},{2}}'"],
  },
  { name: "amounts", type: "numeric[]", values: ["'{0.10,12345678901234567890.123456789,NaN,NULL}'", "'{}'", "NULL"] },
  { name: "flags", type: "boolean[]", values: ["'{t,NULL,f}'", "NULL", "'{}'"] },
  { name: "moments", type: "timestamptz[]", values: [`'{"2024-05-06 07:08:09.123456+00",NULL,infinity}'`, "'{}'"] },
  {
    name: "days",
    type: "date[]",
    values: [`'{"0044-03-15 BC",infinity,NULL,2024-02-29}'`, "NULL", "'{}'"],
    inCore: "replace(c::text, '-000043-03-15', '0044-03-15 BC')::jsonb",
  },
  {
    name: "parts",
    type: "jsonb[]",
    values: [`ARRAY['{"a": 1.10}', '[1, null]', '"x"', NULL]::jsonb[]`, "'{}'", "NULL"],
  },
  {
    name: "number",
    type: "numeric",
    values: ["0.000", "0.123456789012345678901234567890", "'NaN'", "NULL", "'-Infinity'", "99999999999999999999999999"],
  },
  { name: "money", type: "numeric(30,10)", values: ["20.0000000020", "0", "-1.5", "12345678901234567890.0123456789"] },
  { name: "big", type: "bigint", values: ["9223372036854775807", "-9223372036854775808", "9007199254740993", "7"] },
  { name: "float", type: "float8", values: ["'NaN'", "'Infinity'", "'-Infinity'", "0.1", "1e308", "5e-324", "NULL"] },
  { name: "short", type: "float4", values: ["0.1", "'NaN'", "16777216", "3.4e38"], inCore: "c::float4" },
  {
    name: "moment",
    type: "timestamptz",
    values: [
      "'2024-05-06 07:08:09.123456+00'",
      "'2024-05-06 07:08:09.123400+00'",
      "'0044-03-15 12:00:00 BC'",
      "'-infinity'",
      "'12024-01-01 00:00:00.000001+00'",
      "NULL",
    ],
  },
  {
    name: "clock",
    type: "timestamp",
    values: ["'1999-12-31 23:59:59.999999'", "'infinity'", "'0001-01-01 00:00:00'"],
    inCore: "c AT TIME ZONE 'UTC'",
  },
  {
    name: "day",
    type: "date",
    values: ["'0045-02-29 BC'", "'infinity'", "'-infinity'", "'12024-02-29'", "'2024-02-29'"],
  },
  {
    name: "document",
    type: "jsonb",
    values: [
      `'{"id": 12345678901234567890, "price": 1.10, "list": [], "none": null, "text": ""}'`,
      "'[]'",
      "'{}'",
      `'[1.0, 0.10, 1e2, 0.1234567890123456789]'`,
      `'"{}"'`,
      `'""'`,
      "'12345678901234567890'",
      "'true'",
      "NULL",
    ],
  },
  {
    name: "letter",
    type: "json",
    values: [`'{"b": 1.50,  "a": [ ]}'`, "'[]'", `'"a"'`, "NULL"],
    inCore: "c::json",
  },
  { name: "code", type: "char(10)", values: ["'abc'", "''", "'abcdefghij'", "NULL"] },
  { name: "label", type: "varchar(8)", values: ["''", "' a '", "NULL", "'x'"] },
  { name: "plain", type: "text", values: ["''", "' '", "NULL", "'NaN'", "'infinity'"] },
];

/** One table's column as another's can be compared with it. */
const comparable = (column: Column, sql: string): string => (column.type === "json" ? `${sql}::jsonb` : sql);

/** The core keeps lists as JSON: back to an array, whatever its dimensions. */
function fromCore({ name, type, inCore }: Column): string {
  const column = `r."${name}"`;
  const read = inCore ? inCore.replace(/\bc\b/, () => column) : column;
  return type.endsWith("[]")
    ? `(jsonb_populate_record(NULL::shop.odd, jsonb_build_object('${name}', ${read})))."${name}"`
    : read;
}

const DEFINITION = COLUMNS.map(({ name, type }) => `"${name}" ${type}`).join(", ");
const FILLED = COLUMNS.map(
  ({ type, values }) =>
    `(ARRAY[${values.map((value) => `(${value})::${type}::text`).join(", ")}])[1 + i % ${values.length}]::${type}`,
);

const TABLES = `
  CREATE TABLE shop.odd (id int PRIMARY KEY, number_of_row int, ${DEFINITION});
  CREATE TABLE crm.odd (id int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, number_of_row int, ${DEFINITION});
  INSERT INTO shop.odd SELECT i, i, ${FILLED.join(", ")} FROM generate_series(1, ${ROWS}) i;
  CREATE TABLE shop.written (operation text, before jsonb, after jsonb);
  CREATE FUNCTION shop.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO shop.written VALUES (TG_OP, to_jsonb(OLD), to_jsonb(NEW)); RETURN NULL; END $$;
  CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON shop.odd FOR EACH ROW EXECUTE FUNCTION shop.note();`;

let t: TestApp;
let systems: TwoSystems;
let entityId: Id<"entity">;
const manager = () => t.as("SYNC_MANAGER");

const countOf = async (sql: string): Promise<number> => Number((await systems.sql(sql))[0]?.["count"]);

const untilIdle = (what: string, isThere: () => Promise<boolean>): Promise<true> =>
  eventually(what, async () => {
    const open = await countOf(`SELECT count(*) FROM "i_${t.instanceId}".delivery`);
    return open === 0 && (await isThere()) ? true : undefined;
  });

/** Two more cycles of the pipeline, begun and ended after this call. */
async function twoCycles(): Promise<void> {
  const ended = async (): Promise<number> =>
    countOf(`SELECT cycle_number AS count FROM sync_pipeline WHERE pipeline_id = '${entityId}' AND owner IS NULL`);
  for (let turn = 0; turn < 2; turn += 1) {
    const before = await ended();
    await manager().call(runs.runPipelineNow, { params: { entityId }, body: {} });
    await eventually("another cycle", async () => ((await ended()) > (before || 0) ? true : undefined));
  }
}

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  systems = await twoSystems(t, TABLES);
  const entity = await manager().call(createEntityFromConnector, {
    body: { connectorId: systems.shop, entityApiName: "odd", publish: true, apiName: "odd", displayName: "Odd" },
  });
  entityId = entity.id;
  const params = { entityId };
  const draft = await manager().call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const names = ["number_of_row", ...COLUMNS.map(({ name }) => name)];
  const fieldMappings = names.map((field) => ({ connectorField: field, coreField: field }));
  const nodes = [];
  const edges = [];
  for (const connectorId of [systems.shop, systems.crm]) {
    const both = { connectorId, entityDefinition: "odd", fieldMappings, scheduleSeconds: 1 };
    const [source, sink] = [`from_${connectorId}`, `to_${connectorId}`];
    nodes.push(node(source, "ENTITY_SOURCE", both));
    nodes.push(node(sink, "ENTITY_SINK", { ...both, create: connectorId === systems.crm, update: true }));
    edges.push(edge(source, core.id), edge(core.id, sink));
  }
  const { revision } = await manager().call(pipelines.savePipelineDraft, {
    params,
    body: { graph: Graph.parse({ nodes: [core, ...nodes], edges }), revision: draft.revision },
  });
  await manager().call(pipelines.publishPipeline, {
    params,
    body: { versionName: "First", revision, bringInExisting: true },
  });
  await untilIdle("all rows", async () => (await countOf("SELECT count(*) FROM crm.odd")) >= ROWS);
  await twoCycles();
}, 240_000);
afterAll(() => systems?.close());

describe("after a first load without edits", () => {
  test("no source was written to", async () => {
    expect(await systems.sql("SELECT * FROM shop.written LIMIT 3")).toEqual([]);
  });

  test("nothing was quarantined, and no field was left out", async () => {
    expect(await systems.sql(`SELECT * FROM "i_${t.instanceId}".quarantine LIMIT 3`)).toEqual([]);
    const { warnings, error } = await manager().call(runs.getPipelineErrors, { params: { entityId }, query: {} });
    expect({ warnings, error }).toEqual({ warnings: [], error: [] });
  });

  test.for(COLUMNS)("$name: $type is the same in the destination", async (column) => {
    const [here, there] = [`s."${column.name}"`, `c."${column.name}"`].map((sql) => comparable(column, sql));
    const different = await systems.sql(
      `SELECT ${here}::text AS source, ${there}::text AS destination FROM shop.odd s FULL JOIN crm.odd c USING (number_of_row)
       WHERE ${here} IS DISTINCT FROM ${there} LIMIT 3`,
    );
    expect(different).toEqual([]);
  });

  test.for(COLUMNS)("$name: $type is the same in the core", async (column) => {
    const [here, there] = [`s."${column.name}"`, fromCore(column)].map((sql) => comparable(column, sql));
    const different = await systems.sql(
      `SELECT ${here}::text AS source, r."${column.name}"::text AS core
       FROM shop.odd s FULL JOIN "i_${t.instanceId}"."r_odd" r USING (number_of_row)
       WHERE ${here} IS DISTINCT FROM ${there} LIMIT 3`,
    );
    expect(different).toEqual([]);
  });

  test("numbers in documents keep their last digits, trailing zeros too", async () => {
    const different = await systems.sql(
      `SELECT s.document::text AS source, c.document::text AS destination FROM shop.odd s JOIN crm.odd c USING (number_of_row)
       WHERE s.document::text IS DISTINCT FROM c.document::text LIMIT 3`,
    );
    expect(different).toEqual([]);
  });
});

test("reconciliation finds no difference", async () => {
  const { id } = await manager().call(reconciliation.startReconciliation, { params: { entityId }, body: {} });
  const params = { reconciliationId: id };
  const report = await eventually("the end of the reconciliation", async () => {
    const current = await manager().call(reconciliation.getReconciliation, { params });
    return current.endedAt === null ? undefined : current;
  });
  expect(report.status).toBe("FINISHED");
  const { differences } = await manager().call(reconciliation.listDifferences, { params, query: { count: 3 } });
  expect(differences).toEqual([]);
});

test("an edit of one field in the destination arrives in the source and changes only that column", async () => {
  await systems.sql("UPDATE crm.odd SET plain = 'edited' WHERE number_of_row % 100 = 1");
  await untilIdle(
    "the edits",
    async () => (await countOf("SELECT count(*) FROM shop.odd WHERE plain = 'edited'")) === ROWS / 100,
  );
  await twoCycles();
  const written = await systems.sql(
    "SELECT operation, before - 'plain' = after - 'plain' AS is_only FROM shop.written",
  );
  expect(written).toEqual(Array.from({ length: ROWS / 100 }, () => ({ operation: "UPDATE", is_only: true })));
});
