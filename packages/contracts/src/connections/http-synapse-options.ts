/** What a form of an HTTP synapse can offer: ways of signing in, and types of fields. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AuthMethod } from "./connector-shapes.ts";
import { SYNAPSE_AUTH_TYPES } from "./http-synapse-definition.ts";

export const listSynapseAuthTypes = endpoint({
  name: "listSynapseAuthTypes",
  method: "GET",
  path: "/custom-synapses/http/auth-types",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "How the API of an HTTP synapse can be signed in to, with the inputs of each way.",
  reply: z.strictObject({ authTypes: z.array(AuthMethod.extend({ type: z.enum(SYNAPSE_AUTH_TYPES) })) }),
});

export const listSynapseDatatypes = endpoint({
  name: "listSynapseDatatypes",
  method: "GET",
  path: "/custom-synapses/http/datatypes",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Types that fields of an HTTP synapse's entities can have.",
  reply: z.strictObject({ datatypes: z.array(z.strictObject({ id: z.string(), label: z.string() })) }),
});
