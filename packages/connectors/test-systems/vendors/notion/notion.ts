/** Notion as its API reference shows it: databases that are shared with an integration, their pages, and the search. */
import { randomBytes } from "node:crypto";
import { bearerOf, isObject, refusing, type Json, type Outside } from "../kit.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";
import { Lists, onlyProperties } from "./lists.ts";
import { BOT_ID, NotionWorld, PERSON_ID } from "./pages.ts";
import { absent, errorBody, invalid, onlyKnown, refuse, shouldBe, uuidAt } from "./refusals.ts";
import { anotherSource, propertyNamed, type Database, type Page } from "./schema.ts";

export const NOTION_TOKEN = "ntn_usualToken000000000000001";
/** Of an integration without the capabilities to insert and update content. */
export const NOTION_READ_TOKEN = "ntn_readOnlyToken0000000000002";
/** The versions that are simulated: the last without data sources and the first with them. */
const [OLD, NEW] = ["2022-06-28", "2025-09-03"];
const MOST_BYTES = 500_000;

export interface NotionServer extends VendorServer {
  tasks: Database;
  projects: Database;
  notes: Database;
  outside: Outside;
  /** Somebody gives a database a second source: versions without sources can't work with it any more. */
  addSource(database: Database, title: string): void;
  /** Waits are whole seconds. */
  rateLimitNext(waitMs: number): void;
}

/** `seeded` pages among the tasks, two projects, no notes. `batch`: the most results of an answer. */
export async function startNotion(seeded: number, { batch = 100 } = {}): Promise<NotionServer> {
  const world = new NotionWorld();
  world.fill(seeded);
  const api = new NotionApi(world, batch);
  const server = await startVendor(refusing((call) => api.answer(call)));
  const { tasks, projects, notes } = world;
  const titled = (content: string): Json => ({ Name: { title: [{ text: { content } }] } });
  const change = (id: string, properties: Json, inTrash?: boolean): void => {
    const page = tasks.pages.get(id);
    if (page !== undefined) world.update(tasks, page, properties, inTrash);
  };
  return {
    ...server,
    tasks,
    projects,
    notes,
    outside: {
      create: async () => world.create(tasks, titled("Entered by hand")).id,
      update: async (id) => change(id, titled(`Changed by hand ${randomBytes(4).toString("hex")}`)),
      remove: async (id) => change(id, {}, true),
    },
    addSource: (database, title) => void world.databases.push(anotherSource(database, title)),
    rateLimitNext(waitMs) {
      const message = "You have been rate limited. Please try again in a few minutes.";
      const headers = { "retry-after": String(Math.ceil(waitMs / 1000)) };
      server.refuseNext({ status: 429, headers, body: errorBody(429, "rate_limited", message) });
    },
  };
}

class NotionApi {
  readonly #world: NotionWorld;
  readonly #lists: Lists;

  constructor(world: NotionWorld, batch: number) {
    this.#world = world;
    this.#lists = new Lists(world, batch);
  }

  answer(call: Call): Reply {
    const token = bearerOf(call);
    if (token !== NOTION_TOKEN && token !== NOTION_READ_TOKEN)
      return refuse(401, "unauthorized", "API token is invalid.");
    const version = call.headers["notion-version"];
    if (version === undefined) {
      const message =
        "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.";
      return refuse(400, "missing_version", message);
    }
    if (version !== OLD && version !== NEW)
      return shouldBe("Notion-Version header", `\`"${OLD}"\` or \`"${NEW}"\``, version);
    const [root, v1, ...path] = call.path.split("/").map(decodeURIComponent);
    const isWrite = path[0] === "pages" && call.method !== "GET";
    if (root !== "" || v1 !== "v1") return noSuchUrl();
    if ((isWrite || call.method === "DELETE") && token === NOTION_READ_TOKEN)
      return refuse(403, "restricted_resource", "Insufficient permissions for this endpoint.");
    return { status: 200, body: this.#route(call, path, version === NEW) };
  }

  #route(call: Call, path: string[], isNew: boolean): Json {
    const [area = "", id, part, partId, more] = path;
    const what = `${call.method} ${area}${id === undefined ? "" : "/id"}${part === undefined ? "" : `/${part}`}`;
    if (more !== undefined || (partId !== undefined && part !== "properties")) return noSuchUrl();
    switch (what) {
      case "GET users":
        return { object: "list", results: [BOT, PERSON], next_cursor: null, has_more: false, type: "user", user: {} };
      case "GET users/id": {
        const found = [BOT, PERSON].find((one) => one["id"] === id);
        if (id === "me") return BOT;
        return found ?? absent("user", uuidAt("path.user_id", id));
      }
      case "POST search":
        return this.#lists.search(bodyOf(call), isNew);
      case "GET databases/id":
        return this.#world.shownDatabase(this.#database(id, isNew), isNew ? "new" : "old");
      case "POST databases/id/query":
        return isNew ? noSuchUrl() : this.#lists.query(this.#database(id, isNew), call, bodyOf(call), isNew);
      case "GET data_sources/id":
        return isNew ? this.#world.shownDatabase(this.#source(id), "source") : noSuchUrl();
      case "POST data_sources/id/query":
        return isNew ? this.#lists.query(this.#source(id), call, bodyOf(call), isNew) : noSuchUrl();
      case "POST pages":
        return this.#create(bodyOf(call), isNew);
      case "GET pages/id": {
        const { page, database } = this.#page(id);
        return this.#world.shownPage(database, page, isNew, onlyProperties(call, database));
      }
      case "PATCH pages/id":
        return this.#update(id, bodyOf(call), isNew);
      case "GET pages/id/properties":
        return partId === undefined ? noSuchUrl() : this.#property(id, partId);
      case "DELETE blocks/id": {
        const { page, database } = this.#page(id);
        this.#world.update(database, page, {}, true);
        return { object: "block", id: page.id, type: "child_page", archived: true, in_trash: true };
      }
      default:
        return noSuchUrl();
    }
  }

  /** `hasChoice`: the call means the database itself, however many sources it has. */
  #database(id: unknown, hasChoice: boolean, place = "path.database_id"): Database {
    const wanted = uuidAt(place, id);
    const [found, second] = this.#world.databases.filter((one) => one.id === wanted && one.isShared);
    if (second !== undefined && !hasChoice)
      return invalid("Databases with multiple data sources are not supported in this API version.");
    return found ?? absent("database", wanted);
  }

  #source(id: unknown, place = "path.data_source_id"): Database {
    const wanted = uuidAt(place, id);
    const found = this.#world.databases.find((one) => one.sourceId === wanted && one.isShared);
    return found ?? absent("data source", wanted);
  }

  #page(id: unknown): { page: Page; database: Database } {
    const wanted = uuidAt("path.page_id", id);
    return this.#world.pageWith(wanted) ?? absent("page", wanted);
  }

  #create(body: Json, isNew: boolean): Json {
    onlyKnown("body", body, ["parent", "properties", "icon", "cover", "children"]);
    const { parent, properties } = body;
    if (!isObject(parent)) return shouldBe("body.parent", "defined", parent);
    if (!isObject(properties)) return shouldBe("body.properties", "defined", properties);
    onlyKnown("body.parent", parent, isNew ? ["type", "database_id", "data_source_id"] : ["type", "database_id"]);
    const database =
      parent["data_source_id"] === undefined
        ? this.#database(parent["database_id"], false, "body.parent.database_id")
        : this.#source(parent["data_source_id"], "body.parent.data_source_id");
    return this.#world.shownPage(database, this.#world.create(database, properties), isNew);
  }

  #update(id: unknown, body: Json, isNew: boolean): Json {
    onlyKnown("body", body, ["properties", "archived", "in_trash", "icon", "cover", "is_locked"]);
    const { properties = {}, archived, in_trash } = body;
    if (!isObject(properties)) return shouldBe("body.properties", "an object or `undefined`", properties);
    for (const [name, flag] of Object.entries({ archived, in_trash }))
      if (flag !== undefined && typeof flag !== "boolean") shouldBe(`body.${name}`, "a boolean or `undefined`", flag);
    const { page, database } = this.#page(id);
    const flag = in_trash ?? archived;
    this.#world.update(database, page, properties, typeof flag === "boolean" ? flag : undefined);
    return this.#world.shownPage(database, page, isNew);
  }

  #property(pageId: unknown, propertyId: string): Json {
    const { page, database } = this.#page(pageId);
    const property = propertyNamed(database, propertyId) ?? invalid(`${propertyId} is not a property that exists.`);
    const { id, type } = property;
    const value = this.#world.valueOf(page, property);
    const item = { object: "property_item", id, type };
    if (!["title", "rich_text", "relation", "people"].includes(type) || !Array.isArray(value))
      return { ...item, [type]: value };
    const results = value.map((one: unknown) => ({ ...item, [type]: one }));
    const property_item = { id, type, next_url: null, [type]: {} };
    return { object: "list", results, next_cursor: null, has_more: false, type: "property_item", property_item };
  }
}

const PERSON: Json = {
  object: "user",
  id: PERSON_ID,
  name: "Ada",
  avatar_url: null,
  type: "person",
  person: { email: "ada@example.com" },
};
const BOT: Json = {
  object: "user",
  id: BOT_ID,
  name: "Accord",
  avatar_url: null,
  type: "bot",
  bot: { owner: { type: "workspace", workspace: true }, workspace_name: "Acme" },
};

const noSuchUrl = (): never => refuse(400, "invalid_request_url", "Invalid request URL.");

function bodyOf(call: Call): Json {
  if (call.text.length > MOST_BYTES) return invalid("body failed validation: body should be smaller than 500KB.");
  if (call.text === "") return {};
  const isJson = /^application\/json\b/i.test(call.headers["content-type"] ?? "");
  const body = isJson ? call.json() : {};
  if (body === undefined) return refuse(400, "invalid_json", "Error parsing JSON body.");
  return isObject(body) ? body : shouldBe("body", "an object", body);
}
