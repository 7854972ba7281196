/** The plain text of HTML, read once from left to right: time grows with the length alone. For texts, not for showing HTML. */

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  pound: "£",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
};

const BLOCKS: ReadonlySet<string> = new Set(
  "p div br li ul ol tr table h1 h2 h3 h4 h5 h6 section article header footer blockquote pre hr".split(" "),
);
/** Elements whose content is no text. */
const SILENT: ReadonlySet<string> = new Set(["script", "style", "template", "head"]);

export function plainTextOf(html: string): string {
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    text += decoded(html.slice(at, open < 0 ? html.length : open));
    if (open < 0) break;
    const tag = tagAt(html, open);
    if (!tag) {
      text += "<";
      at = open + 1;
      continue;
    }
    if (BLOCKS.has(tag.name)) text += "\n";
    at = SILENT.has(tag.name) && !tag.closes ? afterElement(html, tag.end, tag.name) : tag.end;
  }
  return text
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

interface Tag {
  name: string;
  closes: boolean;
  end: number;
}

/** null when this `<` begins no tag: text follows it. */
function tagAt(html: string, open: number): Tag | null {
  if (html.startsWith("<!--", open)) return { name: "!", closes: false, end: after(html, "-->", open) };
  const closes = html[open + 1] === "/";
  const start = open + (closes ? 2 : 1);
  if (!/[a-z!?]/i.test(html[start] ?? "")) return null;
  let end = start;
  while (end < html.length && /[a-z0-9]/i.test(html.charAt(end))) end++;
  return { name: html.slice(start, end).toLowerCase(), closes, end: after(html, ">", end) };
}

const after = (html: string, mark: string, from: number): number => {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
};

function afterElement(html: string, from: number, name: string): number {
  const found = new RegExp(`</${name}`, "i").exec(html.slice(from));
  return found ? after(html, ">", from + found.index) : html.length;
}

const decoded = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, digits, hex, name) => {
    if (typeof name === "string") return NAMED[name] ?? whole;
    const code = typeof digits === "string" ? Number(digits) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });
