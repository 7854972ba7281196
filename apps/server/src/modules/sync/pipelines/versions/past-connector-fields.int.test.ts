/** Which fields of systems were ever moved to or from core fields: all of them, however many versions there are. */
import type { Id } from "@accord/contracts";
import { Graph } from "@accord/contracts/sync/graph";
import { secretConnectorFields } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { node } from "../../../../../test-kit/graphs.ts";
import { type FieldGraphs, readPastConnectorFields } from "./versions.store.ts";

const I = "a".repeat(24) as Id<"instance">;
const J = "b".repeat(24) as Id<"instance">;
const [LOGIN, OTHER, ELSEWHERE] = ["c".repeat(24), "d".repeat(24), "e".repeat(24)];

const moving = (
  nodeType: "ENTITY_SOURCE" | "ENTITY_SINK",
  [connectorId, entityDefinition]: readonly [string, string],
  fields: { [coreField: string]: string },
): ReturnType<typeof node> =>
  node(`${nodeType}-${connectorId}-${entityDefinition}`, nodeType, {
    connectorId,
    entityDefinition,
    fieldMappings: Object.entries(fields).map(([coreField, connectorField]) => ({ connectorField, coreField })),
  });

const fieldGraph = (nodeType: "ATTRIBUTE_SOURCE" | "ATTRIBUTE_SINK", attributeDefinition: string): Graph =>
  Graph.parse({
    nodes: [node("field", nodeType, { connectorId: "crm", entityDefinition: "login", attributeDefinition })],
    edges: [],
  });

async function world() {
  const { app, drop } = await testDatabase();
  onTestFinished(drop);
  for (const [instance, entity] of [
    [I, LOGIN],
    [I, OTHER],
    [J, ELSEWHERE],
  ]) {
    await app.pool.query(
      "INSERT INTO core_entity (id, instance_id, api_name, created_at, updated_at) VALUES ($1, $2, 'e' || $1, now(), now())",
      [entity, instance],
    );
    await app.pool.query(
      `INSERT INTO pipeline (entity_id, instance_id, revision, settings, merge_config, modified_at, modified_by)
       VALUES ($1, $2, 1, '{}', '{}', now(), '{}')`,
      [entity, instance],
    );
  }
  let number = 0;
  const publish = async (
    [instance, entity]: readonly [string, string | undefined],
    nodes: object[],
    fieldGraphs: FieldGraphs = {},
  ): Promise<void> => {
    number += 1;
    await app.pool.query(
      `INSERT INTO pipeline_version (id, instance_id, entity_id, number, name, summary, graph, field_graphs, outline, settings, published_at, published_by)
       VALUES ($1, $2, $3, $4, '', '', $5, $6, '{}', '{}', now(), '{}')`,
      [
        `version ${number}`,
        instance,
        entity,
        number,
        JSON.stringify(Graph.parse({ nodes, edges: [] })),
        JSON.stringify(fieldGraphs),
      ],
    );
  };
  let received = 0;
  const metered = app.db.withPlugin({
    transformQuery: ({ node: query }) => query,
    async transformResult({ result }) {
      received += JSON.stringify(result.rows).length;
      return result;
    },
  });
  const ask = async (connectorId: string, entity: string | null, ...fields: string[]): Promise<string[]> => {
    const coreFields = fields.map((field) => ({ entityId: LOGIN ?? "", field }));
    return (await readPastConnectorFields(metered, I, { connectorId, entity }, coreFields)).toSorted();
  };
  return { publish, ask, received: () => received };
}

test("every version counts, its field pipelines too, and only what it moves at that connector or entity", async () => {
  const { publish, ask } = await world();
  const own = [I, LOGIN] as const;
  await publish(own, [moving("ENTITY_SOURCE", ["crm", "login"], { pin: "pinColumn", name: "nameColumn" })]);
  await publish(own, [moving("ENTITY_SINK", ["crm", "login"], { pin: "code", token: "tokenColumn" })]);
  await publish(own, [moving("ENTITY_SINK", ["crm", "account"], { pin: "accountPin" })]);
  await publish(own, [moving("ENTITY_SOURCE", ["shop", "login"], { pin: "shopPin" })]);
  await publish(own, [], {
    pin: fieldGraph("ATTRIBUTE_SOURCE", "readByField"),
    token: fieldGraph("ATTRIBUTE_SINK", "writtenByField"),
    name: fieldGraph("ATTRIBUTE_SINK", "nameByField"),
  });
  await publish([I, OTHER], [moving("ENTITY_SOURCE", ["crm", "login"], { pin: "ofAnotherPipeline" })]);
  await publish([J, ELSEWHERE], [moving("ENTITY_SOURCE", ["crm", "login"], { pin: "ofAnotherInstance" })]);
  expect(await ask("crm", "login", "pin")).toEqual(["code", "pinColumn", "readByField"]);
  expect(await ask("crm", "login", "pin", "token")).toEqual([
    ...["code", "pinColumn", "readByField", "tokenColumn", "writtenByField"],
  ]);
  expect(await ask("crm", null, "pin")).toEqual(["accountPin", "code", "pinColumn", "readByField"]);
  expect(await ask("shop", "login", "pin")).toEqual(["shopPin"]);
  expect(await ask("shop", "login", "name"), "no such field is moved there").toEqual([]);
  expect(await ask("crm", "login")).toEqual([]);
});

test("the database names the same fields of a version as the engine does", async () => {
  const { publish, ask } = await world();
  const nodes = [
    moving("ENTITY_SOURCE", ["crm", "login"], { pin: "a", name: "b" }),
    moving("ENTITY_SINK", ["crm", "login"], { pin: "c", token: "a" }),
    node("source-without-fields", "ENTITY_SOURCE", { connectorId: "crm", entityDefinition: "login" }),
    node("function", "FUNCTION", { connectorId: "crm", fieldMappings: [{ coreField: "pin", connectorField: "x" }] }),
  ];
  const fieldGraphs = { pin: fieldGraph("ATTRIBUTE_SOURCE", "d"), name: fieldGraph("ATTRIBUTE_SINK", "e") };
  await publish([I, LOGIN], nodes, fieldGraphs);
  for (const secret of [["pin"], ["name"], ["token"], ["pin", "name", "token"]]) {
    const graph = Graph.parse({ nodes, edges: [] });
    const named = secretConnectorFields(graph, new Map(Object.entries(fieldGraphs)), new Set(secret));
    expect(await ask("crm", "login", ...secret), secret.join()).toEqual([...(named.get("crm/login") ?? [])].toSorted());
  }
});

test("versions stay in the database, however many and large they are", async () => {
  const { publish, ask, received } = await world();
  const metadata = { note: "x".repeat(100_000) };
  const large = { ...moving("ENTITY_SOURCE", ["crm", "login"], { pin: "pinColumn" }), metadata };
  for (let version = 0; version < 20; version += 1) await publish([I, LOGIN], [large]);
  expect(await ask("crm", "login", "pin")).toEqual(["pinColumn"]);
  expect(received()).toBeGreaterThan(0);
  expect(received()).toBeLessThan(100);
});
