/** Plain calls to the simulated Salesforce, for its own tests. */
import { expect } from "vitest";
import { isObject } from "../kit.ts";
import { SALESFORCE_TOKEN, type SalesforceServer } from "./salesforce.ts";

interface Options {
  body?: unknown;
  headers?: Record<string, string>;
  token?: string;
}

export const refused = (status: number, errorCode: string, more = {}) => ({
  status,
  body: [expect.objectContaining({ errorCode, ...more })],
});

/** Paths that are not absolute are those of version 65. */
export function client(serverOf: () => SalesforceServer) {
  async function ask(method: string, path: string, { body, headers = {}, token = SALESFORCE_TOKEN }: Options = {}) {
    const { url } = serverOf();
    const sent = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
    const answer = await fetch(url + (path.startsWith("/") ? path : `/services/data/v65.0/${path}`), {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed: unknown = text === "" ? null : JSON.parse(text);
    return { status: answer.status, headers: answer.headers, body: parsed };
  }
  const query = (soql: string, kind = "query") => ask("GET", `${kind}?q=${encodeURIComponent(soql)}`);
  async function names(soql: string, kind?: string): Promise<unknown[]> {
    const { body } = await query(soql, kind);
    const records = isObject(body) && Array.isArray(body["records"]) ? body["records"] : [body];
    return records.map((one: unknown) => (isObject(one) ? one["Name"] : one));
  }
  async function created(object: string, body: unknown): Promise<string> {
    const answer = await ask("POST", `sobjects/${object}`, { body });
    expect(answer).toMatchObject({ status: 201, body: { success: true, errors: [] } });
    return isObject(answer.body) ? String(answer.body["id"]) : "";
  }
  return { ask, query, names, created };
}
