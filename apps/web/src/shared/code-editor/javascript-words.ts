/** The words and signs of JavaScript as an editor colours them, line by line. Pure. */
import type { StreamParser, StringStream } from "@codemirror/language";

const KEYWORDS = new Set(
  (
    "async await break case catch class const continue debugger default delete do else export extends finally for " +
    "function if import in instanceof let new of return static super switch this throw try typeof var void while with yield"
  ).split(" "),
);
const CONSTANTS = new Map([
  ["true", "bool"],
  ["false", "bool"],
  ["null", "null"],
  ["undefined", "null"],
]);

interface State {
  /** What a line before has begun and not ended. */
  inside: "comment" | "template" | null;
}

/** Up to `end`, or to the end of the line. */
function skipTo(stream: StringStream, state: State, end: string): void {
  while (!stream.eol()) {
    if (stream.match(end)) {
      state.inside = null;
      return;
    }
    if (stream.next() === "\\") stream.next();
  }
}

function within(stream: StringStream, state: State, inside: NonNullable<State["inside"]>): string {
  state.inside = inside;
  skipTo(stream, state, inside === "comment" ? "*/" : "`");
  return inside === "comment" ? "blockComment" : "string";
}

export const javascriptWords: StreamParser<State> = {
  name: "javascript",
  startState: () => ({ inside: null }),
  token(stream, state) {
    if (state.inside) return within(stream, state, state.inside);
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "lineComment";
    }
    if (stream.match("/*")) return within(stream, state, "comment");
    if (stream.match("`")) return within(stream, state, "template");
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/^(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)n?/i)) return "number";
    if (stream.match(/^[\p{L}_$][\p{L}\p{N}_$]*/u)) {
      const word = stream.current();
      return KEYWORDS.has(word) ? "keyword" : (CONSTANTS.get(word) ?? "variableName");
    }
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", "'", '"', "`"] },
  },
};
