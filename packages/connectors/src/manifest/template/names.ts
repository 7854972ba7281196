/** Which names a template may use: one that nothing is ever given under would be blank without a word. */
import { TemplateError } from "./errors.ts";
import { isNode, nodeIn, nodesIn, optionalNodeIn, pairsIn, textIn, type SyntaxNode } from "./syntax.ts";

/** Names of values, as the low-code documentation lists them. */
const OFFERED: ReadonlySet<string> = new Set([
  "config",
  "parameters",
  "stream_slice",
  "stream_partition",
  "stream_interval",
  "next_page_token",
  "response",
  "headers",
  "record",
  "last_record",
  "last_page_size",
  "property",
  // In Jinja the template itself, which has nothing here.
  "self",
]);
const CONSTANTS: ReadonlySet<string> = new Set(["true", "True", "false", "False", "none", "None"]);

/** @throws TemplateError for a name that is neither offered nor set in the template. */
export function assertNamesKnown(program: SyntaxNode): void {
  const own = new Set<string>();
  visit(program, (node) => {
    if (node.type === "Set") own.add(textIn(nodeIn(node, "assignee"), "value"));
    if (node.type !== "For") return;
    const target = nodeIn(node, "loopvar");
    const names = target.type === "TupleLiteral" ? nodesIn(target, "value") : [target];
    for (const name of [...names.map((one) => textIn(one, "value")), "loop"]) own.add(name);
  });
  visit(program, (node) => {
    if (node.type !== "Identifier") return;
    const name = textIn(node, "value");
    if (!OFFERED.has(name) && !CONSTANTS.has(name) && !own.has(name))
      throw new TemplateError(`The name ${name} is not known here`);
  });
}

/** Every node that is evaluated: names of members, filters, tests and arguments are no values. */
function visit(node: SyntaxNode, see: (node: SyntaxNode) => void): void {
  see(node);
  for (const part of partsOf(node)) visit(part, see);
}

function partsOf(node: SyntaxNode): SyntaxNode[] {
  switch (node.type) {
    case "MemberExpression": {
      const property = nodeIn(node, "property");
      const isEvaluated = node["computed"] === true || property.type === "SliceExpression";
      return [nodeIn(node, "object"), ...(isEvaluated ? [property] : [])];
    }
    case "CallExpression": {
      const callee = nodeIn(node, "callee");
      return [...(callee.type === "Identifier" ? [] : [callee]), ...nodesIn(node, "args")];
    }
    case "KeywordArgumentExpression":
      return [nodeIn(node, "value")];
    case "FilterExpression": {
      const filter = nodeIn(node, "filter");
      const call = filter.type === "CallExpression" ? filter : null;
      const name = textIn(call ? nodeIn(call, "callee") : filter, "value");
      const args = call ? nodesIn(call, "args") : [];
      return [...asked(node, name === "default" || name === "d"), ...args];
    }
    case "TestExpression":
      return asked(node, ["defined", "undefined"].includes(textIn(nodeIn(node, "test"), "value")));
    case "Set":
      return [optionalNodeIn(node, "value") ?? [], nodesIn(node, "body")].flat();
    case "For":
      return [nodeIn(node, "iterable"), ...nodesIn(node, "body"), ...nodesIn(node, "defaultBlock")];
    case "ObjectLiteral":
      return pairsIn(node).flat();
    default:
      // The sign of an operator is a node of its own for the parser: `and` would be a name.
      return Object.entries(node).flatMap(([name, part]) => (name === "operator" ? [] : [part].flat().filter(isNode)));
  }
}

/** What a filter or a test works on; a name that is asked for there may be missing. */
function asked(node: SyntaxNode, mayBeMissing: boolean): SyntaxNode[] {
  const operand = nodeIn(node, "operand");
  return mayBeMissing && operand.type === "Identifier" ? [] : [operand];
}
