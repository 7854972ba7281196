/** The demo's outside systems as they are made, started, and changed by hand. */
import { connectTo, entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { httpConnector } from "@accord/connectors";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../../test-kit/database/database.ts";
import { type Log, makeLog } from "../platform/log/log.ts";
import { makeTwoViews } from "./companies.ts";
import { ensureFlightFiles } from "./files.ts";
import { type DemoOptions, failedSystems, startDemoSystems, type DemoSystems } from "./systems.ts";

const log = makeLog({ logLevel: "silent" });
const database = `demo_billing_${process.pid}`;
let home: string;
let databases: TestDatabase;
let systems: AllSystems;
let billing: pg.Client;

const startWith = (other: Partial<DemoOptions> = {}): Promise<DemoSystems> => {
  const { hostname, port } = new URL(databases.appUrl);
  return startDemoSystems({
    config: { home },
    adminUrl: databases.appUrl,
    billingAt: { host: decodeURIComponent(hostname), port: Number(port || 5432) },
    database,
    log,
    now: new Date("2026-11-01T09:00:00Z"),
    ...other,
  });
};

type AllSystems = { [Key in keyof DemoSystems]: NonNullable<DemoSystems[Key]> };
async function start(): Promise<AllSystems> {
  const started = await startWith();
  if (!started.billing || !started.crm) throw new Error(`Not started: ${failedSystems(started).join(", ")}`);
  return { ...started, billing: started.billing, crm: started.crm };
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "accord-demo-"));
  databases = await testDatabase();
  systems = await start();
  billing = new pg.Client({ ...systems.billing });
  await billing.connect();
});
afterAll(async () => {
  await billing?.end();
  await systems?.stop();
  const admin = new pg.Client({ connectionString: databases.appUrl });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${database}`);
  await admin.query(`DROP ROLE IF EXISTS ${database}`);
  await admin.end();
  await databases.drop();
  rmSync(home, { recursive: true });
});

type Init = Omit<RequestInit, "headers"> & { headers?: Record<string, string> };
const page = (path: string, init: Init = {}) =>
  fetch(`${systems.crm.url}/page/${path}`, { ...init, headers: { "x-crm-page": "1", ...init.headers } });
const api = (path: string, init: Init = {}) =>
  fetch(`${systems.crm.url}/api/${path}`, { ...init, headers: { "x-api-key": systems.crm.apiKey, ...init.headers } });

describe("the files", () => {
  test("are written into the folder of the demo's instance", async () => {
    await ensureFlightFiles(join(home, "files/own"), join(home, "files"));
    expect(readFileSync(join(home, "files/own/flights-demo/flights.csv"), "utf8").split("\n").length).toBeGreaterThan(
      20_000,
    );
  });

  test("are moved there from where they lay before, as people left them", async () => {
    mkdirSync(join(home, "before/flights-demo"), { recursive: true });
    writeFileSync(join(home, "before/flights-demo/flights.csv"), "flight_id\nF1\n");
    await ensureFlightFiles(join(home, "before/own"), join(home, "before"));
    expect(readFileSync(join(home, "before/own/flights-demo/flights.csv"), "utf8")).toBe("flight_id\nF1\n");
    expect(existsSync(join(home, "before/flights-demo"))).toBe(false);
  });
});

describe("a system that can't be started", () => {
  const logged = (): { log: Log; errors: unknown[] } => {
    const errors: unknown[] = [];
    return { log: { ...log, error: (facts: unknown) => void errors.push(facts) } as Log, errors };
  };

  test("is named, and the other runs: Billing without its database", async () => {
    const { log: own, errors } = logged();
    const alone = await startWith({
      config: { home: join(home, "no-billing") },
      adminUrl: "postgresql://nobody:nothing@127.0.0.1:1/postgres",
      log: own,
    });
    try {
      expect(failedSystems(alone)).toEqual(["Billing"]);
      expect(errors).toEqual([expect.objectContaining({ system: "Billing", err: expect.any(Error) })]);
      expect((await fetch(alone.crm?.url ?? "")).status).toBe(200);
    } finally {
      await alone.stop();
    }
  });

  test("is named, and the other runs: the CRM without a journal that can be written", async () => {
    const other = join(home, "no-crm");
    mkdirSync(join(other, "demo/crm.jsonl.part"), { recursive: true });
    const { log: own, errors } = logged();
    const kept = JSON.stringify({ billingPassword: systems.billing.password, crmKey: "key", crmPort: 0 });
    writeFileSync(join(other, "demo/systems.json"), kept);
    const alone = await startWith({ config: { home: other }, log: own });
    expect(failedSystems(alone)).toEqual(["Harbor CRM"]);
    expect(errors).toEqual([expect.objectContaining({ system: "Harbor CRM", err: expect.any(Error) })]);
    expect(alone.billing?.database).toBe(database);
    await alone.stop();
  });

  test("leaves no process: the CRM whose port could not be kept", async () => {
    const other = join(home, "no-port");
    mkdirSync(join(other, "demo/systems.json.new"), { recursive: true });
    const kept = { billingPassword: systems.billing.password, crmKey: "key", crmPort: 0 };
    writeFileSync(join(other, "demo/systems.json"), JSON.stringify(kept));
    const alone = await startWith({ config: { home: other }, log: logged().log });
    expect(failedSystems(alone)).toEqual(["Harbor CRM"]);
    const running = execFileSync("ps", ["-eo", "args"], { encoding: "utf8", maxBuffer: 50_000_000 });
    expect(running).toContain(join(home, "demo/crm.jsonl"));
    expect(running).not.toContain(join(other, "demo/crm.jsonl"));
  });
});

describe("Billing", () => {
  test("holds at least 20,000 customers and 100,000 invoices that look real", async () => {
    const { rows } =
      await billing.query(`SELECT (SELECT count(*)::int FROM customers) customers, (SELECT count(*)::int FROM invoices) invoices,
      (SELECT count(DISTINCT city)::int FROM customers) cities, (SELECT count(*)::int FROM customers WHERE domain IS NULL) without_domain,
      (SELECT count(*)::int FROM invoices WHERE status = 'overdue') overdue, (SELECT max(issued_on)::text <= '2026-11-01' FROM invoices) in_the_past,
      (SELECT count(*)::int FROM invoices WHERE paid_on < issued_on) paid_before_issued`);
    expect(rows[0].customers).toBeGreaterThanOrEqual(20_000);
    expect(rows[0].invoices).toBeGreaterThanOrEqual(100_000);
    expect(rows[0].cities).toBeGreaterThan(20);
    expect(rows[0].without_domain).toBeGreaterThan(100);
    expect(rows[0].overdue).toBeGreaterThan(100);
    expect(rows[0]).toMatchObject({ in_the_past: true, paid_before_issued: 0 });
  });

  test("takes a new customer with only a name, and moves updated_at with every change", async () => {
    const made = await billing.query(
      "INSERT INTO customers (name) VALUES ('Fresh') RETURNING id, customer_number, updated_at",
    );
    expect(made.rows[0].customer_number).toMatch(/^C-1\d{5}$/);
    const changed = await billing.query("UPDATE customers SET city = 'Kiel' WHERE id = $1 RETURNING updated_at", [
      made.rows[0].id,
    ]);
    expect(changed.rows[0].updated_at > made.rows[0].updated_at).toBe(true);
    await billing.query("DELETE FROM customers WHERE id = $1", [made.rows[0].id]);
  });

  test("is started as people left it, a table that they renamed or dropped included", async () => {
    const tables = async () =>
      (await billing.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).rows.map(
        ({ tablename }) => tablename,
      );
    await billing.query("ALTER TABLE customers RENAME TO customers_gone; CREATE TABLE kept AS TABLE invoices");
    await billing.query("DROP TABLE invoices");
    await systems.stop();
    systems = await start();
    expect(await tables()).toEqual(["customers_gone", "kept"]);
    expect((await api("companies?limit=1")).status).toBe(200);
    await billing.query("ALTER TABLE customers_gone RENAME TO customers; ALTER TABLE kept RENAME TO invoices");
  });

  test("belongs to a role that sees nothing of the server's own databases", async () => {
    const { rows } = await billing.query(
      "SELECT rolsuper, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user",
    );
    expect(rows[0]).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false });
  });
});

describe("the CRM", () => {
  test("holds some 18,000 companies, most of which Billing knows too, each with its own gaps", () => {
    const views = makeTwoViews();
    const vatNumbers = new Set(views.billing.map((company) => company.number));
    const both = views.crm.filter((company) => vatNumbers.has(company.number));
    expect(views.crm.length).toBeGreaterThan(17_500);
    expect(both.length).toBeGreaterThan(15_000);
    expect(views.crm.length - both.length).toBeGreaterThan(1000);
    const domains = views.billing.flatMap((company) => company.domain ?? []);
    expect(new Set(domains).size).toBe(domains.length);
    const byNumber = new Map(views.billing.map((company) => [company.number, company]));
    expect(both.filter((company) => byNumber.get(company.number)?.name !== company.name).length).toBeGreaterThan(1500);
    expect(both.filter((company) => company.domain === null).length).toBeGreaterThan(1000);
  });

  test("lists in pages by what changed, remembers what is deleted, and creates once for one key", async () => {
    const first = await (await api("companies?size=3")).json();
    expect(first.companies).toHaveLength(3);
    const next = await (await api(`companies?size=3&cursor=${encodeURIComponent(first.paging.next)}`)).json();
    expect(next.companies[0].updated_at >= first.companies[2].updated_at).toBe(true);
    const create = () =>
      api("companies", {
        method: "POST",
        headers: { "idempotency-key": "once" },
        body: JSON.stringify({ name: "Once Ltd" }),
      });
    const [a, b] = [await (await create()).json(), await (await create()).json()];
    expect(a.id).toBe(b.id);
    expect((await api(`companies/${a.id}`, { method: "DELETE" })).status).toBe(204);
    const changed = await (await api(`companies?updated_after=${a.updated_at}`)).json();
    expect(changed.companies).toEqual([expect.objectContaining({ id: a.id, deleted: true })]);
    expect((await api(`companies/${a.id}`)).status).toBe(404);
  });

  test("asks for the key, refuses nonsense with a reason, and now and then asks for fewer calls", async () => {
    expect((await fetch(`${systems.crm.url}/api/companies`)).status).toBe(401);
    const refused = await api("companies", { method: "POST", body: JSON.stringify({ name: "X", email: "nowhere" }) });
    expect([refused.status, (await refused.json()).error.message]).toEqual([422, "email is not an e-mail address."]);
    let limited: Response | undefined;
    for (let n = 0; n < 2600 && !limited; n += 1) {
      const reply = await api("companies/1");
      if (reply.status === 429) limited = reply;
    }
    expect(limited?.headers.get("retry-after")).toBe("1");
  });

  test("its page changes a company by hand; other sites' pages can't", async () => {
    expect(await (await fetch(systems.crm.url)).text()).toContain("Harbor CRM");
    const { companies } = await (await page("companies?search=solar")).json();
    const [{ id }] = companies;
    const changed = await page(`companies/${id}`, {
      method: "PATCH",
      body: JSON.stringify({ phone: "+49 30 1234567" }),
    });
    expect((await changed.json()).phone).toBe("+49 30 1234567");
    const { changes } = await (await page("changes")).json();
    expect(changes[0]).toMatchObject({
      id,
      by: "A person in the CRM",
      details: [expect.stringContaining("+49 30 1234567")],
    });
    expect((await page("companies", { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await fetch(`${systems.crm.url}/page/companies`)).status).toBe(403);
  });

  test("starts again by itself at the same place with everything it was told, and again with the server", async () => {
    const made = await (await api("companies", { method: "POST", body: JSON.stringify({ name: "Kept GmbH" }) })).json();
    const { url } = systems.crm;
    await systems.stop();
    systems = await start();
    expect(systems.crm.url).toBe(url);
    expect((await (await api(`companies/${made.id}`)).json()).name).toBe("Kept GmbH");
  });

  test("can be read completely through the JSON API connector", async () => {
    const connection = connectTo(httpConnector, {
      config: {
        baseUrl: `${systems.crm.url}/api`,
        entities: [
          {
            apiName: "companies",
            displayName: "Company",
            idField: "id",
            fields: [
              { apiName: "id", displayName: "ID" },
              { apiName: "name", displayName: "Name" },
            ],
            list: {
              path: "/companies",
              recordSelector: "companies",
              paging: { kind: "cursor", cursorSelector: "paging.next", sizeParam: "size", size: 1000 },
            },
          },
        ],
      },
      credentials: { apiKey: systems.crm.apiKey },
    });
    const entity = await entityNamed(connection, "companies");
    const pass = await readToEnd(connection, { entity, cursor: null, pageSize: 1000 });
    expect(new Set(pass.records.map((record) => record.id)).size).toBe(pass.records.length);
    expect(pass.records.length).toBeGreaterThan(17_500);
  });
});
