/** What the editor takes for which part of JavaScript. */
import { StringStream } from "@codemirror/language";
import { expect, test } from "vitest";
import { javascriptWords } from "./javascript-words.ts";

/** The parts of a text with their kinds, those without one left out. */
function partsOf(text: string): string[] {
  const state = javascriptWords.startState?.(2) ?? { inside: null };
  return text.split("\n").flatMap((line) => {
    const stream = new StringStream(line, 2, 2);
    const parts: string[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = javascriptWords.token(stream, state);
      if (kind !== null) parts.push(`${kind}:${stream.current()}`);
    }
    return parts;
  });
}

test.each([
  ["const a = 1_000n;", ["keyword:const", "variableName:a", "number:1_000n"]],
  ["return null ?? true;", ["keyword:return", "null:null", "bool:true"]],
  [`x = 'it\\'s' + "a";`, ["variableName:x", `string:'it\\'s'`, 'string:"a"']],
  ["'open\nlet b", ["string:'open", "keyword:let", "variableName:b"]],
  [
    "/* one\ntwo */ $c // three",
    ["blockComment:/* one", "blockComment:two */", "variableName:$c", "lineComment:// three"],
  ],
  ["`a ${b}\n\\` c` 0xFF", ["string:`a ${b}", "string:\\` c`", "number:0xFF"]],
])("%s", (text, parts) => expect(partsOf(text)).toEqual(parts));
