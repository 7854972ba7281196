/** The lists of the simulated Notion: queries of a database's pages, the search, and their cursors. */
import { randomUUID } from "node:crypto";
import type { Call } from "../server.ts";
import type { Json } from "../kit.ts";
import { isObject } from "../kit.ts";
import { filterOf, sortsOf, type Sort } from "./filter.ts";
import { shownTime, titleOf, type NotionWorld } from "./pages.ts";
import { invalid, onlyKnown, shouldBe } from "./refusals.ts";
import { propertyNamed, type Database, type Page } from "./schema.ts";

interface Cursor {
  /** What was asked for: a cursor goes on with nothing else. */
  asked: string;
  /** Where the page before ended. */
  keys: (string | number)[];
}

const MOST = 100;

/** The ids of properties that answers are limited to. */
export function onlyProperties({ query }: Call, database: Database): string[] {
  for (const name of query.keys())
    if (!/^filter_properties(?:\[\d*\])?$/.test(name)) shouldBe(`query.${name}`, "not present", query.get(name));
  const ids = [...query].map(([, value]) => value);
  for (const id of ids)
    if (propertyNamed(database, id) === undefined) invalid(`Could not find property with id: ${id}`);
  return ids;
}

export class Lists {
  readonly #world: NotionWorld;
  /** Answers may hold fewer results than were asked for. */
  readonly #most: number;
  readonly #cursors = new Map<string, Cursor>();

  constructor(world: NotionWorld, most: number) {
    this.#world = world;
    this.#most = most;
  }

  query(database: Database, call: Call, body: Json, isNew: boolean): Json {
    const known = ["filter", "sorts", "start_cursor", "page_size", "archived", "in_trash"];
    onlyKnown("body", body, isNew ? [...known, "result_type"] : known);
    const only = onlyProperties(call, database);
    const reading = {
      database,
      valueOf: (page: Page, property: Database["properties"][number]) => this.#world.valueOf(page, property),
      timeOf: (page: Page, name: "created_time" | "last_edited_time") =>
        shownTime(name === "created_time" ? page.createdAt : page.editedAt),
    };
    const matches = body["filter"] === undefined ? () => true : filterOf(body["filter"], reading);
    const sorts = body["sorts"] === undefined ? [] : sortsOf(body["sorts"], reading);
    // Without a sort the newest come first.
    if (sorts.length === 0) sorts.push({ key: ({ createdAt }) => createdAt, isDown: true });
    const isTrash = body["in_trash"] === true || body["archived"] === true;
    const pages = [...database.pages.values()].filter((page) => page.inTrash === isTrash && matches(page));
    const list = this.#paged(`${database.id} ${only.join()}`, body, pages, sorts);
    const type = isNew ? "page_or_data_source" : "page_or_database";
    const results = list.results.map((page) => this.#world.shownPage(database, page, isNew, only));
    return { object: "list", ...list, results, type, [type]: {}, request_id: randomUUID() };
  }

  search(body: Json, isNew: boolean): Json {
    onlyKnown("body", body, ["query", "filter", "sort", "start_cursor", "page_size"]);
    const kind = isNew ? "data_source" : "database";
    const { filter, sort, query = "" } = body;
    const only = isObject(filter) ? filter["value"] : undefined;
    if (filter !== undefined && (!isObject(filter) || filter["property"] !== "object"))
      shouldBe("body.filter.property", '`"object"`', isObject(filter) ? filter["property"] : filter);
    if (filter !== undefined && only !== "page" && only !== kind)
      shouldBe("body.filter.value", `\`"page"\` or \`"${kind}"\``, only);
    if (typeof query !== "string") return shouldBe("body.query", "a string or `undefined`", query);
    if (isObject(sort) && sort["timestamp"] !== "last_edited_time")
      shouldBe("body.sort.timestamp", '`"last_edited_time"`', sort["timestamp"]);
    const all = this.#world.databases.filter(({ isShared }) => isShared);
    const isFirst = (one: Database): boolean => all.find(({ id }) => id === one.id) === one;
    const shared = isNew ? all : all.filter(isFirst);
    const found = shared.flatMap((database) => {
      const as = isNew ? "source" : "old";
      const itself = { id: database.id, editedAt: database.editedAt, title: database.title, kind };
      const pages = [...database.pages.values()].filter(({ inTrash }) => !inTrash);
      return [
        { ...itself, shown: () => this.#world.shownDatabase(database, as) },
        ...pages.map((page) => ({
          id: page.id,
          editedAt: page.editedAt,
          title: titleOf(page),
          kind: "page",
          shown: () => this.#world.shownPage(database, page, isNew),
        })),
      ];
    });
    const matching = found.filter(
      (one) => (only === undefined || one.kind === only) && one.title.toLowerCase().includes(query.toLowerCase()),
    );
    const isDown = !isObject(sort) || sort["direction"] !== "ascending";
    const list = this.#paged("search", body, matching, [{ key: ({ editedAt }) => shownTime(editedAt), isDown }]);
    const results = list.results.map((one) => one.shown());
    const type = isNew ? "page_or_data_source" : "page_or_database";
    return { object: "list", ...list, results, type, [type]: {}, request_id: randomUUID() };
  }

  #paged<One extends { id: string }>(where: string, body: Json, all: One[], sorts: Sort<One>[]) {
    const { page_size = MOST, start_cursor, ...rest } = body;
    if (typeof page_size !== "number") return shouldBe("body.page_size", "a number or `undefined`", page_size);
    if (page_size > MOST) return shouldBe("body.page_size", `≤ \`${MOST}\``, page_size);
    if (page_size < 1) return shouldBe("body.page_size", "≥ `1`", page_size);
    const asked = `${where} ${JSON.stringify(rest)}`;
    const cursor = start_cursor === undefined ? undefined : this.#cursorAt(start_cursor, asked);
    const keysOf = (one: One): (string | number)[] => [...sorts.map(({ key }) => key(one)), one.id];
    const compare = (left: (string | number)[], right: (string | number)[]): number => {
      for (const [at, key] of left.entries()) {
        const other = right[at] ?? "";
        if (key !== other) return (key < other ? -1 : 1) * (sorts[at]?.isDown === true ? -1 : 1);
      }
      return 0;
    };
    const sorted = all.toSorted((left, right) => compare(keysOf(left), keysOf(right)));
    const left = cursor === undefined ? sorted : sorted.filter((one) => compare(keysOf(one), cursor.keys) > 0);
    const results = left.slice(0, Math.min(page_size, this.#most));
    const last = results.at(-1);
    if (last === undefined || results.length === left.length) return { results, next_cursor: null, has_more: false };
    const next_cursor = randomUUID();
    this.#cursors.set(next_cursor, { asked, keys: keysOf(last) });
    return { results, next_cursor, has_more: true };
  }

  #cursorAt(given: unknown, asked: string): Cursor {
    if (typeof given !== "string") return shouldBe("body.start_cursor", "a string or `undefined`", given);
    const cursor = this.#cursors.get(given);
    return cursor?.asked === asked ? cursor : invalid(`The start_cursor provided is invalid: ${given}`);
  }
}
