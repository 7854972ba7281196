/** Two-way sync through a connection of an HTTP synapse, before and after another version of it is published. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as entities from "@accord/contracts/connections/http-synapse-entities";
import * as api from "@accord/contracts/connections/http-synapses";
import type { Id } from "@accord/contracts";
import { expect, test } from "vitest";
import { shopAndRegister } from "../../../../test-kit/systems/shop-and-register.ts";
import { connectSynapse, publishedSynapse, publishSynapse } from "../../../../test-kit/systems/http-synapse.ts";

const PAGED = companies("page", { kind: "page", sizeParam: "size", size: 10 });

test("[PLT-128] systems agree both ways through it, and go on with the version that is published next", async () => {
  let synapse: Id<"customSynapse"> | undefined;
  const {
    t,
    systems,
    api: register,
    untilAgreed,
  } = await shopAndRegister(3, 12, PAGED, {
    connectRegister: async (app, found, entity) => {
      synapse = await publishedSynapse(app, undefined, entity);
      return connectSynapse(app, synapse, found);
    },
  });
  await untilAgreed("both to hold all companies");
  expect(register.companies.size).toBe(15);
  await systems.sql("UPDATE shop.company SET name = 'From the shop' WHERE email = 'c4@example.com'");
  await untilAgreed("the shop's edit to arrive");
  expect([...register.companies.values()].map(({ name }) => name)).toContain("From the shop");
  register.touch(5, { name: "From the register" });
  await untilAgreed("the register's edit to arrive");

  // The list is asked at another address from the next version on.
  const params = { metadataId: synapse as Id<"customSynapse"> };
  const admin = t.as("INSTANCE_ADMIN");
  await admin.call(api.createSynapseDraft, { params, body: {} });
  const { entities: described } = await admin.call(entities.listSynapseEntities, { params });
  const [entity] = described;
  if (!entity) throw new Error("it has an entity");
  const list = { ...entity.config.list, path: "/offset/companies", paging: { kind: "offset" as const } };
  await admin.call(entities.updateSynapseEntity, {
    params: { ...params, entityId: entity.entityId },
    body: { revision: entity.revision, config: { ...entity.config, list } },
  });
  await publishSynapse(t, params.metadataId);
  register.create({ name: "Made later", email: "later@example.com" });
  await untilAgreed("what was made after the next version to arrive");
  expect(register.calls.some((call) => call.startsWith("GET /offset/companies"))).toBe(true);
}, 120_000);
