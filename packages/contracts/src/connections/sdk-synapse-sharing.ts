/** With whom uploaded synapses are shared: who else may connect what is approved. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { ShareScope } from "./sdk-synapse-shapes.ts";

const params = z.strictObject({ connectorMetaDefinitionId: id("sdkSynapse") });
const PATH = "/custom-synapses/sdk/:connectorMetaDefinitionId/share";

const SharedWith = z.strictObject({
  /** What counts beside a publication to every organisation, and again once that ends. */
  scope: ShareScope.exclude(["GLOBAL"]),
  isGlobal: z.boolean(),
  instanceIds: z.array(id("instance")),
  /** Of the synapse, which sharing counts up. */
  version: z.int(),
});

export const getSdkSynapseShare = endpoint({
  name: "getSdkSynapseShare",
  method: "GET",
  path: PATH,
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Which instances may use an approved synapse, of those that the caller may work in.",
  params,
  reply: SharedWith,
});

export const shareSdkSynapse = endpoint({
  name: "shareSdkSynapse",
  method: "POST",
  path: PATH,
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Shares a synapse; globally only by its approval.",
  params,
  body: z.strictObject({
    /** As it was answered with what is shared now. */
    version: z.int(),
    scope: ShareScope.exclude(["GLOBAL"]),
    instanceIds: z.array(id("instance")).max(1_000).default([]),
  }),
  reply: SharedWith,
  errors: ["stale_version"],
});
