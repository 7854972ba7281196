/** Custom action: a REST call that somebody made reusable. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { ID_PATTERN } from "@accord/contracts";
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import { compileInput } from "../functions/kinds/value-function.ts";
import type { ActionDefinition } from "./define.ts";

const Config = z.looseObject({
  actionId: z.string({ error: nodeSettings.chooseAction }).regex(ID_PATTERN, nodeSettings.chooseAction),
  variables: z.record(z.string(), z.any()).default({}),
});
const ID = "0123456789abcdef01234567";

export const customAction: ActionDefinition = {
  name: "customAction",
  label: "Custom action",
  summary: "Makes a REST call that was set up once for all pipelines; the answer is the node's result.",
  group: "request",
  levels: ["entity", "field"],
  effect: "work",
  inputs: [
    input({
      name: "actionId",
      label: "Action",
      datatype: "picklist",
      renderType: "customAction",
      required: true,
      hideTokenPicker: true,
    }),
    input({
      name: "variables",
      label: "Variables",
      datatype: "object",
      renderType: "actionVariables",
      allowUserToken: true,
      dependsOn: { dependantField: "actionId", dependantType: "actionVariables" },
    }),
  ],
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  prepare: (configuration, context) => {
    const { actionId, variables } = Config.parse(configuration);
    const reads = Object.entries(variables).map(([name, held]) => [name, compileInput(held, context, name)] as const);
    return (record, env) => ({
      kind: "custom",
      actionId,
      variables: Object.fromEntries(reads.map(([name, read]) => [name, read(record, env)])),
    });
  },
  examples: [
    {
      says: "each variable is an input",
      config: { actionId: ID, variables: { who: "{{previous.values.Name}}" } },
      record: { values: { Name: "Ann" } },
      work: { kind: "custom", actionId: ID, variables: { who: "Ann" } },
    },
    {
      says: "a variable that is one token keeps its type",
      config: { actionId: ID, variables: { size: "{{previous.values.size}}" } },
      record: { values: { size: 3 } },
      work: { kind: "custom", actionId: ID, variables: { size: 3 } },
    },
    {
      says: "without variables",
      config: { actionId: ID },
      record: { values: {} },
      work: { kind: "custom", actionId: ID, variables: {} },
    },
  ],
};
