/** The simulated GitHub answers as its public reference says. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { GITHUB_OWNER, GITHUB_READ_TOKEN, GITHUB_REPO, GITHUB_TOKEN, type Github, startGithub } from "./github.ts";

let github: Github;
beforeAll(async () => void (github = await startGithub(40)));
afterAll(() => github.stop());

const repo = `/repos/${GITHUB_OWNER}/${GITHUB_REPO}`;
const headers = { accept: "application/vnd.github+json", "user-agent": "accord", "x-github-api-version": "2022-11-28" };

async function ask(path: string, method = "GET", body?: unknown, token = GITHUB_TOKEN) {
  const response = await fetch(path.startsWith("http") ? path : github.url + path, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return {
    status: response.status,
    link: response.headers.get("link") ?? "",
    headers: response.headers,
    body: await response.json(),
  };
}

test("lists open and closed issues with pull requests among them, page by page", async () => {
  const first = await ask(`${repo}/issues?state=all&per_page=20&sort=created&direction=asc`);
  expect(first.body).toHaveLength(20);
  expect(first.link).toMatch(/page=2>; rel="next", <.*page=3>; rel="last"$/);
  const numbers = [...first.body];
  for (let next = first.link; next !== "";) {
    const url = /<([^>]+)>; rel="next"/.exec(next)?.[1];
    if (!url) break;
    const page = await ask(url);
    numbers.push(...page.body);
    next = page.link;
  }
  expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect(numbers.filter((issue) => "pull_request" in issue)).toHaveLength(10);
  expect(first.headers.get("x-ratelimit-limit")).toBe("5000");
});

test("gives open issues only, newest first, thirty at a time, when nothing is asked for", async () => {
  const { body } = await ask(`${repo}/issues`);
  expect(body).toHaveLength(30);
  expect(body.every(({ state }: { state: string }) => state === "open")).toBe(true);
  expect(body[0].number).toBeGreaterThan(body[1].number);
  expect((await ask(`${repo}/issues?state=all&per_page=1000`)).body).toHaveLength(50);
  expect((await ask(`${repo}/issues?state=any`)).status).toBe(422);
});

test("creates with names and numbers, answers with objects, and finds it as updated since", async () => {
  const made = await ask(`${repo}/issues`, "POST", {
    title: "Found a bug",
    body: "I'm having a problem with this.",
    labels: ["Bug", "new-one"],
    assignees: ["octocat", "nobody-here"],
    milestone: 1,
  });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    state: "open",
    milestone: { number: 1, title: "1.0" },
    assignee: { login: "octocat" },
  });
  expect(made.body.labels.map(({ name }: { name: string }) => name)).toEqual(["bug", "new-one"]);
  expect(made.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const since = await ask(`${repo}/issues?state=all&since=${made.body.updated_at}`);
  expect(since.body.map(({ number }: { number: number }) => number)).toEqual([made.body.number]);
  const closed = await ask(`${repo}/issues/${made.body.number}`, "PATCH", { state: "closed", milestone: null });
  expect(closed).toMatchObject({ status: 200, body: { state: "closed", state_reason: "completed", milestone: null } });
  await github.outside.remove(String(made.body.number));
  expect((await ask(`${repo}/issues/${made.body.number}`)).status).toBe(410);
});

test("refuses in its own forms", async () => {
  expect(await ask(repo, "GET", undefined, "wrong")).toMatchObject({
    status: 401,
    body: { message: "Bad credentials", status: "401" },
  });
  expect((await ask(`${repo}/issues`, "POST", { title: "No" }, GITHUB_READ_TOKEN)).status).toBe(403);
  expect(await ask(`${repo}/issues/9999`)).toMatchObject({ status: 404, body: { message: "Not Found" } });
  expect(await ask(`${repo}/issues`, "POST", { title: "A", milestone: 99 })).toMatchObject({
    status: 422,
    body: {
      message: "Validation Failed",
      errors: [{ value: 99, resource: "Issue", field: "milestone", code: "invalid" }],
    },
  });
  expect((await ask(`${repo}/issues`, "POST", { body: "No title" })).body.message).toContain(`"title" wasn't supplied`);
  const bare = await fetch(github.url + repo, {
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, "user-agent": "" },
  });
  expect(bare.status).toBe(403);
  expect(await bare.text()).toContain("User-Agent header");
});
