/** Actions as validation, palette and configuration panel need them. */
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import { input } from "../functions/define.ts";
import type { FunctionFacts } from "../graph/validation/catalogue.ts";
import type { ActionDefinition } from "./define.ts";
import { ACTIONS, actionByName } from "./registry.ts";

/** Asked of every action that does something. */
const RESYNC_INPUT = input({
  name: "onResync",
  label: "Also while everything is read again",
  datatype: "boolean",
  defaultValue: false,
  hideTokenPicker: true,
  helpText:
    "Off: a resync, and the first reading of what exists, perform it for nobody. An action whose result a later node uses always runs.",
});

const inputsOf = (definition: ActionDefinition): ActionDefinition["inputs"] =>
  definition.effect === "work" ? [...definition.inputs, RESYNC_INPUT] : definition.inputs;

export function actionFacts(name: string): FunctionFacts | undefined {
  const definition = actionByName(name);
  if (!definition) return undefined;
  const { label, levels } = definition;
  return {
    label,
    levels,
    sourceSideOnly: name === "respondToWebhook",
    inputs: inputsOf(definition),
    edgeTypes: ["default"],
    check: (node) => definition.check(node.configuration),
  };
}

const describe = (definition: ActionDefinition): FunctionDescription => ({
  id: definition.name,
  name: definition.name,
  label: definition.label,
  family: "action",
  helpSummary: definition.summary,
  iconPath: `action/${definition.name}`,
  kind: "ACTION",
  levels: [...definition.levels],
  edgeTypes: ["default"],
  inputs: [...inputsOf(definition)],
});

/** What the palette shows. */
export const actionsFor = (level: "entity" | "field"): FunctionDescription[] =>
  ACTIONS.filter((definition) => definition.levels.includes(level)).map(describe);
