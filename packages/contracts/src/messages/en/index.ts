/** Every word catalogue of the English locale by namespace. A new area adds its file and one line here. */
import { builder } from "./sync/builder.ts";
import { changes } from "./changes.ts";
import { connectorFiles } from "./connector-files.ts";
import { connections } from "./connections.ts";
import { customActions } from "./sync/custom-actions.ts";
import { customSynapses } from "./synapses/custom-synapses.ts";
import { sdkSynapses } from "./synapses/sdk-synapses.ts";
import { data } from "./data.ts";
import { errors } from "./errors.ts";
import { graph } from "./sync/graph.ts";
import { identity } from "./identity.ts";
import { insights } from "./insights.ts";
import { manifests } from "./manifests.ts";
import { reconciliation } from "./sync/reconciliation.ts";
import { schema } from "./schema.ts";
import { shell } from "./shell.ts";
import { sync } from "./sync.ts";
import { systemSignIn } from "./system-sign-in.ts";
import { values } from "./values.ts";
import { webhooks } from "./webhooks.ts";

export const en = {
  builder,
  changes,
  connections,
  connectorFiles,
  customActions,
  customSynapses,
  sdkSynapses,
  data,
  schema,
  identity,
  errors,
  graph,
  insights,
  manifests,
  reconciliation,
  shell,
  sync,
  systemSignIn,
  values,
  webhooks,
} as const;
