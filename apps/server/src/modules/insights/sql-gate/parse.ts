/**
 * Reads a statement with PostgreSQL's own lexer and grammar (libpg-query, compiled to WebAssembly). Limits come first: the
 * parser's memory is of fixed size, and what walks its tree calls itself.
 */
import { type ScanToken, hasSqlDetails, loadModule, parseSync, scanSync } from "libpg-query";
import { MAX_SQL_TEXT } from "@accord/contracts/insights/dataset-config";
import { SqlRefusal } from "./refusal.ts";
import { byteOffsets, characterOffset, foldName, type TextRange } from "./text-places.ts";
import { isDeeperThan } from "./tree.ts";

await loadModule();

export const SQL_LIMITS = {
  bytes: MAX_SQL_TEXT,
  tokens: 4_000,
  /** Parentheses in parentheses. */
  parentheses: 60,
  /** Signs of operators in a row. */
  signs: 64,
  /** Nodes and lists inside each other, of the tree: what walks it calls itself as often. */
  levels: 1_000,
} as const;

/** A word or sign of the statement, in UTF-16 units. */
export interface Token extends TextRange {
  text: string;
  /** The name of a collation is a `text`: its case counts. */
  kind: "name" | "quotedName" | "keyword" | "text" | "comment" | "other";
}

/** The tree of a statement, as libpg-query writes it: `{ SelectStmt: { … } }`, with places in bytes. */
export interface ParsedSql {
  root: unknown;
  /** The text that was parsed: as long as the written one, with quoted names in lower case and variables as `$1`. */
  tokens: readonly Token[];
  /** The names of the variables, in the order of their numbers, each at its place. */
  variables: readonly (TextRange & { name: string })[];
  toUnits: (byte: number) => number;
}

const VARIABLE = /\{\{([A-Za-z][A-Za-z0-9_]*)\}\}/g;
const WHOLE = (text: string): TextRange => ({ from: 0, to: text.length });

let last: { written: string; parsed: ParsedSql } | undefined;

/** Throws `SqlRefusal`. A statement is read several times over while it is checked: the last one is kept. */
export function parseSql(written: string): ParsedSql {
  if (last?.written !== written) last = { written, parsed: parseAnew(written) };
  return last.parsed;
}

function parseAnew(written: string): ParsedSql {
  if (written.includes("\0")) throw new SqlRefusal("nul_character", {}, place(written, written.indexOf("\0")));
  if (Buffer.byteLength(written) > SQL_LIMITS.bytes)
    throw new SqlRefusal("too_long", { limit: `${SQL_LIMITS.bytes / 1024} KB` }, WHOLE(written));
  checkSigns(written);
  const tokens = scan(written);
  const words = tokens.filter(({ kind }) => kind !== "comment");
  if (words.every(({ text }) => text === ";")) throw new SqlRefusal("empty", {}, WHOLE(written));
  checkSize(words);
  const variables = variablesIn(written, tokens);
  const text = readable(written, tokens, variables);
  const { stmts } = parse(text, written, words);
  if (isDeeperThan(stmts, SQL_LIMITS.levels)) throw new SqlRefusal("too_complex", {}, words[0] ?? WHOLE(written));
  const [first, second] = stmts;
  const toUnits = byteOffsets(written);
  if (second) throw new SqlRefusal("several_statements", {}, place(written, startOf(second, toUnits, words)));
  return { root: isRecord(first) ? first["stmt"] : undefined, tokens: words, variables, toUnits };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first word of a statement after the first. */
function startOf(statement: unknown, toUnits: (byte: number) => number, words: readonly Token[]): number {
  const location = isRecord(statement) ? statement["stmt_location"] : 0;
  const from = toUnits(typeof location === "number" ? location : 0);
  return words.find((word) => word.from >= from)?.from ?? from;
}

function parse(text: string, written: string, words: readonly Token[]): { stmts: readonly unknown[] } {
  try {
    return { stmts: parseSync(text).stmts ?? [] };
  } catch (error) {
    if (!hasSqlDetails(error) || !error.sqlDetails) throw new SqlRefusal("too_complex", {}, WHOLE(written));
    const { message, cursorPosition } = error.sqlDetails;
    if (message.startsWith("memory exhausted")) throw new SqlRefusal("too_complex", {}, WHOLE(written));
    const at = characterOffset(written, Math.max(0, cursorPosition));
    const word = words.find((one) => one.from <= at && at < one.to);
    const range = word ?? place(written, at);
    if (word?.text === "{") throw new SqlRefusal("variable_form", {}, range);
    if (word?.kind === "keyword") throw new SqlRefusal("syntax_at_keyword", { name: word.text }, range);
    throw new SqlRefusal("syntax", { detail: message }, range);
  }
}

/**
 * PostgreSQL's lexer takes all signs that stand in a row, keeps some of them and reads the others again: a few thousand keep
 * it busy for minutes, and no limit of time reaches it. Lines that are drawn of one sign, as in comments, cost nothing.
 */
function checkSigns(text: string): void {
  for (const { 0: run, index } of text.matchAll(SIGNS))
    if (!DRAWN.test(run))
      throw new SqlRefusal(
        "too_many_signs",
        { limit: String(SQL_LIMITS.signs) },
        { from: index, to: index + run.length },
      );
}

const SIGNS = new RegExp(String.raw`[~!@#^&|\`?+\-*/%<>=]{${SQL_LIMITS.signs + 1},}`, "g");
const DRAWN = /^(?:--|\/\*)?([-*=#~])\1*(?:\*?\/)?$/;

function place(text: string, at: number): TextRange {
  const from = Math.min(at, Math.max(0, text.length - 1));
  return { from, to: Math.min(text.length, from + 1) };
}

function scan(text: string): Token[] {
  const toUnits = byteOffsets(text);
  try {
    const tokens = (scanSync(text === "" ? " " : text).tokens ?? []).map((token) => tokenOf(token, text, toUnits));
    return tokens.map((token, at) =>
      token.kind === "quotedName" && /^collate$/i.test(tokens[at - 1]?.text ?? "") ? { ...token, kind: "text" } : token,
    );
  } catch {
    // Its own message can't be read: it says where a quote or a comment stays open.
    throw new SqlRefusal("unreadable", {}, WHOLE(text));
  }
}

function tokenOf(
  { start, end, tokenName, keywordKind }: ScanToken,
  text: string,
  toUnits: (byte: number) => number,
): Token {
  const [from, to] = [toUnits(start), toUnits(end)];
  const word = text.slice(from, to);
  return { from, to, text: word, kind: kindOf(word, tokenName, keywordKind) };
}

function kindOf(word: string, tokenName: string, keywordKind: number): Token["kind"] {
  if (word.startsWith("--") || word.startsWith("/*")) return "comment";
  if (word.startsWith('"') || /^u&"/i.test(word)) return "quotedName";
  if (tokenName === "SCONST" || /^(?:[enbx]|u&)?'/i.test(word) || /^\$[^$]*\$/.test(word)) return "text";
  if (tokenName === "IDENT") return "name";
  return keywordKind > 0 ? "keyword" : "other";
}

function checkSize(words: readonly Token[]): void {
  const last = words[SQL_LIMITS.tokens];
  if (last) throw new SqlRefusal("too_many_words", { limit: "4,000" }, last);
  let depth = 0;
  for (const word of words) {
    if (word.text === "(") depth += 1;
    if (word.text === ")") depth -= 1;
    if (depth > SQL_LIMITS.parentheses)
      throw new SqlRefusal("too_deep", { limit: String(SQL_LIMITS.parentheses) }, word);
    if (/^u&["']/i.test(word.text)) throw new SqlRefusal("unicode_escapes", {}, word);
  }
}

/** What names consist of, and what ends a quoted one. */
const GLUED = /[\w$"\u0080-\uffff]/;

function variablesIn(text: string, tokens: readonly Token[]): ParsedSql["variables"] {
  return [...text.matchAll(VARIABLE)].flatMap((match) => {
    const [whole, name = ""] = match;
    const range = { from: match.index, to: match.index + whole.length };
    const around = tokens.find(
      ({ from, to, kind }) => from < range.to && to > range.from && !["other", "name", "keyword"].includes(kind),
    );
    if (around?.kind === "comment") return [];
    if (around) throw new SqlRefusal("variable_in_text", { name }, range);
    // Beside a name it would be read as a part of the name here, and as the argument of a function where it runs.
    if (GLUED.test(text.slice(0, range.from).slice(-1)) || GLUED.test(text.charAt(range.to)))
      throw new SqlRefusal("variable_beside", { name }, range);
    return [{ ...range, name }];
  });
}

/** As long as the written text, so that each place is the same in both. */
function readable(written: string, tokens: readonly Token[], variables: ParsedSql["variables"]): string {
  const names = [...new Set(variables.map(({ name }) => name))];
  const edits = [
    ...tokens
      .filter(({ kind }) => kind === "quotedName")
      .map(({ from, to, text }) => ({ from, to, text: foldName(text) })),
    ...variables.map(({ from, to, name }) => ({
      from,
      to,
      text: `$${names.indexOf(name) + 1}`.padEnd(to - from),
    })),
  ];
  return applyEdits(written, edits);
}

/** `text` in place of what stands there. */
export interface Edit extends TextRange {
  text: string;
}

/** Where the parenthesis ends that follows a name: behind it. */
export function closingOf(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (const token of tokens) {
    if (token.from < from) continue;
    if (token.text === "(") depth += 1;
    if (token.text === ")" && --depth <= 0) return token.to;
  }
  return undefined;
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.from - other.from)) {
    result += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + text.slice(at);
}

/** The first such word at or after a place. */
export const wordAfter = ({ tokens }: ParsedSql, words: RegExp, at: number): number =>
  tokens.find(({ from, text }) => from >= at && words.test(text))?.from ?? at;
