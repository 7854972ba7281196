/** Reads a template's syntax tree: the parser's nodes are taken apart by name here, and nowhere else. */
import { parse, tokenize } from "@huggingface/jinja";
import { TemplateError } from "./errors.ts";

/** A node of the parser, its parts looked at one by one. */
export interface SyntaxNode {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** Longest template taken. */
const MAX_LENGTH = 20_000;
/** Blanks in a row: the tokenizer looks through them again from each of them. */
const MANY_BLANKS = /\s{1001}/;
/** Deepest nesting of a template's expressions. */
const MAX_DEPTH = 100;

export function parseTemplate(text: string): SyntaxNode {
  if (text.length > MAX_LENGTH) throw new TemplateError(`A template may have ${MAX_LENGTH} characters at most`);
  if (MANY_BLANKS.test(text)) throw new TemplateError("A template may have 1000 blanks in a row at most");
  try {
    const program = parse(tokenize(keepUnknownEscapes(text)));
    if (!isNode(program)) throw new TemplateError("The template can't be read");
    assertShallow(program, 0);
    return program;
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new TemplateError(`The template can't be read: ${reason}`, { cause: error });
  }
}

/** `'\d+'` stands for itself in Python; the tokenizer takes only the escapes it knows. */
const keepUnknownEscapes = (text: string): string =>
  text.replace(/\{[{%][\s\S]*?[%}]\}/g, (tag) =>
    tag.replace(TEXT_OR_NUMBER, (part) =>
      /^\d/.test(part)
        ? part.replaceAll("_", "")
        : part.replace(/\\(.)/gs, (pair, sign: string) => ("ntrbfv'\"\\xu".includes(sign) ? pair : `\\${pair}`)),
    ),
  );

/** A text in quotes, or a number with underscores between its digits. */
const TEXT_OR_NUMBER = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\b\d+(?:_\d+)+\b/g;

function assertShallow(node: SyntaxNode, depth: number): void {
  if (depth > MAX_DEPTH) throw new TemplateError("The template is nested too deeply");
  for (const part of Object.values(node)) {
    if (isNode(part)) assertShallow(part, depth + 1);
    else if (Array.isArray(part)) for (const one of part) if (isNode(one)) assertShallow(one, depth + 1);
  }
}

export const isNode = (part: unknown): part is SyntaxNode =>
  typeof part === "object" && part !== null && "type" in part && typeof part.type === "string";

export function nodeIn(node: SyntaxNode, name: string): SyntaxNode {
  const part = node[name];
  if (isNode(part)) return part;
  throw new TemplateError(`The template has an incomplete ${node.type}`);
}

export const optionalNodeIn = (node: SyntaxNode, name: string): SyntaxNode | null => {
  const part = node[name];
  return isNode(part) ? part : null;
};

export const nodesIn = (node: SyntaxNode, name: string): SyntaxNode[] => {
  const part = node[name];
  return Array.isArray(part) ? part.filter(isNode) : [];
};

export const textIn = (node: SyntaxNode, name: string): string => {
  const part = node[name];
  return typeof part === "string" ? part : "";
};

/** The sign of an operator. */
export function operatorOf(node: SyntaxNode): string {
  const part = node["operator"];
  return typeof part === "object" && part !== null && "value" in part ? String(part.value) : "";
}

/** Pairs of an object literal. */
export function pairsIn(node: SyntaxNode): [SyntaxNode, SyntaxNode][] {
  const part = node["value"];
  if (!(part instanceof Map)) return [];
  return [...part].flatMap(([key, value]): [SyntaxNode, SyntaxNode][] =>
    isNode(key) && isNode(value) ? [[key, value]] : [],
  );
}
