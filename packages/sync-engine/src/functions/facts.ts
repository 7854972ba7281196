/** Functions as validation, palette and configuration panel need them. */
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import type { FunctionFacts } from "../graph/validation/catalogue.ts";
import type { FunctionDefinition } from "./define.ts";
import { FUNCTIONS, functionByName } from "./registry.ts";

export function functionFacts(name: string): FunctionFacts | undefined {
  const definition = functionByName(name);
  if (!definition) return undefined;
  const { label, levels, sourceSideOnly, inputs, edgeTypes } = definition;
  return {
    label,
    levels,
    sourceSideOnly,
    inputs,
    edgeTypes,
    check: (node, fields) => definition.check(node.configuration, fields),
  };
}

/** What the palette shows of a function. */
export const describeFunction = (definition: FunctionDefinition): FunctionDescription => ({
  id: definition.name,
  name: definition.name,
  label: definition.label,
  family: definition.family,
  helpSummary: definition.summary,
  iconPath: `function/${definition.family}`,
  kind: "FUNCTION",
  levels: [...definition.levels],
  edgeTypes: definition.edgeTypes === null ? null : [...definition.edgeTypes],
  inputs: [...definition.inputs],
});

export const functionsFor = (level: "entity" | "field"): FunctionDescription[] =>
  FUNCTIONS.filter((definition) => definition.levels.includes(level)).map(describeFunction);
