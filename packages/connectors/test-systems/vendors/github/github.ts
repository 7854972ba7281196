/** A simulated GitHub REST API (version 2022-11-28): one private repository and its issues, pull requests among them. */
import { randomUUID } from "node:crypto";
import {
  addIssue,
  failure,
  GITHUB_OWNER,
  GITHUB_REPO,
  type GithubIssue,
  githubNow,
  type GithubWorld,
  invalid,
  readIssue,
  seedIssue,
  shownAlone,
  shownIssue,
  shownRepository,
} from "./issues.ts";
import { type Call, type Reply, startVendor, type VendorServer } from "../server.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { GITHUB_SIGN_IN } from "../sign-in/rules.ts";

export { GITHUB_LOGINS, GITHUB_MILESTONES, GITHUB_OWNER, GITHUB_REPO, type GithubIssue } from "./issues.ts";
/** May read and write issues. */
export const GITHUB_TOKEN = "github_pat_11NORTHWIND0_readwrite";
/** May read issues only: writing is answered with 403. */
export const GITHUB_READ_TOKEN = "github_pat_11NORTHWIND0_readonly";
/** For `refuseNext`: what is answered when the hour's requests are used up. */
export const GITHUB_RATE_LIMITED: Reply = {
  status: 403,
  headers: { "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "0", "x-ratelimit-resource": "core" },
  body: {
    message: "API rate limit exceeded for user ID 583231.",
    documentation_url: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api",
    status: "403",
  },
};

export interface Github extends VendorServer {
  /** By number, pull requests included. */
  records: Map<string, GithubIssue>;
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  outside: { create(): Promise<string>; update(id: string): Promise<void>; remove(id: string): Promise<void> };
}

interface World extends GithubWorld {
  used: number;
  resetAt: number;
}

const REPO_PATH = `/repos/${GITHUB_OWNER}/${GITHUB_REPO}`;
/** Links to further pages name the repository by its id. */
const REPO_ID = 1_296_269;
const BASE_HEADERS = { "x-github-media-type": "github.v3; format=json", "x-github-api-version-selected": "2022-11-28" };

/** `seeded` issues that are not pull requests; after each fourth one comes a pull request with a number of its own. */
export async function startGithub(seeded: number): Promise<Github> {
  const world: World = {
    records: new Map(),
    deleted: new Set(),
    labels: ["bug", "documentation", "enhancement"],
    lastNumber: 0,
    used: 0,
    resetAt: Math.floor(Date.now() / 1000) + 3600,
  };
  for (let at = 1; at <= seeded; at++) {
    seedIssue(world, at, seeded, false);
    if (at % 4 === 0) seedIssue(world, at, seeded, true);
  }
  const signIns = signInDesk(GITHUB_SIGN_IN);
  const server = await startVendor(signIns.inFrontOf((call) => answer(world, call, server.secureUrl), GITHUB_TOKEN));
  const { records, deleted } = world;
  return {
    ...server,
    signIns,
    records,
    outside: {
      async create() {
        return String(addIssue(world, { title: "Created on the web site" }).number);
      },
      async update(id) {
        const found = records.get(id);
        if (found) records.set(id, { ...found, title: `${found.title} (edited)`, updated_at: githubNow() });
      },
      async remove(id) {
        if (records.delete(id)) deleted.add(id);
      },
    },
  };
}

function answer(world: World, call: Call, secureUrl: string): Reply {
  if (!call.headers["user-agent"]) {
    const text =
      "\r\nRequest forbidden by administrative rules. Please make sure your request has a User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required). Check https://developer.github.com for other possible causes.\r\n";
    return { status: 403, headers: { "content-type": "text/html; charset=utf-8" }, body: text };
  }
  world.used += 1;
  const reply = withToken(world, call, secureUrl);
  return {
    ...reply,
    headers: {
      ...BASE_HEADERS,
      "x-github-request-id": randomUUID().slice(0, 18).toUpperCase(),
      "x-ratelimit-limit": "5000",
      "x-ratelimit-remaining": String(Math.max(0, 5000 - world.used)),
      "x-ratelimit-used": String(world.used),
      "x-ratelimit-reset": String(world.resetAt),
      "x-ratelimit-resource": "core",
      ...reply.headers,
    },
  };
}

/** The person that a token is of. */
const OCTOCAT = { login: "octocat", id: 583_231, node_id: "MDQ6VXNlcjU4MzIzMQ==", type: "User", site_admin: false };

function withToken(world: World, call: Call, secureUrl: string): Reply {
  const version = call.headers["x-github-api-version"] ?? "2022-11-28";
  if (version !== "2022-11-28") return failure(400, `"${version}" is not a supported version.`);
  const { authorization } = call.headers;
  const token = /^(?:bearer|token) (\S+)$/i.exec(authorization ?? "")?.[1];
  const isKnown = token === GITHUB_TOKEN || token === GITHUB_READ_TOKEN;
  if (authorization !== undefined && !isKnown) return failure(401, "Bad credentials");
  // Without a right to a private repository, it looks as if there were none.
  if (!isKnown) return failure(404, "Not Found");
  if (call.path === "/user" && call.method === "GET") return { status: 200, body: OCTOCAT };
  const path = call.path.replace(new RegExp(`^(${REPO_PATH}|/repositories/${REPO_ID})(?=/|$)`, "i"), "");
  if (path === call.path) return failure(404, "Not Found");
  const host = call.headers["host"] ?? "";
  const base = secureUrl === `https://${host}` ? secureUrl : `http://${host}`;
  const mayWrite = token === GITHUB_TOKEN;
  if (path === "" && call.method === "GET")
    return { status: 200, body: shownRepository(world, base, REPO_ID, mayWrite) };
  const [, list, number, more] = path.split("/");
  if (list !== "issues" || more !== undefined || number === "") return failure(404, "Not Found");
  if (number === undefined && call.method === "GET") return listed(world, call, base);
  if (number !== undefined && call.method === "GET") {
    const found = world.records.get(number);
    return found ? { status: 200, body: shownAlone(found, base) } : missing(world, number);
  }
  const isCreate = number === undefined && call.method === "POST";
  const isUpdate = number !== undefined && (call.method === "PATCH" || call.method === "POST");
  if (!isCreate && !isUpdate) return failure(404, "Not Found");
  if (!mayWrite) return failure(403, "Resource not accessible by personal access token");
  const found = number === undefined ? undefined : world.records.get(number);
  if (number !== undefined && !found) return missing(world, number);
  return written(world, call, found, base);
}

function missing({ deleted }: World, number: string): Reply {
  return deleted.has(number) ? failure(410, "This issue was deleted") : failure(404, "Not Found");
}

const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  state: ["open", "closed", "all"],
  sort: ["created", "updated", "comments"],
  direction: ["asc", "desc"],
};

function listed(world: World, { query }: Call, base: string): Reply {
  for (const [field, values] of Object.entries(ONE_OF)) {
    const value = query.get(field);
    if (value !== null && !values.includes(value)) return invalid(field, value);
  }
  const since = query.get("since") === null ? -Infinity : Date.parse(query.get("since") ?? "");
  if (Number.isNaN(since)) return invalid("since", query.get("since"));
  const [milestone, assignee] = [query.get("milestone"), query.get("assignee")?.toLowerCase()];
  if (milestone !== null && !/^(\*|none|\d+)$/.test(milestone)) return invalid("milestone", milestone);
  const state = query.get("state") ?? "open";
  const labels = (query.get("labels") ?? "").toLowerCase().split(",").filter(Boolean);
  const matching = [...world.records.values()].filter(
    (issue) =>
      (state === "all" || issue.state === state) &&
      Date.parse(issue.updated_at) >= since &&
      labels.every((label) => issue.labels.some((name) => name.toLowerCase() === label)) &&
      fits(milestone, issue.milestone === null ? [] : [String(issue.milestone)]) &&
      fits(assignee ?? null, issue.assignees),
  );
  const sort = query.get("sort") ?? "created";
  const key = (issue: GithubIssue) => {
    if (sort === "comments") return issue.comments;
    return Date.parse(sort === "updated" ? issue.updated_at : issue.created_at);
  };
  const sign = query.get("direction") === "asc" ? 1 : -1;
  matching.sort((one, other) => sign * (key(one) - key(other) || one.number - other.number));
  const size = Math.min(wholeNumber(query.get("per_page"), 30), 100);
  const page = wholeNumber(query.get("page"), 1);
  const shownNow = matching.slice((page - 1) * size, page * size).map((issue) => shownIssue(issue, base));
  const link = links(query, page, Math.ceil(matching.length / size), base);
  return { status: 200, headers: link === "" ? {} : { link }, body: shownNow };
}

function fits(asked: string | null, values: readonly string[]): boolean {
  if (asked === null) return true;
  if (asked === "*") return values.length > 0;
  return asked === "none" ? values.length === 0 : values.includes(asked);
}

/** A number that makes no sense counts as none given. */
function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^\d+$/.test(text) && Number(text) > 0 ? Number(text) : otherwise;
}

/** Absent when everything is on one page. */
function links(query: URLSearchParams, page: number, last: number, base: string): string {
  const to = (target: number, rel: string) => {
    const params = new URLSearchParams(query);
    params.set("page", String(target));
    return `<${base}/repositories/${REPO_ID}/issues?${params}>; rel="${rel}"`;
  };
  const before = page > 1 && last > 0 ? [to(Math.min(page - 1, last), "prev")] : [];
  const after = page < last ? [to(page + 1, "next"), to(last, "last")] : [];
  return [...before, ...after, ...(before.length > 0 ? [to(1, "first")] : [])].join(", ");
}

function written(world: World, call: Call, found: GithubIssue | undefined, base: string): Reply {
  const asked = readIssue(world, call.json());
  if ("status" in asked) return asked;
  const { changes } = asked;
  if (!found) {
    const { title, labels, assignees, milestone, body: text } = changes;
    if (title === undefined) return failure(422, `Invalid request.\n\n"title" wasn't supplied.`);
    // A new issue is open, whatever is asked for.
    const made = addIssue(world, {
      title,
      body: text ?? null,
      labels: labels ?? [],
      assignees: assignees ?? [],
      milestone: milestone ?? null,
    });
    const answered = shownAlone(made, base);
    return { status: 201, headers: { location: answered.url }, body: answered };
  }
  const changed: GithubIssue = { ...found, ...changes };
  if (changed.state !== found.state) {
    changed.closed_at = changed.state === "closed" ? githubNow() : null;
    changed.state_reason = changed.state === "open" ? "reopened" : (changes.state_reason ?? "completed");
  } else if (changed.state === "open") changed.state_reason = found.state_reason;
  if (JSON.stringify(changed) !== JSON.stringify(found)) changed.updated_at = githubNow();
  world.records.set(String(found.number), changed);
  return { status: 200, body: shownAlone(changed, base) };
}
