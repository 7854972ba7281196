/** Sentences that people read and that are written outside the message catalogues: counted for each folder; they may only get fewer. */
import { isTest } from "./source-files.ts";
import type { SyntaxNode } from "./syntax-walk.ts";

const SPEAKING = /^(packages\/(expressions|sync-engine|analytics-engine|connector-sdk|connectors)|apps\/server)\/src\//;
/**
 * What speaks to nobody who uses the product: the demo's systems, the generator of the reference,
 * the words of formula functions in the files of their kinds, the start of the server, SQL.
 */
const SILENT =
  /\/(demo|golden|sql-gate|reference|formula\/functions)\/|\.(fixtures|store)\.ts$|^apps\/server\/src\/(main|config)\.ts$|\/platform\/(db|postgres)\//;

/**
 * The marks of a sentence that is not for the people who use the product: errors of a broken promise inside the code,
 * of which a caller learns a request id only, and what operators read in the log or when the server starts.
 */
const MARKS = new Set([
  ...["Error", "RangeError", "TypeError", "SyntaxError"],
  ...["ConfigError", "SecretError", "MigrationError", "PostgresStartError"],
  ...["info", "warn", "error", "debug"],
]);
/** Words of a kind that stand in its own file: one kind, one file. */
const OWN_WORDS = new Set([
  ...["label", "name", "title", "description", "summary", "help", "helpText", "signature", "says", "examples"],
]);

const WORD = /^[“"'(]*[A-Za-z][A-Za-z’'-]*[.,;:!?)”"']*$/;
const FEWEST_WORDS = 4;
const SQL =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|GRANT|REVOKE|SET|SHOW|COPY|FROM|WHERE|AND|ORDER|BEGIN|START)\b/;
const CODE = /=>|;\s*\n|[{}]|<\/?[a-z]+[ >]|\$\d/;

export const speaksToPeople = (file: string): boolean => SPEAKING.test(file) && !SILENT.test(file) && !isTest(file);

/** Whether a node is a text of at least four words that neither a mark nor a kind's own words explain. */
export function isSentence(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  const text = textOf(node);
  if (text === null || SQL.test(text) || CODE.test(text)) return false;
  if (text.split(/\s+/).filter((word) => WORD.test(word)).length < FEWEST_WORDS || !/[a-z] [a-z]/.test(text))
    return false;
  return !ancestors.some((ancestor) => isSilent(ancestor, node));
}

function textOf(node: SyntaxNode): string | null {
  if (node.type === "StringLiteral") return String(node["value"]);
  if (node.type !== "TemplateLiteral" || !Array.isArray(node["quasis"])) return null;
  return node["quasis"].map((part) => nameOf(part, "cooked") ?? "").join(" … ");
}

function isSilent(ancestor: SyntaxNode, node: SyntaxNode): boolean {
  switch (ancestor.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
      return ancestor["source"] === node;
    case "TaggedTemplateExpression":
      return ancestor["template"] === node;
    case "NewExpression":
      return MARKS.has(nameOf(ancestor["callee"], "value") ?? "");
    case "CallExpression": {
      const callee: unknown = ancestor["callee"];
      // A list of words, and a line of the log.
      return isNode(callee) && (nameOf(callee["property"], "value") === "split" || isLog(callee));
    }
    case "KeyValueProperty":
      return OWN_WORDS.has(nameOf(ancestor["key"], "value") ?? "");
    default:
      return false;
  }
}

/** `log.warn`, `this.#log.warn`, `deps.log.warn`. */
function isLog(callee: SyntaxNode): boolean {
  const object: unknown = callee["object"];
  const holder = nameOf(object, "value") ?? (isNode(object) ? nameOf(object["property"], "value") : null);
  return /log$/i.test(holder ?? "") && MARKS.has(nameOf(callee["property"], "value") ?? "");
}

const isNode = (value: unknown): value is SyntaxNode => typeof value === "object" && value !== null && "type" in value;

function nameOf(value: unknown, property: "value" | "cooked"): string | null {
  if (typeof value !== "object" || value === null) return null;
  const held: unknown = Object.entries(value).find(([name]) => name === property)?.[1];
  return typeof held === "string" ? held : null;
}
