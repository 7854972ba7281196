/** Walks a stream page by page: partitions, intervals of time and pages in their order, each step resumable. */
import { ConnectorError, hashValue } from "@accord/connector-sdk";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import type { Value, Values } from "@accord/contracts/data/values";
import { headerFacts } from "../components/answers/header-facts.ts";
import type {
  BadPart,
  Draft,
  Facts,
  Interval,
  PageFacts,
  Partition,
  RawAnswer,
  Slice,
  Stream,
} from "../components/model.ts";
import { isUsedUp, withinAllowance } from "../template/budget.ts";
import { type Moment, parseIso } from "../template/moments.ts";
import { startIn, withRead, type Pass } from "./position.ts";

/** A record as it is handed on, with the partition it came from. */
export interface Found {
  record: Value;
  partition: Values;
  /** Why nothing can be made of it: it is reported, and the others are read. */
  bad?: BadPart;
}
export interface Step {
  found: Found[];
  /** null: the stream has been walked to its end. */
  pass: Pass | null;
  /** What the last page showed, for the position after it. */
  last: Pass;
}
const end = (found: Found[], last: Pass): Step => ({ found, pass: null, last });

/** Pages of one list: more than that is a list that never ends. */
const MAX_PAGES = 100_000;

export const momentAt = (iso: string | null): Moment | null => (iso === null ? null : parseIso(iso));

/** `later`: where partitions begin that are not among the known ones, for passes that keep which they read. */
export function beginPass(
  stream: Stream,
  start: Moment | null,
  later?: { known: Pass["known"]; first: Moment | null },
): Pass {
  const { cursor, retriever } = stream;
  const from = start?.toIso() ?? null;
  return {
    start: from,
    first: later?.first?.toIso() ?? null,
    begun: from,
    known: later?.known ?? null,
    read: later && cursor && retriever.router ? [] : null,
    end: cursor ? cursor.end().toIso() : null,
    partition: null,
    place: null,
    from,
    token: retriever.paginator.first,
    pages: 0,
    skip: 0,
    mark: null,
    newest: null,
    hasSlid: false,
  };
}

interface FetchedPage {
  records: Found[];
  token: Value;
  next: Value;
}

export class Walk {
  readonly #stream: Stream;
  /** The last page, where it was too large to be handed on at once. */
  #held: { key: string; page: FetchedPage } | null = null;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** The next part of the stream: a page, at most `room` records of it. */
  async step(pass: Pass, room: number, isOver: () => boolean, signal?: AbortSignal): Promise<Step> {
    const { retriever } = this.#stream;
    if (retriever.router && pass.partition === null) {
      const found = await retriever.router.next(pass.place, isOver, signal);
      if (found === null) return end([], pass);
      if ("later" in found) return this.#with({ ...pass, place: found.later }, []);
      const partition = { values: found.values, extra: found.extra };
      const begun = startIn(pass, hashValue(found.values));
      return this.#with({ ...pass, partition, begun, place: found.place, ...this.#listStart(begun) }, []);
    }
    const interval = this.#interval(pass);
    if (interval?.isOver) return this.#next(pass, [], null);
    const page = await this.#page(pass, interval?.interval ?? null, signal);
    const start = this.#startOf(pass, page.records);
    const found = page.records.slice(start, start + room);
    const seen = { ...pass, newest: this.#newest(pass, found) };
    if (start + found.length < page.records.length) {
      const last = found.at(-1);
      return this.#with({ ...seen, skip: start + found.length, mark: last ? hashValue(last.record) : null }, found);
    }
    this.#held = null;
    return this.#next({ ...seen, skip: 0, mark: null }, found, page.next, interval?.next ?? null);
  }

  #with(pass: Pass, found: Found[]): Step {
    return { found, pass, last: pass };
  }

  #listStart(from: string | null): Pick<Pass, "from" | "token" | "pages" | "skip" | "mark"> {
    return { from, token: this.#stream.retriever.paginator.first, pages: 0, skip: 0, mark: null };
  }

  /** Where it goes on after a page: the next page, the next interval, the next partition, or nowhere. */
  #next(pass: Pass, found: Found[], token: Value, nextInterval: Moment | null = null): Step {
    const { retriever } = this.#stream;
    const pages = pass.pages + 1;
    if (token !== null) {
      if (hashValue(token) === hashValue(pass.token))
        throw new ConnectorError(
          "configuration",
          `Stream ${this.#stream.name}: the next page is the same page again.`,
          {
            hint: "Check the pagination of the manifest: its cursor does not move on.",
          },
        );
      if (pages > MAX_PAGES)
        throw new ConnectorError(
          "configuration",
          `Stream ${this.#stream.name}: a list did not end after ${MAX_PAGES} pages.`,
        );
      const hasSlid = pass.hasSlid || retriever.paginator.isNumbered;
      return this.#with({ ...pass, token, pages, hasSlid }, found);
    }
    if (nextInterval) return this.#with({ ...pass, ...this.#listStart(nextInterval.toIso()) }, found);
    if (!retriever.router || !pass.partition) return end(found, pass);
    const read = withRead(pass, hashValue(pass.partition.values));
    return this.#with({ ...pass, read, partition: null, ...this.#listStart(pass.start) }, found);
  }

  /** `isOver`: its beginning lies behind the end, or at it where the system takes no such question. */
  #interval(pass: Pass): { interval: Interval; next: Moment | null; isOver: boolean } | null {
    const { cursor } = this.#stream;
    const [from, end] = [momentAt(pass.from), momentAt(pass.end)];
    if (!cursor || !from || !end) return null;
    const { interval, next } = cursor.step(from, end);
    return { interval, next, isOver: from.compare(end) > (cursor.isStrict ? -1 : 0) };
  }

  async #page(pass: Pass, interval: Interval | null, signal?: AbortSignal): Promise<FetchedPage> {
    const key = JSON.stringify({ ...pass, skip: 0, mark: null, newest: null, hasSlid: false, known: null, read: null });
    if (this.#held?.key === key && pass.skip > 0) return this.#held.page;
    const page = await fetchPage(this.#stream, pass, interval, signal);
    this.#held = { key, page };
    return page;
  }

  /** A page that is read again after a while may hold others: then it is handed on from its beginning. */
  #startOf({ skip, mark }: Pass, records: readonly Found[]): number {
    const before = records[skip - 1];
    return skip > 0 && before && hashValue(before.record) === mark ? skip : 0;
  }

  #newest({ newest, end }: Pass, found: readonly Found[]): string | null {
    const { cursor } = this.#stream;
    if (!cursor) return null;
    return found.reduce((latest, { record }) => {
      const time = cursor.timeOf(record)?.toIso() ?? null;
      // Nothing is known beyond the end that was asked for.
      const known = time !== null && end !== null && time > end ? end : time;
      return known !== null && (latest === null || known > latest) ? known : latest;
    }, newest);
  }
}

async function fetchPage(
  stream: Stream,
  pass: Pass,
  interval: Interval | null,
  signal?: AbortSignal,
): Promise<FetchedPage> {
  const { cursor, retriever } = stream;
  const partition: Partition = pass.partition ?? { values: {}, extra: {} };
  const values = interval && cursor ? cursor.values(interval) : {};
  const slice: Slice = { partition: partition.values, extra: partition.extra, interval: values };
  const { paginator, decoder } = retriever;
  const isLater = pass.pages > 0 && retriever.injectsFirstPageOnly;
  const inject = (draft: Draft): void => {
    if (!isLater) retriever.router?.inject(draft, partition.values);
    if (interval && !isLater) cursor?.inject(draft, interval);
    paginator.inject(draft, pass.token);
  };
  const call = { slice, token: pass.token, address: paginator.addressOf(pass.token), inject, signal };
  const answer = await retriever.requester.send(call, (one) => decoder.decode(one, () => {}));
  if (answer === null) return { records: [], token: pass.token, next: null };
  return withinAllowance(PAGE_ALLOWANCE, () => pageOf(stream, pass, answer, slice));
}

/** How long the templates of one page's records may take: nothing else of the process runs meanwhile. */
const PAGE_ALLOWANCE = { steps: Infinity, ms: 15_000 };

function pageOf(stream: Stream, pass: Pass, answer: RawAnswer, slice: Slice): FetchedPage {
  const { cursor, retriever } = stream;
  const { paginator, decoder, selector } = retriever;
  const torn: BadPart[] = [];
  const bodies = decoder.decode(answer, (bad) => void torn.push(bad));
  const extracted = selector.extract(bodies);
  const facts: Facts = { slice, token: pass.token };
  const parts = torn.map((bad): Handed => ({ record: null, bad }));
  const kept = [...parts, ...extracted.flatMap((record) => handedOn(stream, record, facts))];
  const records = withinStart(stream, kept, pass);
  const page: PageFacts = {
    response: bodies[0] ?? {},
    headers: headerFacts(answer.headers),
    lastRecord: extracted.at(-1) ?? null,
    count: extracted.length + torn.length,
  };
  const isPassed = cursor?.isNewestFirst === true && kept.length > 0 && records.length < kept.length;
  const next = isPassed ? null : paginator.next(pass.token, page);
  return { records: records.map((one) => ({ ...one, partition: slice.partition })), token: pass.token, next };
}

const isObject = (value: Value): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);

type Handed = Pick<Found, "record" | "bad">;

/** A record after filter and transformations; none where it is filtered out. What can't be worked on costs itself. */
function handedOn(stream: Stream, record: Value, facts: Facts): Handed[] {
  if (isDeeper(record, MAX_LEVELS))
    return [{ record: null, bad: { message: `It has more than ${MAX_LEVELS} levels.`, excerpt: "…" } }];
  try {
    return worked(stream, record, facts).map((made) => ({ record: made }));
  } catch (error) {
    if (!(error instanceof ConnectorError) || isUsedUp()) throw error;
    return [{ record: null, bad: { message: error.message, excerpt: JSON.stringify(record).slice(0, EXCERPT) } }];
  }
}

/** Levels of a record: deeper ones can't be written out. */
const MAX_LEVELS = 200;
/** Characters shown of a record that can't be used. */
const EXCERPT = 300;

function isDeeper(value: Value, levels: number): boolean {
  if (typeof value !== "object" || value === null || isExactNumber(value)) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function worked({ retriever, transformations }: Stream, record: Value, facts: Facts): Value[] {
  const { selector } = retriever;
  if (!selector.filtersTransformed && !selector.keeps(record, facts)) return [];
  // What is no record is handed on to be reported.
  const made = isObject(record) ? transformations.reduce((one, step) => step.apply(one, facts), record) : record;
  return selector.filtersTransformed && !selector.keeps(made, facts) ? [] : [made];
}

/** Lists that can't be asked for a time are cut here. Records without a readable time stay. */
function withinStart({ cursor }: Stream, records: Handed[], { begun }: Pass): Handed[] {
  const from = momentAt(begun);
  if (!cursor || !from || (!cursor.isClientSide && !cursor.isNewestFirst)) return records;
  return records.filter(({ record }) => {
    const time = cursor.timeOf(record);
    return time === null || time.compare(from) >= 0;
  });
}
