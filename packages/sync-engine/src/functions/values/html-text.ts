/** The plain text of HTML, cut into tags and text as browsers do: time grows with the length alone. Not for showing HTML. */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

const BLOCKS: ReadonlySet<string> = new Set(
  "p div br li ul ol tr table h1 h2 h3 h4 h5 h6 section article header footer blockquote pre hr".split(" "),
);
/** Elements whose content is no text. */
const SILENT: ReadonlySet<string> = new Set(["script", "style", "template", "head"]);

export function plainTextOf(html: string): string {
  const parts: string[] = [];
  // The tokens alone: a parser looks through all open elements at each tag, and hostile texts open very many.
  const tokenizer = new Tokenizer({ decodeEntities: true }, collector(html, parts));
  tokenizer.write(html);
  tokenizer.end();
  return parts
    .join("")
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

const ignore = (): void => {};

/** Puts the text of `html` into `parts`, and a line break wherever a block begins or ends. */
function collector(html: string, parts: string[]): TokenizerCallbacks {
  /** The element whose content is left out, until it ends. */
  let silent: string | null = null;
  let opened = "";
  const add = (text: string): void => void (silent === null && parts.push(text));
  const breakLine = (name: string): void => {
    if (BLOCKS.has(name)) add("\n");
  };
  return {
    onopentagname: (start, end) => {
      opened = html.slice(start, end).toLowerCase();
      breakLine(opened);
    },
    onopentagend: () => {
      if (silent === null && SILENT.has(opened)) silent = opened;
    },
    onclosetag: (start, end) => {
      const name = html.slice(start, end).toLowerCase();
      if (name === silent) silent = null;
      else breakLine(name);
    },
    ontext: (start, end) => add(html.slice(start, end)),
    ontextentity: (codepoint) => add(String.fromCodePoint(codepoint)),
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onprocessinginstruction: ignore,
    onselfclosingtag: ignore,
    onattribdata: ignore,
    onattribentity: ignore,
    onattribend: ignore,
    onattribname: ignore,
    onend: ignore,
  };
}
