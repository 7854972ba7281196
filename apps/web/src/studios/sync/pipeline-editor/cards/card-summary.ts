/** One line of what a node does, from its configuration: "State is TX", "Title case of Name", "6 fields mapped". */
import { Predicate } from "@accord/contracts/data/predicate";
import { FieldMapping, type GraphNode } from "@accord/contracts/sync/graph";
import { functionName, isBypassed, outPorts } from "@accord/sync-engine/graph";
import { describe } from "../../../../shared/predicate-builder/describe.ts";
import type { BuilderField } from "../../../../shared/predicate-builder/predicate.model.ts";
import { nodeKind } from "../canvas/canvas.model.ts";

/** What a card must know of the world around its node. */
export interface SummaryWorld {
  fields: readonly BuilderField[];
  /** Label of a function by its name. */
  functionLabel: (apiName: string) => string | undefined;
  words: {
    notConfigured: string;
    bypassed: string;
    coreField: string;
    kind: (kind: ReturnType<typeof nodeKind>) => string;
    mapped: (count: number) => string;
    of: (name: string, value: string) => string;
  };
}

export function summaryOf(node: GraphNode, world: SummaryWorld): string {
  const kind = nodeKind(node);
  if (isBypassed(node)) return world.words.bypassed;
  if (node.subLabel) return node.subLabel;
  if (node.nodeType === "CORE_ATTRIBUTE") return world.words.coreField;
  if (node.nodeType === "ATTRIBUTE_SOURCE" || node.nodeType === "ATTRIBUTE_SINK") return fieldSummary(node, world);
  if (kind === "source" || kind === "sink") return mappingSummary(node, world);
  const own = functionSummary(node, world);
  if (own) return own;
  const label = world.functionLabel(node.apiName) ?? node.displayName;
  return label && label !== node.label ? label : world.words.kind(kind);
}

function fieldSummary({ configuration }: GraphNode, { words }: SummaryWorld): string {
  const { attributeDefinition: field, entityDefinition: entity } = configuration;
  return field && entity ? words.of(field, entity) : words.notConfigured;
}

function mappingSummary(node: GraphNode, { words }: SummaryWorld): string {
  if (!node.configuration.entityDefinition) return words.notConfigured;
  const rows = node.configuration["fieldMappings"];
  return words.mapped(Array.isArray(rows) ? rows.filter((row) => FieldMapping.safeParse(row).success).length : 0);
}

function functionSummary(node: GraphNode, world: SummaryWorld): string {
  const { configuration } = node;
  switch (functionName(node)) {
    case "filter":
      return conditionWords(configuration["condition"], world);
    case "predicate":
      return conditionWords(configuration["evaluatesToTrue"], world);
    case "case":
      return outPorts(node).slice(0, -2).join(", ");
    case "caseBranch":
      return textOf(configuration["case"]);
    case "setValue": {
      const target = textOf(configuration[configuration["target"] === "variable" ? "variable" : "field"]);
      return target ? `${fieldName(target, world)} = ${withNames(textOf(configuration["value"]), world)}` : "";
    }
    default: {
      const value = withNames(textOf(configuration["value"]), world);
      const label = world.functionLabel(node.apiName) ?? node.displayName ?? "";
      return value && label ? world.words.of(label, value) : "";
    }
  }
}

/** Empty where it is no condition. */
export function conditionWords(value: unknown, world: Pick<SummaryWorld, "fields">): string {
  const parsed = Predicate.safeParse(value);
  return parsed.success ? withNames(describe(parsed.data, { fields: world.fields }), world) : "";
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

export const fieldName = (apiName: string, { fields }: Pick<SummaryWorld, "fields">): string =>
  fields.find((field) => field.apiName === apiName)?.displayName ?? apiName;

/** Tokens by what they name: `{{previous.values.Name}}` is Name. */
export const withNames = (text: string, world: Pick<SummaryWorld, "fields">): string =>
  text.replaceAll(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, token: string) => fieldName(token.split(".").at(-1) ?? token, world));
