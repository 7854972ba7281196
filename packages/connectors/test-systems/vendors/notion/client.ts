/** Plain calls to the simulated Notion, for its own tests. */
import { expect } from "vitest";
import { isObject, type Json } from "../kit.ts";
import { NOTION_TOKEN, type NotionServer } from "./notion.ts";

interface Options {
  token?: string;
  version?: string | null;
}

export const invalid = (message: string | RegExp) => ({
  status: 400,
  body: { object: "error", status: 400, code: "validation_error", message: expect.stringMatching(message) },
});

/** `body`: JSON, or a text as it is. A version that is null is not sent. */
export function client(serverOf: () => NotionServer) {
  async function ask(method: string, path: string, body?: unknown, options: Options = {}) {
    const { token = NOTION_TOKEN, version = "2022-06-28" } = options;
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    if (version !== null) headers["notion-version"] = version;
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await fetch(`${serverOf().url}/v1/${path}`, { method, headers, ...sent });
    const parsed: unknown = await answer.json();
    return { status: answer.status, headers: answer.headers, body: isObject(parsed) ? parsed : {} };
  }
  /** The titles of the tasks that a query finds. */
  async function titles(query: Json): Promise<string[]> {
    const { body } = await ask("POST", `databases/${serverOf().tasks.id}/query`, query);
    const results = Array.isArray(body["results"]) ? body["results"] : [body];
    return results.map((page: unknown) => {
      const properties = isObject(page) && isObject(page["properties"]) ? page["properties"] : {};
      const name = isObject(properties["Name"]) ? properties["Name"]["title"] : undefined;
      return Array.isArray(name) ? name.map((one) => String(one.plain_text)).join("") : JSON.stringify(page);
    });
  }
  const created = async (properties: Json): Promise<string> => {
    const parent = { database_id: serverOf().tasks.id };
    const { status, body } = await ask("POST", "pages", { parent, properties });
    expect([status, body]).toMatchObject([200, { object: "page", parent: { type: "database_id", ...parent } }]);
    return String(body["id"]);
  };
  return { ask, titles, created };
}
