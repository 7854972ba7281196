/** Turns a template's syntax tree into a function of its values: only what stands here can happen in a template. */
import { spend } from "./budget.ts";
import { MissingValueError, TemplateError } from "./errors.ts";
import { FILTERS } from "./filters.ts";
import { MACRO_NAMES } from "./macros.ts";
import { memberOf, sliceOf } from "./members.ts";
import { operate } from "./operators.ts";
import { nodeIn, nodesIn, operatorOf, optionalNodeIn, pairsIn, textIn, type SyntaxNode } from "./syntax.ts";
import { TESTS } from "./tests.ts";
import { isDictionary, isList, isTrue, MAX_TEXT, Method, spendOn, textOf, type Callable, type Item } from "./values.ts";

/** What one evaluation sees. */
export interface Scope {
  names: Map<string, Item>;
  macros: Readonly<Record<string, Callable>>;
}
export type Evaluate = (scope: Scope) => Item;
type Arguments = (scope: Scope) => { args: Item[]; named: Map<string, Item> };

const CONSTANTS: ReadonlyMap<string, Item> = new Map<string, Item>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

const COMPILE: Readonly<Record<string, (node: SyntaxNode) => Evaluate>> = {
  Program: (node) => block(nodesIn(node, "body")),
  If: (node) => {
    const [test, body, other] = [
      compile(nodeIn(node, "test")),
      block(nodesIn(node, "body")),
      block(nodesIn(node, "alternate")),
    ];
    return (scope) => (isTrue(test(scope)) ? body(scope) : other(scope));
  },
  For: compileLoop,
  Set: compileAssignment,
  Comment: () => () => undefined,
  IntegerLiteral: (node) => constant(Number(node["value"])),
  FloatLiteral: (node) => constant(Number(node["value"])),
  StringLiteral: (node) => constant(textIn(node, "value")),
  ArrayLiteral: (node) => list(nodesIn(node, "value")),
  TupleLiteral: (node) => list(nodesIn(node, "value")),
  ObjectLiteral: (node) => {
    const pairs = pairsIn(node).map(([key, value]) => [compile(key), compile(value)] as const);
    return (scope) => new Map(pairs.map(([key, value]) => [textOf(key(scope)), value(scope)]));
  },
  Identifier: (node) => {
    const name = textIn(node, "value");
    if (CONSTANTS.has(name)) return constant(CONSTANTS.get(name));
    return (scope) => scope.names.get(name);
  },
  MemberExpression: compileMember,
  CallExpression: compileCall,
  FilterExpression: compileFilter,
  TestExpression: (node) => {
    const [operand, name] = [compile(nodeIn(node, "operand")), textIn(nodeIn(node, "test"), "value")];
    const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
    if (!test) throw new TemplateError(`The test ${name} is not known`);
    const isNegated = node["negate"] === true;
    return (scope) => test(operand(scope)) !== isNegated;
  },
  UnaryExpression: (node) => {
    const [sign, operand] = [operatorOf(node), compile(nodeIn(node, "argument"))];
    if (sign === "not") return (scope) => !isTrue(operand(scope));
    return (scope) => operate(sign, 0, operand(scope));
  },
  BinaryExpression: (node) => {
    const [sign, left, right] = [operatorOf(node), compile(nodeIn(node, "left")), compile(nodeIn(node, "right"))];
    if (sign === "and") return (scope) => both(left(scope), () => right(scope), false);
    if (sign === "or") return (scope) => both(left(scope), () => right(scope), true);
    return (scope) => operate(sign, left(scope), right(scope));
  },
  Ternary: (node) => choice(nodeIn(node, "condition"), nodeIn(node, "trueExpr"), nodeIn(node, "falseExpr")),
  SelectExpression: (node) => choice(nodeIn(node, "test"), nodeIn(node, "lhs"), null),
};

const constant =
  (item: Item): Evaluate =>
  () =>
    item;

const both = (left: Item, right: () => Item, isOr: boolean): Item => (isTrue(left) === isOr ? left : right());

function choice(test: SyntaxNode, yes: SyntaxNode, no: SyntaxNode | null): Evaluate {
  const [is, then, other] = [compile(test), compile(yes), no ? compile(no) : constant(undefined)];
  return (scope) => (isTrue(is(scope)) ? then(scope) : other(scope));
}

function list(nodes: readonly SyntaxNode[]): Evaluate {
  const items = nodes.map(compile);
  return (scope) => items.map((item) => item(scope));
}

export function compile(node: SyntaxNode): Evaluate {
  const make = Object.hasOwn(COMPILE, node.type) ? COMPILE[node.type] : undefined;
  if (!make) throw new TemplateError(`${node.type} is not known in templates`);
  const evaluate = make(node);
  return (scope) => {
    spend();
    return evaluate(scope);
  };
}

/** Texts and values one after the other. */
function block(nodes: readonly SyntaxNode[]): Evaluate {
  const parts = nodes.map(compile);
  return (scope) => {
    let text = "";
    for (const part of parts) {
      text += textOf(part(scope));
      if (text.length > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
    }
    return text;
  };
}

function compileMember(node: SyntaxNode): Evaluate {
  const [object, property] = [compile(nodeIn(node, "object")), nodeIn(node, "property")];
  if (property.type === "SliceExpression") {
    const [start, stop, step] = ["start", "stop", "step"].map((name) => {
      const bound = optionalNodeIn(property, name);
      return bound ? compile(bound) : constant(undefined);
    });
    return (scope) => sliceOf(object(scope), start?.(scope), stop?.(scope), step?.(scope));
  }
  if (node["computed"] === true) {
    const key = compile(property);
    return (scope) => memberOf(object(scope), key(scope), false);
  }
  const name = property.type === "Identifier" ? textIn(property, "value") : Number(property["value"]);
  return (scope) => memberOf(object(scope), name, true);
}

function compileArguments(nodes: readonly SyntaxNode[]): Arguments {
  const plain = nodes.filter(({ type }) => type !== "KeywordArgumentExpression").map(compile);
  const named = nodes
    .filter(({ type }) => type === "KeywordArgumentExpression")
    .map((node) => [textIn(nodeIn(node, "key"), "value"), compile(nodeIn(node, "value"))] as const);
  return (scope) => ({
    args: plain.map((argument) => argument(scope)),
    named: new Map(named.map(([name, argument]) => [name, argument(scope)])),
  });
}

function compileCall(node: SyntaxNode): Evaluate {
  const callee = nodeIn(node, "callee");
  const parameters = compileArguments(nodesIn(node, "args"));
  if (callee.type === "Identifier") {
    const name = textIn(callee, "value");
    if (!MACRO_NAMES.has(name)) throw new TemplateError(`The function ${name} is not known`);
    return (scope) => {
      const { args, named } = parameters(scope);
      spendOn(args);
      return scope.macros[name]?.(args, named);
    };
  }
  const method = compile(callee);
  return (scope) => {
    const found = method(scope);
    if (found === undefined) throw new MissingValueError("called nothing");
    if (!(found instanceof Method)) throw new TemplateError("Something is called that is no function");
    const { args, named } = parameters(scope);
    spendOn(args);
    return found.call(args, named);
  };
}

function compileFilter(node: SyntaxNode): Evaluate {
  const [operand, filter] = [compile(nodeIn(node, "operand")), nodeIn(node, "filter")];
  const isCall = filter.type === "CallExpression";
  const name = textIn(isCall ? nodeIn(filter, "callee") : filter, "value");
  const apply = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
  if (!apply) throw new TemplateError(`The filter ${name} is not known`);
  const parameters = compileArguments(isCall ? nodesIn(filter, "args") : []);
  // `a.b.c | default("x")`: what is missing on the way is what the filter is there for.
  const isTolerant = name === "default" || name === "d";
  return (scope) => {
    const { args, named } = parameters(scope);
    const item = isTolerant ? orMissing(() => operand(scope)) : operand(scope);
    spendOn([item, ...args]);
    return apply(item, args, named);
  };
}

function orMissing(evaluate: () => Item): Item {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof MissingValueError) return undefined;
    throw error;
  }
}

function compileAssignment(node: SyntaxNode): Evaluate {
  const [target, value] = [nodeIn(node, "assignee"), optionalNodeIn(node, "value")];
  if (target.type !== "Identifier" || !value) throw new TemplateError("Only a name can be set in a template");
  const [name, evaluate] = [textIn(target, "value"), compile(value)];
  return (scope) => {
    scope.names.set(name, evaluate(scope));
    return undefined;
  };
}

function compileLoop(node: SyntaxNode): Evaluate {
  const target = nodeIn(node, "loopvar");
  const names = target.type === "TupleLiteral" ? nodesIn(target, "value").map((one) => textIn(one, "value")) : [];
  const name = textIn(target, "value");
  const source = nodeIn(node, "iterable");
  const isFiltered = source.type === "SelectExpression";
  const iterable = compile(isFiltered ? nodeIn(source, "lhs") : source);
  const test = isFiltered ? compile(nodeIn(source, "test")) : constant(true);
  const [body, other] = [block(nodesIn(node, "body")), block(nodesIn(node, "defaultBlock"))];
  return (scope) => {
    const whole = iterable(scope);
    spendOn([whole]);
    const items = isList(whole) ? whole : isDictionary(whole) ? [...whole.keys()] : [];
    let [text, turns] = ["", 0];
    for (const [index, item] of items.entries()) {
      const inner: Scope = { ...scope, names: new Map(scope.names) };
      spend(1 + scope.names.size);
      if (names.length > 0) names.forEach((one, place) => inner.names.set(one, isList(item) ? item[place] : undefined));
      else inner.names.set(name, item);
      if (!isTrue(test(inner))) continue;
      const facts: [string, Item][] = [
        ["index", index + 1],
        ["index0", index],
        ["first", index === 0],
        ["last", index === items.length - 1],
      ];
      inner.names.set("loop", new Map(facts));
      text += textOf(body(inner));
      if (text.length > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
      turns += 1;
    }
    return turns === 0 ? other(scope) : text;
  };
}
