/** The text of a question while it is read: columns and quoted values stand as marks, what is understood is taken out. */
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { expandContractions, isNegatedName, uniformNegations } from "./negation.ts";
import type { QuestionSource } from "./source.ts";
import { nameScore, stemsOf } from "./words.ts";

/** `⟨3⟩`: the fourth column that is mentioned. `⟦0⟧`: the first quoted text. `§`: the records of the source. */
export const COLUMN = "⟨(\\d+)⟩";
export const RECORDS = "§";
/** Stands for what was taken out: `‡` for a condition, `¦` for everything else. */
export const TAKEN = " ¦ ";
export const CONDITION = " ‡ ";
/** Signs that no value holds. */
export const SIGNS = "⟨⟩⟦⟧§¦‡";
const WORD = /[\p{L}\p{N}_]+/gu;
/** Words of the longest name that is looked for. */
const MAX_NAME = 5;
/** Words that no column is named by alone inside a question: they have a meaning of their own there. */
const RESERVED = new Set(
  "day week month quarter year top first last previous average mean median sum total maximum minimum share more less most least table list line bar column donut pie gauge funnel metric today record row no not".split(
    " ",
  ),
);
const GRAINS = new Set(["day", "week", "month", "quarter", "year"]);

/** Names that are looked for, prepared once for each source. */
interface Names {
  columns: readonly DatasetColumn[];
  /** Of each column, by its display name and its name. */
  stems: readonly string[][][];
  records: readonly string[][];
  /** All words of names: others name nothing. */
  vocabulary: ReadonlySet<string>;
  /** Whether some option has exactly these words. */
  isOption: (words: readonly string[]) => boolean;
}

export class QuestionText {
  readonly quoted: string[] = [];
  readonly mentions: DatasetColumn[] = [];
  readonly #used = new Set<number>();
  #text: string;
  #folded = { of: "", text: "" };

  constructor(question: string, source: QuestionSource) {
    const plain = question.replaceAll("’", "'").replaceAll(new RegExp(`[${SIGNS}]`, "g"), " ");
    const quoted = plain.replaceAll(/["“”«»]([^"“”«»]+)["“”«»]|(?<![\p{L}\p{N}])'([^']+)'/gu, (_, double, single) =>
      this.#quote(String(double ?? single)),
    );
    const text = expandContractions(this.#withNegatedNames(quoted, source));
    this.#text = uniformNegations(this.#marked(text.replaceAll(/[?!¿]|\.(?!\d)/g, " "), source));
  }

  get text(): string {
    return this.#text;
  }

  /** In lower case, letter for letter. */
  get folded(): string {
    if (this.#folded.of !== this.#text) {
      const text = this.#text.replaceAll(/\p{Lu}/gu, (letter) => {
        const lower = letter.toLowerCase();
        return lower.length === letter.length ? lower : letter;
      });
      this.#folded = { of: this.#text, text };
    }
    return this.#folded.text;
  }

  /** Takes out every match, and answers them. */
  take(pattern: RegExp): RegExpExecArray[] {
    const all = pattern.flags.includes("g") ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
    const matches = [...this.#text.matchAll(all)];
    this.#text = this.#text.replaceAll(all, TAKEN);
    return matches;
  }

  /** Takes out the first match only. */
  takeFirst(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(this.#text);
    if (match) this.replace(match.index, match.index + match[0].length, TAKEN);
    return match;
  }

  /** Goes through the matches: each gets what `mark` answers in its place, and stays as it is for null. */
  takeEach(pattern: RegExp, mark: (match: RegExpExecArray) => string | null): void {
    const each = new RegExp(pattern.source, `${pattern.flags}g`);
    for (let match = each.exec(this.#text); match; match = each.exec(this.#text)) {
      const inPlace = mark(match);
      if (inPlace === null) continue;
      this.replace(match.index, match.index + match[0].length, inPlace);
      each.lastIndex = match.index + inPlace.length;
    }
  }

  /** Puts a mark in the place of a part of the text. */
  replace(from: number, to: number, mark: string): void {
    this.#text = `${this.#text.slice(0, from)}${mark}${this.#text.slice(to)}`;
  }

  /** The column of a mark, which then has its place. */
  column(mark: string | undefined): DatasetColumn | undefined {
    const at = Number(mark);
    if (mark === undefined || !this.mentions[at]) return undefined;
    this.#used.add(at);
    return this.mentions[at];
  }

  peek = (mark: string | undefined): DatasetColumn | undefined =>
    mark === undefined ? undefined : this.mentions[Number(mark)];

  /** Columns that stand in the question and have no place yet, in order. */
  unplaced(): DatasetColumn[] {
    return [...this.#text.matchAll(new RegExp(COLUMN, "g"))].flatMap(([, mark]) => {
      const column = this.#used.has(Number(mark)) ? undefined : this.peek(mark);
      return column ? [column] : [];
    });
  }

  /** A value as it was written, without the quotes. */
  value(text: string): string {
    return text.replaceAll(/⟦(\d+)⟧/g, (_, at) => this.quoted[Number(at)] ?? "").trim();
  }

  /** Words that nothing was made of. */
  left(): string[] {
    const plain = this.#text
      .replaceAll(/⟨\d+⟩|[§¦‡]/g, " ")
      .replaceAll(/⟦(\d+)⟧/g, (_, at) => this.quoted[Number(at)] ?? "");
    return plain.match(WORD) ?? [];
  }

  #quote(text: string): string {
    this.quoted.push(text);
    return ` ⟦${this.quoted.length - 1}⟧ `;
  }

  /** Options such as “Not started” are values as if they were quoted. */
  #withNegatedNames(text: string, { columns }: QuestionSource): string {
    let result = text;
    const lower = text.toLowerCase();
    for (const { labels } of columns)
      for (const label of Object.values(labels ?? {})) {
        if (!lower.includes(label.toLowerCase()) || !isNegatedName(label)) continue;
        const written = label.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
        result = result.replaceAll(new RegExp(`(?<![\\p{L}\\d])${written}(?![\\p{L}\\d])`, "giu"), () =>
          this.#quote(label),
        );
      }
    return result;
  }

  /** Longest names first, so that “annual revenue” is that column and not a year. */
  #marked(text: string, source: QuestionSource): string {
    const names = namesOf(source);
    let marked = text;
    for (let length = MAX_NAME; length > 0; length--) {
      const parts = [...marked.matchAll(WORD)];
      const spans: { from: number; to: number; mark: string }[] = [];
      for (let at = 0; at + length <= parts.length; at++) {
        const span = parts.slice(at, at + length);
        const [first, last] = [span[0], span.at(-1)];
        if (!first || !last) continue;
        const from = first.index;
        const to = last.index + last[0].length;
        const between = marked.slice(from, to);
        if (!/^[\p{L}\p{N}_\s-]+$/u.test(between) || spans.some((one) => one.to > from)) continue;
        const mark = this.#markFor(stemsOf(between), names);
        if (mark && !/⟦|⟨/.test(marked.slice(Math.max(0, from - 1), from))) spans.push({ from, to, mark });
      }
      for (const { from, to, mark } of spans.toReversed())
        marked = `${marked.slice(0, from)}${mark}${marked.slice(to)}`;
    }
    return marked;
  }

  #markFor(words: readonly string[], { columns, stems, records, vocabulary, isOption }: Names): string | undefined {
    if (!words.every((word) => vocabulary.has(word))) return undefined;
    const isReserved = words.length === 1 && RESERVED.has(words[0] ?? "");
    const scores = stems.map((both) => Math.max(...both.map((name) => nameScore(words, name))));
    const best = Math.max(0, ...scores);
    const isRecords = records.some((name) => name.length === words.length && nameScore(words, name) > 0);
    if (isRecords && best < 10) return RECORDS;
    // An option says more than a part of a name: “closed” is a status before it is “Closed at”.
    if (best < 10 && isOption(words)) return undefined;
    if (best === 0 || (isReserved && (best < 10 || GRAINS.has(words[0] ?? "")))) return undefined;
    const column = columns[scores.indexOf(best)];
    if (!column) return undefined;
    this.mentions.push(column);
    return `⟨${this.mentions.length - 1}⟩`;
  }
}

function namesOf({ displayName, otherNames, columns }: QuestionSource): Names {
  const stems = columns.map((column) => [stemsOf(column.displayName), stemsOf(column.name)]);
  const records = [displayName, ...otherNames].map(stemsOf);
  // Most questions name nothing of most sources, whose options are then never gone through.
  let options: ReadonlySet<string> | undefined;
  const isOption = (words: readonly string[]): boolean => {
    options ??= new Set(
      columns.flatMap(({ labels }) => Object.values(labels ?? {}).map((label) => stemsOf(label).join(" "))),
    );
    return options.has(words.join(" "));
  };
  return { columns, stems, records, vocabulary: new Set([...stems.flat(2), ...records.flat()]), isOption };
}
