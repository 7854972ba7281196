/** The simulated Jira answers as the reference of the platform's REST API shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { JIRA_EMAIL, JIRA_TOKEN, startJira, type Jira } from "./jira.ts";

let jira: Jira;
beforeAll(async () => void (jira = await startJira(130)));
afterAll(() => jira.stop());

async function ask(method: string, path: string, body?: unknown, token = JIRA_TOKEN): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${JIRA_EMAIL}:${token}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json" };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(`${jira.url}/rest/api/2${path}`, init);
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}

const search = (jql: string): string =>
  `/search/jql?fields=summary,updated&maxResults=500&jql=${encodeURIComponent(jql)}`;

test("searches pages in the order asked for, and refuses what has no bounds", async () => {
  expect(await ask("GET", search("project = ACC ORDER BY key"))).toMatchObject({
    status: 200,
    body: { isLast: false, nextPageToken: expect.any(String), issues: expect.objectContaining({ length: 100 }) },
  });
  const last = Date.UTC(2024, 0, 1, 2, 10);
  expect(await ask("GET", search(`project = ACC AND updated >= ${last} ORDER BY updated ASC`))).toMatchObject({
    body: { isLast: true, issues: [{ key: "ACC-130", fields: { updated: "2024-01-01T02:10:00.000+0000" } }] },
  });
  expect(await ask("GET", search('project = ACC AND updated >= "2024-01-01 02:10"'))).toMatchObject({
    body: { issues: [{ key: "ACC-130" }] },
  });
  expect(await ask("GET", search("ORDER BY key"))).toMatchObject({ status: 400 });
  expect(await ask("GET", search("project = NONE"))).toMatchObject({ status: 400 });
  expect(await ask("GET", "/project/ACC", undefined, "wrong")).toMatchObject({ status: 401 });
});

test("creates, changes and deletes an issue, and names fields that can't be set", async () => {
  const fields = { project: { key: "ACC" }, issuetype: { name: "Bug" }, summary: "New", customfield_10002: 2.5 };
  expect(await ask("POST", "/issue", { fields })).toMatchObject({ status: 201, body: { id: "10131", key: "ACC-131" } });
  expect(await ask("PUT", "/issue/acc-131", { fields: { labels: ["b", "a"] } })).toEqual({ status: 204, body: null });
  expect(await ask("GET", "/issue/10131")).toMatchObject({
    body: { fields: { labels: ["a", "b"], customfield_10002: 2.5 } },
  });
  expect(
    await ask("PUT", "/issue/ACC-131", { fields: { status: { name: "Done" }, priority: { name: "None" } } }),
  ).toMatchObject({
    status: 400,
    body: {
      errorMessages: [],
      errors: { status: expect.stringContaining("cannot be set"), priority: expect.any(String) },
    },
  });
  expect(await ask("DELETE", "/issue/ACC-131")).toEqual({ status: 204, body: null });
  expect(await ask("GET", "/issue/ACC-131")).toMatchObject({ status: 404 });
  expect(await ask("GET", "/field")).toMatchObject({
    body: expect.arrayContaining([expect.objectContaining({ id: "customfield_10001" })]),
  });
});
