/** Text with `{{tokens}}` in it: read once, filled per record, never evaluated as code. */
import type { Value } from "@accord/contracts/data/values";
import { textOf } from "../values/compare.ts";

/** Texts and token names in turn. */
export type TemplatePart = { text: string } | { token: string };

const TOKEN = /\{\{([^{}]*)\}\}/g;

/** A token and where it stands in its text, braces included. */
export interface TokenSpan {
  token: string;
  from: number;
  to: number;
}

/** Braces that close nothing are plain text, and so is an empty pair. */
export function tokenSpans(text: string): TokenSpan[] {
  return [...text.matchAll(TOKEN)].flatMap((found) => {
    const token = (found[1] ?? "").trim();
    return token === "" ? [] : [{ token, from: found.index, to: found.index + found[0].length }];
  });
}

/** Cuts a text at its tokens. */
export function readTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const { token, from, to } of tokenSpans(text)) {
    if (from > at) parts.push({ text: text.slice(at, from) });
    parts.push({ token });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** Names of the tokens in any value: texts, and texts inside lists and objects. */
export function tokensIn(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === "string") {
      for (const piece of readTemplate(part)) if ("token" in piece) found.add(piece.token);
    } else if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(visit);
  };
  visit(value);
  return [...found];
}

/**
 * A function that fills the template for a row. Exactly one token and nothing else gives that token's value with its
 * type; otherwise everything is joined to text, blanks as nothing: undefined when that would be longer than `most`
 * characters. `reader` is asked once per token.
 */
export function compileTemplate<Row>(
  text: string,
  reader: (token: string) => (row: Row) => Value | undefined,
  most = Number.POSITIVE_INFINITY,
): (row: Row) => Value | undefined {
  const parts = readTemplate(text);
  if (parts.length === 0) return () => text;
  const readers = parts.map((part) => ("token" in part ? reader(part.token) : () => part.text));
  const [only] = readers;
  if (only && readers.length === 1) return "token" in parts[0]! ? (row) => only(row) ?? null : () => text;
  return (row) => {
    let filled = "";
    for (const read of readers) {
      filled += textOf(read(row));
      if (filled.length > most) return undefined;
    }
    return filled;
  };
}

/** The template with other token names, for when a node is renamed. */
export const renameTokens = (text: string, rename: (token: string) => string): string =>
  readTemplate(text)
    .map((part) => ("token" in part ? `{{${rename(part.token)}}}` : part.text))
    .join("");

/** Whether a text holds at least one token. */
export const hasTokens = (text: unknown): text is string =>
  typeof text === "string" && readTemplate(text).some((part) => "token" in part);
