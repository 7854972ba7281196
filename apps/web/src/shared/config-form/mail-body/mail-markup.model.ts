/** Simple markup put around what is selected in the body of a mail. Pure. */

export const MARKUPS = ["bold", "italic", "heading", "link", "list"] as const;
export type Markup = (typeof MARKUPS)[number];

/** A text, and what is selected in it. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}

const TAGS = { bold: "b", italic: "i", heading: "h2" } as const;
const LINK_START = '<a href="https://';

/** The text with that markup; bold, italic and headings that stand already around what is selected are taken away. */
export function marked(selected: Selected, markup: Markup): Selected {
  if (markup === "link") return linked(selected);
  if (markup === "list") return listed(selected);
  return toggled(selected, `<${TAGS[markup]}>`, `</${TAGS[markup]}>`);
}

function toggled({ text, from, to }: Selected, open: string, close: string): Selected {
  const isMarked = text.slice(0, from).endsWith(open) && text.startsWith(close, to);
  const inner = text.slice(from, to);
  return isMarked
    ? {
        text: text.slice(0, from - open.length) + inner + text.slice(to + close.length),
        from: from - open.length,
        to: to - open.length,
      }
    : {
        text: text.slice(0, from) + open + inner + close + text.slice(to),
        from: from + open.length,
        to: to + open.length,
      };
}

/** The caret stands where the address is to be written. */
function linked({ text, from, to }: Selected): Selected {
  const start = text.slice(0, from) + LINK_START;
  return { text: `${start}">${text.slice(from, to)}</a>${text.slice(to)}`, from: start.length, to: start.length };
}

/** One item for each line. */
function listed({ text, from, to }: Selected): Selected {
  const lines = text.slice(from, to).split("\n");
  const list = `<ul>\n${lines.map((line) => `<li>${line}</li>`).join("\n")}\n</ul>`;
  const first = "<ul>\n<li>".length;
  const caret = from + (from === to ? first : list.length);
  return { text: text.slice(0, from) + list + text.slice(to), from: caret, to: caret };
}
