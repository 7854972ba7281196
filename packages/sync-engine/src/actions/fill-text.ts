/** Texts of requests with `{{variables}}` in them, filled so that a value can't become structure. */
import { readTemplate, textOf } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";

export type Read = (token: string) => Value;

/** In an address every value is percent-encoded, unless the whole address is one token. */
export function fillAddress(template: string, read: Read): string {
  const parts = readTemplate(template);
  const [only] = parts;
  if (parts.length === 1 && only && "token" in only) return textOf(read(only.token));
  return parts
    .map((part) => ("token" in part ? encodeURIComponent(textOf(read(part.token)).toWellFormed()) : part.text))
    .join("");
}

/** One line: a line break in a header would begin another one. */
export const fillHeader = (template: string, read: Read): string => plain(template, read).replaceAll(/[\r\n\0]+/g, " ");

/**
 * A body. In JSON a token inside quotes gives its text, escaped; outside of them its value with its type: a text comes
 * with quotes of its own.
 */
export function fillBody(template: string, read: Read): string {
  if (!isJson(template)) return plain(template, read);
  let isQuoted = false;
  return readTemplate(template)
    .map((part) => {
      if ("text" in part) {
        isQuoted = quotedAfter(part.text, isQuoted);
        return part.text;
      }
      const value = read(part.token);
      return isQuoted ? JSON.stringify(textOf(value)).slice(1, -1) : JSON.stringify(value);
    })
    .join("");
}

/** Whether a body, or the template of one, is meant as JSON; a token at its beginning is no brace. */
export const isJson = (text: string): boolean => /^\s*(\[|\{(?!\{))/.test(text);

const plain = (template: string, read: Read): string =>
  readTemplate(template)
    .map((part) => ("token" in part ? textOf(read(part.token)) : part.text))
    .join("");

/** Whether a JSON text ends inside of a string. */
function quotedAfter(text: string, before: boolean): boolean {
  let isQuoted = before;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "\\" && isQuoted) index += 1;
    else if (text[index] === '"') isQuoted = !isQuoted;
  }
  return isQuoted;
}
