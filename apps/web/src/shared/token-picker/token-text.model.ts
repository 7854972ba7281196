/** Text with tokens while it is typed: what is being looked for, what is offered for it, and how it reads. Pure. */
import type { Value } from "@accord/contracts/data/values";
import { compileTemplate, readTemplate, textOf, tokenSpans, tokensIn } from "@accord/expressions";
import { isOffered } from "@accord/sync-engine/functions";

export interface PickableToken {
  token: string;
  label: string;
  shortLabel: string;
  group: string;
  datatype: string;
  /** What is put into the text: `{{…}}`. */
  value: string;
}

export interface TokenGroup {
  group: string;
  tokens: readonly PickableToken[];
}

/** Tokens that are being looked for: from where the text is replaced, and by which words. */
export interface TokenQuery {
  from: number;
  words: string;
}

/** The pair of braces around the caret that is not closed before it. */
export function queryAt(text: string, caret: number): TokenQuery | null {
  const found = /\{\{([^{}]*)$/.exec(text.slice(0, caret));
  return found ? { from: found.index, words: found[1] ?? "" } : null;
}

/** The text with the token from `from` to the caret; the rest of a token that the caret stands in goes with it. */
export function withToken(text: string, from: number, caret: number, value: string): { text: string; caret: number } {
  const isInBraces = text.startsWith("{{", from);
  const rest = isInBraces ? (/^[^{}]*\}\}/.exec(text.slice(caret))?.[0].length ?? 0) : 0;
  return { text: text.slice(0, from) + value + text.slice(caret + rest), caret: from + value.length };
}

export interface TokenSection {
  title: string;
  tokens: PickableToken[];
}

/** The node or entity that a token's label begins with. */
function nodeIn({ label, shortLabel }: PickableToken): string | null {
  const end = ` › ${shortLabel}`;
  return label.endsWith(end) && label.length > end.length ? label.slice(0, -end.length) : null;
}

/** Tokens with all the words, by group and by the node that they come from; each once. */
export function sectionsOf(groups: readonly TokenGroup[], words: string): TokenSection[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const sections = new Map<string, Map<string, PickableToken>>();
  for (const { group, tokens } of groups)
    for (const token of tokens) {
      const searched = `${group} ${token.label} ${token.token}`.toLowerCase();
      if (!wanted.every((word) => searched.includes(word))) continue;
      const node = nodeIn(token);
      const title = node === null ? group : `${group}: ${node}`;
      const section = sections.get(title) ?? new Map<string, PickableToken>();
      sections.set(title, section.set(token.token, token));
    }
  return [...sections].map(([title, tokens]) => ({ title, tokens: [...tokens.values()] }));
}

/** The first tokens of all sections, in their order. */
export function firstOf(sections: readonly TokenSection[], most: number): { sections: TokenSection[]; isCut: boolean } {
  let left = most;
  const first: TokenSection[] = [];
  for (const { title, tokens } of sections) {
    if (left > 0) first.push({ title, tokens: tokens.slice(0, left) });
    left -= tokens.length;
  }
  return { sections: first, isCut: left < 0 };
}

/** Tokens of a text that mean nothing here. Nothing is said while it isn't known what is offered. */
export function unknownTokens(text: string, groups: readonly TokenGroup[]): string[] {
  if (groups.length === 0) return [];
  const offered = groups.flatMap(({ tokens }) => tokens);
  return tokensIn(text).filter((token) => !isOffered(token, offered));
}

/** A piece of a text as it is shown. */
export interface TextPiece {
  text: string;
  kind: "text" | "token" | "unknown";
}

/** The whole text in pieces, its tokens apart. */
export function piecesOf(text: string, groups: readonly TokenGroup[]): TextPiece[] {
  const unknown = new Set(unknownTokens(text, groups));
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const { token, from, to } of tokenSpans(text)) {
    if (from > at) pieces.push({ text: text.slice(at, from), kind: "text" });
    pieces.push({ text: text.slice(from, to), kind: unknown.has(token) ? "unknown" : "token" });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kind: "text" });
  return pieces;
}

/** Cuts pieces in two at a place in the text, for a mark between them. */
export function cutAt(pieces: readonly TextPiece[], place: number): [before: TextPiece[], after: TextPiece[]] {
  const before: TextPiece[] = [];
  const after: TextPiece[] = [];
  let at = 0;
  for (const piece of pieces) {
    const end = at + piece.text.length;
    const cut = Math.min(Math.max(place - at, 0), piece.text.length);
    if (cut > 0) before.push({ ...piece, text: piece.text.slice(0, cut) });
    if (cut < piece.text.length) after.push({ ...piece, text: piece.text.slice(cut) });
    at = end;
  }
  return [before, after];
}

/** Value of a token for the record that is tried; undefined: it isn't known. */
export type SampleOf = (token: string) => Value | undefined;

/** What a text with tokens gives for the record that is tried; null without tokens, or where a value isn't known. */
export function filledWith(text: string, sampleOf: SampleOf): string | null {
  const tokens = tokensIn(text);
  if (tokens.length === 0 || tokens.some((token) => sampleOf(token) === undefined)) return null;
  return textOf(compileTemplate<null>(text, (token) => () => sampleOf(token))(null) ?? null);
}

/** As much of it as is known: the other tokens stay as they are. */
export const filledInPart = (text: string, sampleOf: SampleOf, shown: (value: string) => string): string =>
  readTemplate(text)
    .map((part) => {
      if ("text" in part) return part.text;
      const value = sampleOf(part.token);
      return value === undefined ? `{{${part.token}}}` : shown(textOf(value));
    })
    .join("");

/** A value on one line of a list. */
export function sampleText(value: Value, most = 60): string {
  const text = textOf(value).replaceAll(/\s+/g, " ");
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
