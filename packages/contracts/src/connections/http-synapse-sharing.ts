/** With whom HTTP synapses are shared: who else may connect what is published. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

export const SHARE_SCOPES = ["PRIVATE", "SUBSCRIPTION", "INSTANCES", "GLOBAL"] as const;
export const ShareScope = z.enum(SHARE_SCOPES);
export type ShareScope = z.output<typeof ShareScope>;

const params = z.strictObject({ connectorMetaDefinitionId: id("customSynapse") });

export const getSynapseShareScope = endpoint({
  name: "getSynapseShareScope",
  method: "GET",
  path: "/custom-synapses/share-scope",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "With whom the caller may share synapses, and the instances to choose from.",
  reply: z.strictObject({
    scopes: z.array(z.strictObject({ id: ShareScope, label: z.string() })),
    instances: z.array(z.strictObject({ id: id("instance"), displayName: z.string() })),
  }),
});

const share = { scope: ShareScope, instanceIds: z.array(id("instance")).max(500).default([]) };

export const getSynapseShare = endpoint({
  name: "getSynapseShare",
  method: "GET",
  path: "/custom-synapses/:connectorMetaDefinitionId/share",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "With whom a synapse is shared.",
  params,
  reply: z.strictObject(share),
});

export const shareSynapse = endpoint({
  name: "shareSynapse",
  method: "POST",
  path: "/custom-synapses/:connectorMetaDefinitionId/share",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Shares a synapse. Connections of instances that lose it are refused unless `acceptBreaking`.",
  params,
  body: z.strictObject({ ...share, acceptBreaking: z.boolean().default(false) }),
  reply: z.strictObject(share),
  errors: ["validation_failed", "forbidden", "breaking_changes"],
});
