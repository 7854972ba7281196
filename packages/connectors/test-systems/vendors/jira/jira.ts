/** A simulated Jira Cloud: the issues of one project, as the reference of the REST API, version 2, describes them. */
import { randomUUID } from "node:crypto";
import { basicOf, isObject } from "../kit.ts";
import { FIELDS, ISSUE_TYPES, jiraTime, PRIORITIES, USERS, valueFor } from "./fields.ts";
import { JqlError, parseJql, type Ordered } from "./jql.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";

export const JIRA_EMAIL = "mia@example.org";
export const JIRA_TOKEN = "usual-api-token";
export const JIRA_PROJECT = "ACC";

const PROJECT = { id: "10000", key: JIRA_PROJECT, name: "Accounts" };
const API = "/rest/api/2";

export interface JiraIssue extends Ordered {
  id: string;
  fields: Map<string, unknown>;
}

export interface Jira extends VendorServer {
  /** By id. */
  records: Map<string, JiraIssue>;
  outside: { create(): Promise<string>; update(id: string): Promise<void>; remove(id: string): Promise<void> };
}

export async function startJira(seeded: number): Promise<Jira> {
  const project = new Project();
  for (let number = 1; number <= seeded; number++) {
    project.add({ summary: `Issue ${number}` }, Date.UTC(2024, 0, 1, 0, number));
  }
  const server = await startVendor((call) => project.answer(call));
  return {
    ...server,
    records: project.issues,
    outside: {
      create: async () => project.add({ summary: "Entered by hand" }, Date.now()).id,
      async update(id) {
        const issue = project.issues.get(id);
        issue?.fields.set("summary", `Changed by hand ${randomUUID()}`);
        if (issue !== undefined) issue.updated = Date.now();
      },
      remove: async (id) => void project.issues.delete(id),
    },
  };
}

function errors(status: number, errorMessages: string[], byField: Record<string, string> = {}): Reply {
  return { status, body: { errorMessages, errors: byField } };
}

const NO_ISSUE = errors(404, ["Issue does not exist or you do not have permission to see it."]);
const NO_AUTHENTICATION: Reply = {
  status: 401,
  headers: { "www-authenticate": 'OAuth realm="https%3A%2F%2Faccord.example"' },
  body: { message: "Client must be authenticated to access this resource.", "status-code": 401 },
};

class Project {
  readonly issues = new Map<string, JiraIssue>();
  #last = 0;
  /** What is left of searches being read. */
  readonly #searches = new Map<string, { jql: string; ids: string[] }>();

  add(fields: Readonly<Record<string, unknown>>, now: number): JiraIssue {
    const number = ++this.#last;
    const preset = {
      issuetype: ISSUE_TYPES[0],
      priority: PRIORITIES[2],
      labels: [],
      status: { id: "1", name: "To Do" },
    };
    const issue: JiraIssue = {
      id: String(10_000 + number),
      key: `${JIRA_PROJECT}-${number}`,
      number,
      created: now,
      updated: now,
      fields: new Map(Object.entries({ ...preset, ...fields })),
    };
    this.issues.set(issue.id, issue);
    return issue;
  }

  answer(call: Call): Reply {
    const basic = basicOf(call);
    if (basic?.user !== JIRA_EMAIL || basic.password !== JIRA_TOKEN) return NO_AUTHENTICATION;
    const { method } = call;
    const path = call.path.startsWith(API) ? decodeURIComponent(call.path.slice(API.length)) : "";
    if (method === "GET") {
      const read = this.#read(path, call.query);
      if (read !== undefined) return read;
    }
    if (path === "/search/jql" && method === "POST") return this.#searchBody(call.json());
    if (path === "/issue" && method === "POST") return this.#create(call);
    const name = /^\/issue\/([^/]+)$/.exec(path)?.[1];
    return name === undefined
      ? { status: 404, body: { message: "null for uri", "status-code": 404 } }
      : this.#issue(call, name);
  }

  #read(path: string, query: URLSearchParams): Reply | undefined {
    if (path === "/search")
      return errors(410, ["The requested API has been removed. Please use the newer search API."]);
    if (path === "/search/jql") return this.#search(query);
    if (path === "/myself") return { status: 200, body: { ...USERS[0], emailAddress: JIRA_EMAIL } };
    if (path === "/field") return { status: 200, body: FIELDS.map(describe) };
    if (path === "/priority") return { status: 200, body: PRIORITIES };
    if (path === "/issuetype") return { status: 200, body: ISSUE_TYPES };
    const project = /^\/project\/([^/]+)$/.exec(path)?.[1];
    if (project === undefined) return undefined;
    if (project === "search") {
      return { status: 200, body: { startAt: 0, maxResults: 50, total: 1, isLast: true, values: [PROJECT] } };
    }
    if (project !== PROJECT.key && project !== PROJECT.id) {
      return errors(404, [`No project could be found with key '${project}'.`]);
    }
    return { status: 200, body: { ...PROJECT, issueTypes: ISSUE_TYPES, projectTypeKey: "software" } };
  }

  #searchBody(body: unknown): Reply {
    if (!isObject(body))
      return errors(400, ["Invalid request payload. Refer to the REST API documentation and try again."]);
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) query.set(name, String(value));
    return this.#search(query);
  }

  #search(query: URLSearchParams): Reply {
    const jql = query.get("jql") ?? "";
    const most = query.get("maxResults") ?? "50";
    if (!/^\d+$/.test(most)) return errors(400, ["maxResults must be a number."]);
    const size = Math.min(Math.max(1, Number(most)), 100);
    const token = query.get("nextPageToken");
    const known = token === null ? undefined : this.#searches.get(token);
    if (token !== null && known?.jql !== jql)
      return errors(400, ["The provided next page token is invalid or expired."]);
    try {
      const find = parseJql(jql, PROJECT);
      const found = known?.ids ?? find([...this.issues.values()]).map(({ number }) => String(10_000 + number));
      const page = found.slice(0, size).flatMap((id) => this.issues.get(id) ?? []);
      const fields = query.getAll("fields").flatMap((names) => names.split(","));
      const issues = page.map((issue) => this.#shown(issue, fields.length === 0 ? ["id"] : fields));
      if (found.length <= size) return { status: 200, body: { issues, isLast: true } };
      const nextPageToken = Buffer.from(randomUUID()).toString("base64");
      this.#searches.set(nextPageToken, { jql, ids: found.slice(size) });
      return { status: 200, body: { issues, nextPageToken, isLast: false } };
    } catch (error) {
      if (error instanceof JqlError) return errors(400, [error.message]);
      throw error;
    }
  }

  #shown(issue: JiraIssue, asked: readonly string[]): Record<string, unknown> {
    if (asked.every((name) => name === "id")) return { id: issue.id };
    const all = asked.includes("*all") || asked.includes("*navigable") || asked.every((name) => name.startsWith("-"));
    const fields: Record<string, unknown> = {};
    for (const { id } of FIELDS) {
      if (asked.includes(`-${id}`) || !(all || asked.includes(id))) continue;
      if (id === "created" || id === "updated") fields[id] = jiraTime(issue[id]);
      else if (id === "project") fields[id] = PROJECT;
      else fields[id] = issue.fields.get(id) ?? null;
    }
    return {
      expand: "renderedFields,names,schema",
      id: issue.id,
      self: `https://accord.example${API}/issue/${issue.id}`,
      key: issue.key,
      fields,
    };
  }

  #issue(call: Call, name: string): Reply {
    const issue = [...this.issues.values()].find(({ id, key }) => id === name || key === name.toUpperCase());
    if (issue === undefined) return NO_ISSUE;
    if (call.method === "DELETE") {
      this.issues.delete(issue.id);
      return { status: 204 };
    }
    if (call.method === "GET") {
      const fields = call.query.getAll("fields").flatMap((names) => names.split(","));
      return { status: 200, body: this.#shown(issue, fields.length === 0 ? ["*all"] : fields) };
    }
    if (call.method !== "PUT") return { status: 405 };
    const checked = check(call.json());
    if ("status" in checked) return checked;
    if (Object.keys(checked.problems).length > 0) return errors(400, [], checked.problems);
    for (const [id, value] of checked.values) issue.fields.set(id, value);
    issue.updated = Date.now();
    return { status: 204 };
  }

  #create(call: Call): Reply {
    const body = call.json();
    const checked = check(body, true);
    if ("status" in checked) return checked;
    const { problems, values } = checked;
    if (!values.has("summary")) problems["summary"] ??= "You must specify a summary of the issue.";
    if (!values.has("issuetype")) problems["issuetype"] ??= "Specify an issue type";
    if (Object.keys(problems).length > 0) return errors(400, [], problems);
    const { id, key } = this.add(Object.fromEntries(values), Date.now());
    return { status: 201, body: { id, key, self: `https://accord.example${API}/issue/${id}` } };
  }
}

function describe({ id, name, schema }: (typeof FIELDS)[number]): Record<string, unknown> {
  const custom = id.startsWith("customfield_");
  const clauseNames = custom ? [`cf[${id.slice(12)}]`, name] : [id];
  return { id, key: id, name, custom, orderable: true, navigable: true, searchable: true, clauseNames, schema };
}

/** On creation the project is given too; later nobody can set it. */
function check(
  body: unknown,
  creates = false,
): Reply | { values: Map<string, unknown>; problems: Record<string, string> } {
  const fields = isObject(body) ? body["fields"] : undefined;
  if (!isObject(fields))
    return errors(400, ["Invalid request payload. Refer to the REST API documentation and try again."]);
  const values = new Map<string, unknown>();
  const problems: Record<string, string> = {};
  for (const [id, value] of Object.entries(fields)) {
    if (id === "project" && creates) continue;
    const field = FIELDS.find((one) => one.id === id);
    if (field?.onScreen !== true) {
      problems[id] = `Field '${id}' cannot be set. It is not on the appropriate screen, or unknown.`;
      continue;
    }
    const taken = valueFor(field, value);
    if ("error" in taken) problems[id] = taken.error;
    else values.set(id, taken.value);
  }
  const project = fields["project"];
  const isKnown = isObject(project) && (project["key"] === PROJECT.key || project["id"] === PROJECT.id);
  if (creates && !isKnown) problems["project"] = "Specify a valid project ID or key";
  return { values, problems };
}
