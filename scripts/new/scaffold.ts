/** What a scaffold is: files to make, lines to add to the explicit lists, places to answer, and what is left for the author. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Scaffold {
  /** Path → text. */
  files: Record<string, string>;
  /** Each line goes after the last line of `file` that matches `after`. */
  lines: { file: string; after: RegExp; line: string }[];
  /** In `file` the first text that matches `find` is replaced. */
  edits?: { file: string; find: RegExp; by: string }[];
  /** Files in which the type checker then asks for an answer; `npm run check` compares them. Without them all compiles. */
  places?: readonly string[];
  /** What a person does next, in order. */
  next: string[];
}

/** The spellings of one name: `split-text`. */
export interface Names {
  kebab: string;
  /** `splitText` */
  camel: string;
  /** `SplitText` */
  pascal: string;
  /** `Split text` */
  title: string;
  /** `split_text` */
  snake: string;
}

export function namesOf(kebab: string): Names {
  const camel = kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const words = kebab.replaceAll("-", " ");
  return {
    kebab,
    camel,
    pascal: camel.charAt(0).toUpperCase() + camel.slice(1),
    title: words.charAt(0).toUpperCase() + words.slice(1),
    snake: kebab.replaceAll("-", "_"),
  };
}

/** Writes everything or nothing. @throws Error when a file exists already or a list has changed its shape. */
export function apply({ files, lines, edits = [] }: Scaffold, root: string): string[] {
  const taken = Object.keys(files).find((file) => existsSync(join(root, file)));
  if (taken) throw new Error(`${taken} exists already. Choose another name.`);
  const texts = new Map<string, string>(Object.entries(files));
  const textOf = (file: string): string => texts.get(file) ?? readFileSync(join(root, file), "utf8");
  for (const { file, after, line } of lines) texts.set(file, withLine(textOf(file), after, line, file));
  for (const { file, find, by } of edits) {
    if (!find.test(textOf(file))) throw new Error(`${file} has nothing like ${find}: write "${by.trim()}" by hand.`);
    texts.set(file, textOf(file).replace(find, by));
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return [...texts.keys()];
}

function withLine(text: string, after: RegExp, line: string, file: string): string {
  const all = text.split("\n");
  const place = all.findLastIndex((one) => after.test(one));
  if (place === -1) throw new Error(`${file} has no line like ${after}: add "${line.trim()}" by hand.`);
  return all.toSpliced(place + 1, 0, line).join("\n");
}
