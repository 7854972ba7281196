/** T18: texts made to break out of a page stand in everything that can be stored, and every screen stays a screen. */
import type { IdKind } from "@accord/contracts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { instanceSchema } from "../apps/server/src/platform/db/db.ts";
import { sessionCookieName } from "../apps/server/src/platform/http/request/session-cookie.ts";
import { fixtureOf } from "../apps/server/test-kit/fixtures/index.ts";
import { testApp, type TestApp } from "../apps/server/test-kit/index.ts";
import { freePort } from "./kit/admin.ts";
import { openBrowser, watched } from "./kit/visitor.ts";

/** Ends attributes, texts, scripts and comments alike; seen on a screen it is only odd to read. */
const MARK = "hostile-text";
const HOSTILE = `${MARK}"'\`><img src=x onerror=alert(1)><svg/onload=alert(2)></script><script>alert(3)</script>{{7*7}}`;
/** What people read. Anything else (names in addresses, states, ids) has a form of its own. */
const READ_BY_PEOPLE =
  /^(display_?name|first_?name|last_?name|name|description|summary|title|label|tags|help(_?text|_?summary)?|message|text|note|subject|body|file_?name|created_by|updated_by|problem|reason|user_agent|version_?name)$/i;
/** Texts that name something else, or that the database holds to a form. */
const FORMED = /^(instance\.name|dataset\.name|data_card\.name|dashboard\.name|migration\..*)$/;

const KINDS: readonly IdKind[] = [
  ...(["user", "role", "connector", "entity", "record", "savedFilter", "referenceList", "pipelineVersion"] as const),
  ...(["quarantine", "dataset", "dataCard", "dashboard", "share", "mail"] as const),
];

let t: TestApp;
let browser: Browser;
let page: Page;
let address: string;
const ids = new Map<IdKind, string>();
const faults: string[] = [];
const changed = new Set<string>();

beforeAll(async () => {
  const port = await freePort();
  address = `http://localhost:${port}`;
  t = await testApp({ realTime: true, config: { webDist: inject("webDist"), port, baseUrl: address } });
  await t.app.http.listen({ port, host: "127.0.0.1" });
  for (const kind of KINDS) ids.set(kind, await fixtureOf(kind)(t, t));
  await poison();
  const admin = await t.build.user({ roles: ["INSTANCE_ADMIN"], orgAdmin: true, superAdmin: true });
  await t.deps.appPool.query("UPDATE app_user SET first_name = $1, last_name = $1", [HOSTILE]);
  const { token } = await t.asUser(admin);
  browser = await openBrowser();
  const context = await browser.newContext({ baseURL: address });
  await context.addCookies([{ name: sessionCookieName(address), value: token, url: address }]);
  await context.exposeFunction("tellFault", (text: string) => void faults.push(text));
  await context.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    tellFault(location.href + ": " + event.violatedDirective + " " + event.blockedURI))`);
  page = watched(await context.newPage());
  page.on("dialog", (dialog) => {
    faults.push(`${page.url()} opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) faults.push(`${page.url()}: ${message.text()}`);
  });
});

afterAll(async () => {
  await browser?.close();
  await t?.close();
});

/** Writes the text over everything that people read, past every check of a form: it may stand there already. */
async function poison(): Promise<void> {
  await poisonSchema(t.deps.appPool, "public");
  await poisonSchema(t.deps.dataPool, instanceSchema(t.instanceId));
}

async function poisonSchema(pool: TestApp["deps"]["appPool"], schema: string): Promise<void> {
  const { rows } = await pool.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'jsonb')`,
    [`"${schema}"`],
  );
  for (const { table, column, type } of rows) {
    const place = `"${schema}"."${table}"`;
    if (FORMED.test(`${table}.${column}`)) continue;
    if (type === "jsonb") await poisonJson(pool, place, column);
    else if (READ_BY_PEOPLE.test(column)) {
      // Each row its own text, since many of these are unique.
      const value = type === "text" ? "$1 || ctid::text" : "ARRAY[$1 || ctid::text]";
      await attempt(pool, place, column, `UPDATE ${place} SET "${column}" = ${value}`, [HOSTILE]);
    }
  }
}

async function poisonJson(pool: TestApp["deps"]["appPool"], place: string, column: string): Promise<void> {
  const { rows } = await pool.query<{ ctid: string; value: unknown }>(
    `SELECT ctid::text AS ctid, "${column}" AS value FROM ${place} WHERE "${column}" IS NOT NULL`,
  );
  for (const { ctid, value } of rows) {
    const text = JSON.stringify(value, (key, each: unknown) =>
      typeof each === "string" && READ_BY_PEOPLE.test(key) && key !== "name" ? HOSTILE : each,
    );
    if (text !== JSON.stringify(value))
      await attempt(pool, place, column, `UPDATE ${place} SET "${column}" = $1 WHERE ctid = $2::tid`, [text, ctid]);
  }
}

async function attempt(pool: TestApp["deps"]["appPool"], place: string, column: string, sql: string, values: string[]) {
  try {
    const { rowCount } = await pool.query(sql, values);
    if (rowCount) changed.add(`${place}.${column}`);
  } catch {
    // The database holds this one to a form (a check, a state): then no hostile text can stand there.
  }
}

function screens(): string[] {
  const of = (kind: IdKind): string => ids.get(kind) ?? "";
  const entity = of("entity");
  const dashboard = `/insights-studio/${of("dashboard")}`;
  return [
    ...["/", "/synapses", "/synapses/connections", "/synapses/connections/new", "/data-studio", "/schema-studio"],
    ...["/sync-studio", "/sync-studio/details", "/insights-studio", "/profile", "/settings", "/settings/audit-log"],
    ...["/settings/outbox", "/settings/access-control", "/settings/access-control/role-based", "/user", "/instance"],
    `/synapses/connections/${of("connector")}`,
    `/schema-studio/synapse/${of("connector")}`,
    `/data-studio/entity/${entity}`,
    `/data-studio/entity/${entity}/record/${of("record")}`,
    `/data-studio/entity/${entity}/record/${of("record")}/lineage`,
    `/sync-studio/entity/${entity}/pipeline/draft`,
    `/sync-studio/entity/${entity}/pipeline/published`,
    ...[`${dashboard}/draft`, `${dashboard}/published`, `${dashboard}/published/sharing-details`],
    `${dashboard}/draft/datacard/${of("dataCard")}`,
    `${dashboard}/draft/dataset/${of("dataset")}`,
    `/insights-studio/datasets/${of("dataset")}`,
    `/login?errorMessage=${encodeURIComponent(HOSTILE)}`,
  ];
}

test("[T18] hostile texts in every stored text open no dialog and break no rule of the page, on any screen", async () => {
  const seen: string[] = [];
  for (const path of screens()) {
    await page.goto(path);
    // Between a script and what it shows, the network may be idle for long.
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    if ((await page.locator("body").textContent())?.includes(MARK)) seen.push(path);
  }
  expect(faults).toEqual([]);
  // The texts are really shown: else nothing would be proven.
  expect(changed.size).toBeGreaterThan(20);
  expect(seen.length).toBeGreaterThan(12);
});
