/** The text of a question while it is read: columns and quoted values stand as marks, what is understood is taken out. */
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import type { QuestionSource } from "./source.ts";
import { nameScore, stemsOf } from "./words.ts";

/** `⟨3⟩`: the fourth column that is mentioned. `⟦0⟧`: the first quoted text. `§`: the records of the source. */
export const COLUMN = "⟨(\\d+)⟩";
export const RECORDS = "§";
const WORD = /[\p{L}\p{N}_]+/gu;
/** Words of the longest name that is looked for. */
const MAX_NAME = 5;
const TAKEN = " ¦ ";
/** Words that no column is named by alone inside a question: they have a meaning of their own there. */
const RESERVED = new Set(
  "day week month quarter year top first last previous average mean median sum total maximum minimum share more less most least table list line bar column donut pie gauge funnel metric today record row".split(
    " ",
  ),
);
const GRAINS = new Set(["day", "week", "month", "quarter", "year"]);

export class QuestionText {
  readonly quoted: string[] = [];
  readonly mentions: DatasetColumn[] = [];
  readonly #used = new Set<number>();
  #text: string;

  constructor(question: string, source: QuestionSource) {
    const text = question.replaceAll(/["“”«»]([^"“”«»]+)["“”«»]|(?<![\p{L}\p{N}])'([^']+)'/gu, (_, double, single) => {
      this.quoted.push(String(double ?? single));
      return ` ⟦${this.quoted.length - 1}⟧ `;
    });
    this.#text = this.#marked(text.replaceAll(/[?!¿]|\.(?!\d)/g, " "), source);
  }

  get text(): string {
    return this.#text;
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
    if (match) this.#text = this.#text.replace(match[0], TAKEN);
    return match;
  }

  /** Takes out a match together with the same column right after it: “over 60 minutes”, “high priority”. */
  takeWith(pattern: RegExp, column: DatasetColumn | undefined): RegExpExecArray | null {
    for (const [at, mentioned] of this.mentions.entries()) {
      if (mentioned !== column) continue;
      const longer = this.takeFirst(new RegExp(`(?:${pattern.source})\\s*⟨${at}⟩`, pattern.flags));
      if (longer) return longer;
    }
    return this.takeFirst(pattern);
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
      .replaceAll(/⟨\d+⟩|§|¦/g, " ")
      .replaceAll(/⟦(\d+)⟧/g, (_, at) => this.quoted[Number(at)] ?? "");
    return plain.match(WORD) ?? [];
  }

  /** Longest names first, so that “annual revenue” is that column and not a year. */
  #marked(text: string, source: QuestionSource): string {
    const names = source.columns.map((column) => [stemsOf(column.displayName), stemsOf(column.name)]);
    const records = [source.displayName, ...source.otherNames].map(stemsOf);
    const options = source.columns.flatMap(({ labels }) => Object.values(labels ?? {}).map(stemsOf));
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
        const mark = this.#markFor(stemsOf(between), names, records, source.columns, options);
        if (mark && !/⟦|⟨/.test(marked.slice(Math.max(0, from - 1), from))) spans.push({ from, to, mark });
      }
      for (const { from, to, mark } of spans.toReversed())
        marked = `${marked.slice(0, from)}${mark}${marked.slice(to)}`;
    }
    return marked;
  }

  #markFor(
    words: readonly string[],
    names: readonly string[][][],
    records: readonly string[][],
    columns: readonly DatasetColumn[],
    options: readonly string[][],
  ): string | undefined {
    const isReserved = words.length === 1 && RESERVED.has(words[0] ?? "");
    const scores = names.map((both) => Math.max(...both.map((name) => nameScore(words, name))));
    const best = Math.max(0, ...scores);
    const isRecords = records.some((name) => name.length === words.length && nameScore(words, name) > 0);
    if (isRecords && best < 10) return RECORDS;
    // An option says more than a part of a name: “closed” is a status before it is “Closed at”.
    if (best < 10 && options.some((label) => label.join(" ") === words.join(" "))) return undefined;
    if (best === 0 || (isReserved && (best < 10 || GRAINS.has(words[0] ?? "")))) return undefined;
    const column = columns[scores.indexOf(best)];
    if (!column) return undefined;
    this.mentions.push(column);
    return `⟨${this.mentions.length - 1}⟩`;
  }
}
