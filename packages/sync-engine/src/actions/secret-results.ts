/** Which values of a record in flight are secret: fields of type `password`, and what nodes of its graph make of them. */
import type { Graph, GraphNode } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import { isCore } from "../graph/elements.ts";
import { upstreamOf } from "../graph/walk.ts";
import { type CompileContext, NOTHING_SECRET, type SecretResults, variableOf } from "../functions/context.ts";
import { functionByName } from "../functions/registry.ts";
import { restAfter, tokensOf } from "../functions/tokens/token-names.ts";

/** Names that hold secrets beside those that a type says. */
export interface SecretNames {
  /** Fields of systems that are mapped to secret fields. */
  mapped: Iterable<string>;
  /** Secret fields of the instance's entities, by entity: look-ups bring them. */
  elsewhere: ReadonlyMap<string, readonly string[]>;
}

/** A node that reads a secret in any way is taken to pass it on: what it makes of it is not looked at. */
export function secretResults(
  graph: Graph,
  context: Pick<CompileContext, "coreFields" | "sources" | "slots">,
  { mapped, elsewhere }: SecretNames,
): SecretResults {
  const typed = [context.coreFields, ...context.sources.map(({ fields }) => fields)].flatMap((fields) =>
    [...fields.values()].filter(isSecretField).map(({ apiName }) => apiName),
  );
  const fields = new Set([...typed, ...mapped]);
  const names = new Set([...fields, ...[...elsewhere.values()].flat()]);
  if (names.size === 0) return NOTHING_SECRET;
  const secret = new Set<string>();
  const variables = new Set<string>();
  const looks = graph.nodes.filter((node) => bringsSecrets(node, elsewhere, fields));
  const records = fields.size > 0 ? graph.nodes.map(({ label }) => label) : [];
  const whole = new Set([...records, ...looks.flatMap(({ label }) => RESULT_OF.map((prefix) => prefix + label))]);
  const isSecret = (node: GraphNode): boolean => {
    if (isSecretEnd(graph, node, fields)) return true;
    if (functionByName(node.apiName)?.output && namesField(node, fields)) return true;
    const made = graph.nodes.filter(({ id }) => secret.has(id));
    if (usesPrevious(node)) {
      const before = upstreamOf(graph, node.id);
      if ([...made, ...looks].some(({ id }) => id !== node.id && before.has(id))) return true;
    }
    const known = { names, whole, made: [...made.map(({ label }) => label), ...variables] };
    return tokensOf(node).some((token) => isSecretToken(token, known));
  };
  for (let isComplete = false; !isComplete;) {
    const found = graph.nodes.filter((node) => !secret.has(node.id) && isSecret(node));
    for (const node of found) {
      secret.add(node.id);
      for (const variable of variableOf(node)) variables.add(variable);
    }
    isComplete = found.length === 0;
  }
  return { fields, names, variables, slots: new Set([...secret].map((id) => context.slots.get(id) ?? -1)) };
}

/** Ends of the field pipeline of a secret field: its value is the first step's. */
function isSecretEnd(graph: Graph, node: GraphNode, fields: ReadonlySet<string>): boolean {
  const attribute = ({ nodeType, configuration }: GraphNode): boolean =>
    nodeType.startsWith("ATTRIBUTE_") && fields.has(configuration.attributeDefinition ?? "");
  return attribute(node) || (isCore(node) && graph.nodes.some(attribute));
}

/** Functions of a value take that of the step before where none is given; tokens name it as well. */
function usesPrevious(node: GraphNode): boolean {
  const takesValue = functionByName(node.apiName)?.inputs.some(({ name }) => name === "value") ?? false;
  const { value } = node.configuration;
  const isOpen = node.nodeType === "FUNCTION" && takesValue && (value === undefined || value === null || value === "");
  return isOpen || tokensOf(node).some(isOfPrevious);
}

/** Fields that a node names without a token: in brackets of a formula, in a condition, in a list. */
export function namesField({ configuration }: GraphNode, fields: ReadonlySet<string>): boolean {
  const isNamed = (part: unknown): boolean => {
    if (typeof part === "string") return fields.has(part) || [...fields].some((name) => part.includes(`[${name}]`));
    return typeof part === "object" && part !== null && Object.values(part).some(isNamed);
  };
  return isNamed(configuration);
}

const isOfPrevious = (token: string): boolean =>
  !token.startsWith("previous.values.") &&
  (restAfter(token, "previous") !== null || restAfter(token, "previousValue") !== null);

const LOOK_UPS: ReadonlySet<string> = new Set(["lookupRecord", "lookupExternalRecord"]);

/** Whether the records that a look-up finds have secret fields; of systems that is taken for granted. */
function bringsSecrets(node: GraphNode, elsewhere: SecretNames["elsewhere"], fields: ReadonlySet<string>): boolean {
  if (!LOOK_UPS.has(node.apiName)) return false;
  return (
    elsewhere.has(String(node.configuration["entity"] ?? "")) || (node.apiName !== "lookupRecord" && fields.size > 0)
  );
}

const RESULT_OF = ["Value From ", "Action Result From "];

interface KnownSecrets {
  names: ReadonlySet<string>;
  /** Tokens of whole records that hold secrets. */
  whole: ReadonlySet<string>;
  /** Labels and variables. */
  made: readonly string[];
}

/** A secret field at the end of any path, a record that holds one, or something made of one. */
function isSecretToken(token: string, { names, whole, made }: KnownSecrets): boolean {
  if (whole.has(token)) return true;
  const named = RESULT_OF.reduce((rest, prefix) => (rest.startsWith(prefix) ? rest.slice(prefix.length) : rest), token);
  if (made.some((name) => restAfter(named, name) !== null)) return true;
  const path = `${token.replaceAll("[", ".")}.`;
  return [...names].some((name) => path.includes(`.${name}.`));
}
