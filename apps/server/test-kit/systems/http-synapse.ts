/** An HTTP synapse for the register of companies, as somebody would build it: settings, one entity, published. */
import { API_KEY, type JsonApi } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import type { Id } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { createSynapseEntity } from "@accord/contracts/connections/http-synapse-entities";
import {
  createHttpSynapse,
  getHttpSynapse,
  publishSynapseDraft,
  type HttpSynapse,
} from "@accord/contracts/connections/http-synapses";
import type { Place, TestApp } from "../test-app.ts";
import { makeActive } from "./active-connector.ts";

type SynapseId = Id<"customSynapse">;

/** Parts of the form that makes one. The port of the register is a variable. */
export const synapseForm = (name: string, more: object = {}) => ({
  name,
  displayName: `Register ${name}`,
  endpoint: "http://127.0.0.1:{{variable.port}}",
  testPath: "/page/nothing",
  authType: "apiKey" as const,
  variables: JSON.stringify([
    { name: "port", displayName: "Port", required: true },
    { name: "teams", displayName: "Teams", multivalued: true },
  ]),
  headers: JSON.stringify([{ name: "X-Teams", value: "{{variable.teams}}" }]),
  ...more,
});

export const portOf = (api: Pick<JsonApi, "url">): string => new URL(api.url).port;

export async function makeSynapse(t: TestApp, at?: Place, more: object = {}): Promise<SynapseId> {
  const name = `s${t.deps.newId()}`;
  return (await t.as("INSTANCE_ADMIN", at).call(createHttpSynapse, { body: synapseForm(name, more) })).id;
}

export async function addEntity(
  t: TestApp,
  metadataId: SynapseId,
  entity: HttpEntityInput = companies("page", { kind: "page", sizeParam: "size", size: 10 }),
  at?: Place,
): Promise<Id<"synapseEntity">> {
  const body = { config: entity };
  return (await t.as("INSTANCE_ADMIN", at).call(createSynapseEntity, { params: { metadataId }, body })).entityId;
}

export async function publishedSynapse(t: TestApp, at?: Place, entity?: HttpEntityInput): Promise<SynapseId> {
  const metadataId = await makeSynapse(t, at);
  await addEntity(t, metadataId, entity, at);
  await publishSynapse(t, metadataId, at);
  return metadataId;
}

/** Its draft as it is now, as a call names it. */
export async function revisionOf(t: TestApp, metadataId: SynapseId, at?: Place): Promise<number> {
  return (await t.as("INSTANCE_ADMIN", at).call(getHttpSynapse, { params: { metadataId } })).revision;
}

/** Its draft as it is now, whatever that breaks. */
export async function publishSynapse(t: TestApp, metadataId: SynapseId, at?: Place): Promise<HttpSynapse> {
  const body = { revision: await revisionOf(t, metadataId, at), acceptBreaking: true };
  return t.as("INSTANCE_ADMIN", at).call(publishSynapseDraft, { params: { metadataId }, body });
}

/** A connection of it that is in use. */
export async function connectSynapse(
  t: TestApp,
  typeId: string,
  api: JsonApi,
  { at, name = "Register" }: { at?: Place; name?: string } = {},
): Promise<Id<"connector">> {
  const admin = t.as("INSTANCE_ADMIN", at);
  const { id } = await admin.call(connectors.createConnector, {
    body: {
      name,
      typeId,
      authType: "apiKey",
      credentials: { apiKey: API_KEY },
      config: { port: portOf(api), teams: ["north", "south"] },
    },
  });
  await makeActive(admin, id, name);
  return id;
}
