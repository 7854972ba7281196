/** The issues of the simulated GitHub: how they are kept, what requests may set, and how answers show them. */
import { isObject } from "../kit.ts";
import type { Reply } from "../server.ts";

export const GITHUB_OWNER = "northwind";
export const GITHUB_REPO = "field-service";
export const GITHUB_LOGINS = ["octocat", "mona-lisa", "hubot"] as const;
export const GITHUB_MILESTONES = [
  { number: 1, title: "1.0" },
  { number: 2, title: "2.0" },
] as const;

export interface GithubIssue {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: string;
  state_reason: string | null;
  labels: string[];
  assignees: string[];
  milestone: number | null;
  comments: number;
  isPullRequest: boolean;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

export interface GithubWorld {
  records: Map<string, GithubIssue>;
  deleted: Set<string>;
  labels: string[];
  lastNumber: number;
}

const REPO_PATH = `/repos/${GITHUB_OWNER}/${GITHUB_REPO}`;
const DOCS = "https://docs.github.com/rest";
const HOUR = 3_600_000;

/** Times are in whole seconds. */
export const githubNow = (time = Date.now()): string => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

const isString = (value: unknown): value is string => typeof value === "string";
export function failure(status: number, message: string, more: Record<string, unknown> = {}): Reply {
  return { status, body: { message, ...more, documentation_url: `${DOCS}/issues/issues`, status: String(status) } };
}

export function invalid(field: string, value: unknown, code = "invalid", message?: string): Reply {
  const error = { ...(value === undefined ? {} : { value }), resource: "Issue", field, code };
  return failure(422, "Validation Failed", { errors: [message === undefined ? error : { ...error, message }] });
}

const schemaFailure = (field: string, value: unknown, wanted: string): Reply =>
  failure(422, `Invalid request.\n\nFor 'properties/${field}', ${JSON.stringify(value)} is not ${wanted}.`);

/** What a request sets; attributes that the API does not know are passed over. Or the refusal. */
export function readIssue(world: GithubWorld, body: unknown): { changes: Partial<GithubIssue> } | Reply {
  if (body === undefined) return failure(400, "Problems parsing JSON");
  if (!isObject(body)) return failure(400, "Body should be a JSON object");
  const changes: Partial<GithubIssue> = {};
  const { title, body: text, state, state_reason: reason, labels, assignees, milestone } = body;
  if (title !== undefined && title !== null) {
    if (!isString(title) && typeof title !== "number") return schemaFailure("title", title, "a string");
    changes.title = String(title).trim();
    if (changes.title === "") return invalid("title", undefined, "missing_field");
    if (changes.title.length > 256) return tooLong("title", 256);
  }
  if (text !== undefined) {
    if (!isString(text) && text !== null) return schemaFailure("body", text, "a string");
    if (isString(text) && text.length > 65_536) return tooLong("body", 65_536);
    changes.body = text;
  }
  if (state !== undefined) {
    if (!isString(state) || !["open", "closed"].includes(state)) return invalid("state", state);
    changes.state = state;
  }
  if (reason !== undefined && reason !== null) {
    const reasons = ["completed", "not_planned", "duplicate", "reopened"];
    if (!isString(reason) || !reasons.includes(reason)) return invalid("state_reason", reason);
    changes.state_reason = reason;
  }
  if (labels !== undefined) {
    const names = labelNames(labels);
    if (names === null) return schemaFailure("labels", labels, "an array");
    changes.labels = unique(names).map((name) => knownLabel(world, name));
  }
  if (assignees !== undefined && assignees !== null) {
    if (!Array.isArray(assignees) || !assignees.every(isString))
      return schemaFailure("assignees", assignees, "an array");
    const logins = GITHUB_LOGINS.filter((login) => assignees.some((asked) => asked.toLowerCase() === login));
    changes.assignees = logins.slice(0, 10);
  }
  if (milestone !== undefined) {
    const found = GITHUB_MILESTONES.find(({ number }) => String(number) === String(milestone));
    if (milestone !== null && !found) return invalid("milestone", milestone);
    changes.milestone = found?.number ?? null;
  }
  return { changes };
}

const tooLong = (field: string, maximum: number): Reply =>
  invalid(field, undefined, "custom", `${field} is too long (maximum is ${maximum} characters)`);

/** Labels may come as names or as objects with a name. */
function labelNames(labels: unknown): string[] | null {
  if (!Array.isArray(labels)) return null;
  const names = labels.map((label: unknown) => (isObject(label) ? label["name"] : label));
  return names.every(isString) ? names : null;
}

function unique(names: readonly string[]): string[] {
  return names.filter((name, at) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === at);
}

/** Names differ by more than capitals; a name that the repository does not have becomes a label of it. */
function knownLabel(world: GithubWorld, name: string): string {
  const found = world.labels.find((known) => known.toLowerCase() === name.toLowerCase());
  if (found === undefined) world.labels.push(name);
  return found ?? name;
}

export function addIssue(world: GithubWorld, given: Partial<GithubIssue> & { title: string }): GithubIssue {
  const number = ++world.lastNumber;
  const time = githubNow();
  const made: GithubIssue = {
    id: 2_600_000_000 + number,
    number,
    body: null,
    state: "open",
    state_reason: null,
    labels: [],
    assignees: [],
    milestone: null,
    comments: 0,
    isPullRequest: false,
    created_at: time,
    updated_at: time,
    closed_at: null,
    ...given,
  };
  world.records.set(String(number), made);
  return made;
}

/** The `at`th of `count` issues or pull requests that were there before; each third one is closed. */
export function seedIssue(world: GithubWorld, at: number, count: number, isPullRequest: boolean): void {
  const created = Date.now() - (count - at + 48) * HOUR;
  const isClosed = at % 3 === 0;
  const updated = githubNow(created + (at % 7) * 60_000);
  addIssue(world, {
    title: isPullRequest ? `Pull request after issue ${at}` : `Issue ${at}`,
    body: at % 5 === 0 ? null : `What happens in case ${at}.`,
    state: isClosed ? "closed" : "open",
    state_reason: isClosed && !isPullRequest ? "completed" : null,
    labels: at % 2 === 0 ? ["bug"] : [],
    assignees: at % 4 === 1 ? ["octocat"] : [],
    milestone: at % 6 === 0 ? 1 : null,
    comments: at % 3,
    isPullRequest,
    created_at: githubNow(created),
    updated_at: updated,
    closed_at: isClosed ? updated : null,
  });
}

export function shownIssue(issue: GithubIssue, base: string) {
  const { isPullRequest, labels, assignees, milestone, ...plain } = issue;
  const repo = `${base}${REPO_PATH}`;
  const url = `${repo}/issues/${issue.number}`;
  const page = `https://github.com/${GITHUB_OWNER}/${GITHUB_REPO}`;
  const [pull, htmlUrl] = [
    `${repo}/pulls/${issue.number}`,
    `${page}/${isPullRequest ? "pull" : "issues"}/${issue.number}`,
  ];
  const people = assignees.map((login) => shownUser(login, base));
  const due = GITHUB_MILESTONES.find(({ number }) => number === milestone);
  return {
    url,
    repository_url: repo,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: htmlUrl,
    node_id: `I_kwDO${issue.id}`,
    ...plain,
    user: shownUser(GITHUB_LOGINS[0], base),
    labels: labels.map((name, at) => ({
      id: 208_045_900 + at,
      node_id: `LA_${name}`,
      url: `${repo}/labels/${encodeURIComponent(name)}`,
      name,
      color: "ededed",
      default: name === "bug",
      description: null,
    })),
    assignee: people[0] ?? null,
    assignees: people,
    milestone: due
      ? { url: `${repo}/milestones/${due.number}`, id: 1_002_600 + due.number, ...due, state: "open", due_on: null }
      : null,
    locked: false,
    active_lock_reason: null,
    author_association: "OWNER",
    ...(isPullRequest
      ? { draft: false, pull_request: { url: pull, html_url: htmlUrl, diff_url: `${htmlUrl}.diff`, merged_at: null } }
      : {}),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
  };
}

/** One issue by itself, or as it is after a change: also who closed it. */
export function shownAlone(issue: GithubIssue, base: string) {
  return { ...shownIssue(issue, base), closed_by: issue.closed_at ? shownUser(GITHUB_LOGINS[0], base) : null };
}

export function shownUser(login: string, base: string) {
  const id = 583_231 + GITHUB_LOGINS.findIndex((known) => known === login);
  const html_url = `https://github.com/${login}`;
  return { login, id, node_id: `U_${id}`, url: `${base}/users/${login}`, html_url, type: "User", site_admin: false };
}

export function shownRepository(world: GithubWorld, base: string, id: number, mayWrite: boolean) {
  const name = `${GITHUB_OWNER}/${GITHUB_REPO}`;
  return {
    id,
    node_id: `R_${id}`,
    name: GITHUB_REPO,
    full_name: name,
    private: true,
    owner: { ...shownUser(GITHUB_OWNER, base), type: "Organization" },
    html_url: `https://github.com/${name}`,
    description: "What our technicians use on site",
    url: `${base}${REPO_PATH}`,
    issues_url: `${base}${REPO_PATH}/issues{/number}`,
    has_issues: true,
    archived: false,
    disabled: false,
    visibility: "private",
    default_branch: "main",
    // Pull requests count too.
    open_issues_count: [...world.records.values()].filter(({ state }) => state === "open").length,
    permissions: { admin: false, maintain: false, push: mayWrite, triage: mayWrite, pull: true },
    created_at: "2024-01-26T19:01:12Z",
    updated_at: "2025-01-26T19:14:43Z",
  };
}
