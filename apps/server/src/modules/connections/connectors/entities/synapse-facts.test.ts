/** What others see of the entities of an HTTP synapse does not cost more for each the more there are. */
import { synapseConnectorType } from "@accord/connectors";
import { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";
import { EntitySchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { entityFacts } from "./entity-view.ts";

const ENTITIES = 200;
const fields = Array.from({ length: 100 }, (_, at) => ({
  apiName: `f${at}`,
  displayName: `F${at}`,
  dataType: "string",
}));

test("[PLT-128] facts of many entities read each description once at most", () => {
  const stored = HttpSynapseDefinition.parse({
    settings: { displayName: "Large", endpoint: "https://{{variable.host}}", variables: [{ name: "host" }] },
    entities: Array.from({ length: ENTITIES }, (_, at) => ({
      entityId: at.toString(16).padStart(24, "0"),
      revision: 1,
      config: { apiName: `e${at}`, displayName: `E${at}`, fields, idField: "f0", list: { path: `/e${at}` } },
    })),
  });
  let reads = 0;
  const counted = stored.entities.map((entity) => ({
    ...entity,
    config: {
      ...entity.config,
      get fields() {
        reads += 1;
        return entity.config.fields;
      },
    },
  }));
  const type = synapseConnectorType({ id: "large", icon: "api", definition: { ...stored, entities: counted } });
  const definition = EntitySchema.parse({ apiName: "e", displayName: "E", fields });
  const facts = stored.entities.map(({ config: { apiName } }) =>
    entityFacts(
      {
        instance_id: "0".repeat(24),
        connector_id: "1".repeat(24),
        api_name: apiName,
        definition: { ...definition, apiName },
        status: "ACTIVE",
        id_field: null,
        watermark_field: null,
        refreshed_at: "2026-01-01T00:00:00.000Z",
      },
      type,
      { host: "api.example.com" },
    ),
  );
  expect(facts.map(({ capabilities }) => capabilities.includes("read"))).toEqual(Array(ENTITIES).fill(true));
  expect(reads).toBeLessThanOrEqual(ENTITIES);
});
