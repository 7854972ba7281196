/** What goes wrong around the product, as its users meet it: each says what to do, and nothing they did is lost. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { API_PREFIX, CSRF } from "@accord/contracts";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgresServer, type PostgresServer } from "../packages/connectors/test-systems/postgres-server.ts";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "../packages/connectors/test-systems/self-signed.ts";
import { ADMIN, freePort } from "./kit/admin.ts";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let database: PostgresServer;
/** Speaks TLS with a certificate that nobody trusts. */
let untrusted: TlsServer;
/** Takes connections and never says a word. */
let silent: Server;
/** Nobody listens there. */
let nobody: number;
let browser: Browser;
let user: Visitor;
let page: Page;

/** Long enough for a cycle, or for a restart of the database, on a slow machine. */
const SOON = 90_000;
const GUEST = "mira@partner.example";

const portOf = (server: Server | TlsServer): number => (server.address() as AddressInfo).port;
const listening = (server: Server | TlsServer): Promise<void> =>
  new Promise((done) => server.listen(0, "127.0.0.1", done));

beforeAll(async () => {
  database = await startPostgresServer();
  untrusted = createTlsServer({ cert: SELF_SIGNED_CERTIFICATE, key: SELF_SIGNED_KEY }, (_, reply) => reply.end("[]"));
  silent = createServer((socket) => socket.on("error", () => socket.destroy()));
  await listening(untrusted);
  await listening(silent);
  nobody = await freePort();
  const ports = [database.port, portOf(untrusted), portOf(silent), nobody];
  product = await startProduct({ demo: true, quiet: true, allow: ports.map((port) => `127.0.0.1:${port}`) });
  browser = await openBrowser();
  user = await newVisitor(browser, product.url);
  page = user.page;
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  untrusted?.close();
  silent?.close();
  await database?.stop();
});

const textbox = (name: string): Locator => page.getByRole("textbox", { name });
const node = (within: Page, name: string): Locator => within.getByRole("group", { name, exact: true });

async function read<Reply>(path: string): Promise<Reply> {
  return (await page.request.get(`${product.url}${API_PREFIX}${path}`)).json();
}

/** A writing call as the page makes it. */
const write = (method: string, path: string, body: object): Promise<number> =>
  page.evaluate(
    async ({ url, how, meta, header, json }) => {
      const token = document.querySelector(`meta[name="${meta}"]`)?.getAttribute("content") ?? "";
      const headers = { "content-type": "application/json", [header]: token };
      return (await fetch(url, { method: how, headers, body: json })).status;
    },
    {
      url: `${API_PREFIX}${path}`,
      how: method,
      meta: CSRF.meta,
      header: CSRF.header,
      json: JSON.stringify(body),
    },
  );

test("wrong credentials at sign-in: the address stays, the password can be typed anew", async () => {
  await user.open("/login");
  await user.signIn(ADMIN.email, "not-the-password-1");
  await page.getByRole("alert").getByText("The e-mail address or the password is wrong.").waitFor();
  expect(await page.getByLabel("E-mail address").inputValue()).toBe(ADMIN.email);
  await user.isSound();
  await user.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
});

interface Trial {
  name: string;
  port: number;
  password?: string;
  encryption?: string;
  says: RegExp;
  advises: RegExp;
}

test("a database that refuses, is not there, stays silent or can't be trusted: each is told with what to do", async () => {
  const trials: Trial[] = [
    {
      name: "Refusing",
      port: database.port,
      password: "nobody's password",
      encryption: "Encrypted, any certificate",
      says: /refused user name and password/,
      advises: /Enter user name and password again/,
    },
    { name: "Absent", port: nobody, says: /Nothing answers at 127\.0\.0\.1/, advises: /Check host and port/ },
    { name: "Silent", port: portOf(silent), says: /did not answer in time/, advises: /Check host and port/ },
    {
      name: "Untrusted",
      port: database.port,
      says: /its certificate is self-signed/,
      advises: /Install a valid certificate there/,
    },
  ];
  for (const { name, port, password = database.password, encryption, says, advises } of trials) {
    await user.open("/synapses/connections/new?type=postgres&step=connection");
    await textbox("Name").fill(name);
    await textbox("Host").fill("127.0.0.1");
    await textbox("Port").fill(String(port));
    await textbox("Database").fill("postgres");
    if (encryption) {
      await page.getByRole("combobox", { name: "Encryption" }).click();
      await page.getByRole("option", { name: encryption, exact: true }).click();
    }
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("textbox", { name: /^User/ }).fill(database.user);
    await page.getByLabel("Password", { exact: false }).first().fill(password);
    await page.getByRole("button", { name: "Test connection" }).click();
    const told = page.getByRole("alert").filter({ hasText: "The connection does not work" });
    await told.getByText(says).waitFor({ timeout: SOON });
    await told.getByText(advises).waitFor();
    await user.isSound();
    await page.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => textbox("Name").inputValue()).toBe(name);
    expect(await textbox("Port").inputValue()).toBe(String(port));
  }
});

test("an API whose certificate nobody trusts is not spoken to, and says so", async () => {
  await user.open("/synapses/connections/new?type=http&step=connection");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Untrusted API");
  await page.getByLabel("Base address").fill(`https://127.0.0.1:${portOf(untrusted)}/api`);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("API key *", { exact: true }).fill("a-key");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page
    .getByRole("alert")
    .getByText(/its certificate is self-signed/)
    .waitFor({ timeout: SOON });
  await user.isSound();
});

test("odd files: an empty one, one without a header, one with ragged lines and one with an id twice", async () => {
  const folder = join(await user.filesFolder(), "odd");
  mkdirSync(folder, { recursive: true });
  const files: Record<string, readonly string[]> = {
    "empty.csv": ["id,name"],
    "headless.csv": ["1,Ada,12", "2,Bob,13", "3,Eve,14"],
    "ragged.csv": ["id,name,amount", "1,One,5", "2,Two", "3,Three,7,8"],
    "twice.csv": ["id,name", "1,One", "2,Two", "1,Again"],
  };
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  await user.open("/synapses/connections/new?type=files&step=connection");
  await textbox("Name").fill("Odd files");
  await user.page.getByRole("combobox", { name: "Where the files are" }).click();
  await user.page.getByRole("option", { name: "In a folder on the server" }).click();
  await textbox("Folder").fill("odd");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByText("Odd files is active").waitFor({ timeout: SOON });
  await page.getByRole("button", { name: "Open synapse" }).click();
  const sample = async (name: string): Promise<Locator> => {
    await page.getByRole("row").filter({ hasText: name }).click();
    const panel = page.getByRole("complementary", { name, exact: true });
    await panel.getByRole("button", { name: "Show sample records" }).click();
    return panel;
  };

  await (await sample("Empty")).getByText("This entity is empty.").waitFor();
  await (await sample("Headless")).getByRole("cell", { name: "headless.csv:2" }).waitFor();
  const ragged = await sample("Ragged");
  await ragged.getByText(/ragged\.csv, line 3/).waitFor();
  await ragged.getByText("The line can't be used: it has 2 values where 3 are expected.").waitFor();
  await ragged.getByRole("cell", { name: "One" }).waitFor();
  await user.isSound();
  const twice = await sample("Twice");
  await twice.getByRole("cell", { name: "Again" }).waitFor();
  expect(await twice.getByLabel("Id", { exact: true }).inputValue()).not.toContain("(id)");
});

test("two people edit one draft: the second is told, and chooses whose work stays", async () => {
  const { entities } = await read<{ entities: { id: string; apiName: string }[] }>("/entities?version=published");
  const id = entities.find(({ apiName }) => apiName === "Account")?.id ?? "";
  await user.open(`/sync-studio/entity/${id}/pipeline/published`);
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);
  const other = await newVisitor(browser, product.url);
  await other.open("/");
  await other.signIn();
  await other.page.getByRole("heading", { name: /Hello/ }).waitFor();
  await other.open(`/sync-studio/entity/${id}/pipeline/draft`);
  const place = async (by: Page, name: string): Promise<void> => {
    await node(by, "Has a name").click();
    await by
      .getByRole("complementary", { name: "Palette" })
      .getByRole("button", { name: `Add ${name}`, exact: true })
      .click();
    await by.getByRole("complementary", { name: `Configure ${name}` }).waitFor();
    await node(by, name).waitFor();
  };
  const saved = (by: Page): Promise<void> =>
    by
      .getByRole("status")
      .filter({ hasText: /^Saved$/ })
      .waitFor();
  await place(page, "Set value");
  await saved(page);
  await place(other.page, "Clear value");
  const dialog = other.page.getByRole("dialog", { name: "Someone else saved this draft" });
  await dialog.getByText(/Your changes are still here/).waitFor();
  await dialog.getByRole("list", { name: "Your changes" }).getByText("Clear value", { exact: true }).waitFor();
  await dialog
    .getByRole("list", { name: /^Changes of/ })
    .getByText("Set value", { exact: true })
    .waitFor();
  await other.isSound();
  await dialog.getByRole("button", { name: "Decide later" }).click();
  await node(other.page, "Clear value").waitFor();
  await other.page.getByText("Not saved: Someone else saved this draft").waitFor();
  await other.page.getByRole("button", { name: "Choose", exact: true }).click();
  await dialog.getByRole("button", { name: "Replace it with mine" }).click();
  await saved(other.page);

  await page.reload();
  await node(page, "Clear value").waitFor();
  expect(await node(page, "Set value").count()).toBe(0);
  await other.context.close();
});

test("the database dies while everything runs: what somebody typed stays, is saved once it is back, and syncing goes on", async () => {
  const { entities } = await read<{ entities: { id: string; apiName: string }[] }>("/entities?version=published");
  const id = entities.find(({ apiName }) => apiName === "Account")?.id ?? "";
  const records = () =>
    read<{ records: { accordId: string }[] }>(`/entities/${id}/records?count=1`).then((reply) => reply.records);
  await expect.poll(async () => (await records()).length, { timeout: SOON }).toBe(1);
  const [record] = await records();
  await user.open(`/data-studio/entity/${id}/record/${record?.accordId}/fields`);
  await page.getByRole("button", { name: "Edit Phone" }).click({ force: true });
  await textbox("Phone").fill("+43 1 5550303");
  product.killDatabase();
  const savedAfterTrying = async (): Promise<boolean> => {
    // The very element: it may go at any moment, and none is waited for.
    const [field] = await textbox("Phone").elementHandles();
    if (!field) return true;
    expect(await field.inputValue()).toBe("+43 1 5550303");
    if (await field.isEnabled()) await field.press("Enter");
    return false;
  };
  await expect.poll(savedAfterTrying, { timeout: SOON, interval: 500 }).toBe(true);
  await page.getByText("+43 1 5550303", { exact: true }).waitFor();
  const health = () => page.request.get(`${product.url}${API_PREFIX}/health`).then((reply) => reply.status());
  await expect.poll(health, { timeout: SOON }).toBe(200);

  await page.getByRole("tab", { name: "Explain" }).click();
  const agreed = async (): Promise<number> => {
    const again = page.getByRole("button", { name: "Look again" });
    if (await again.isEnabled()) await again.click();
    return page.getByText("In agreement").count();
  };
  await expect.poll(agreed, { timeout: SOON, interval: 1000 }).toBeGreaterThan(0);
});

test("a share that has expired says so to the guest, and whom to ask", async () => {
  const { dashboards } = await read<{ dashboards: { id: string }[] }>("/dashboards");
  const id = dashboards[0]?.id ?? "";
  await user.open(`/insights-studio/${id}`);
  await page.getByRole("button", { name: "Share with" }).click();
  await page.getByRole("combobox", { name: "E-mail addresses" }).fill(GUEST);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Share dashboard" }).click();
  const password = (await page.locator("main code").first().innerText()).trim();
  const mailedLink = async (): Promise<string | undefined> => {
    const { mails } = await read<{ mails: { id: string; to: string }[] }>("/mails");
    const mail = JSON.stringify(await read(`/mails/${mails.find(({ to }) => to === GUEST)?.id}`));
    return /\/insightssharing\/[^\s"\\<]+/.exec(mail)?.[0];
  };
  await expect.poll(mailedLink).toBeDefined();
  const link = (await mailedLink()) ?? "";

  const guest = await newVisitor(browser, product.url);
  await guest.open(link);
  await guest.page.getByLabel("Password", { exact: true }).fill(password);
  await guest.page.getByRole("button", { name: /Open/ }).click();
  await guest.page.getByRole("region").first().waitFor();
  const { shares } = await read<{ shares: { sharedItemId: string }[] }>(`/dashboards/${id}/shares`);
  const expiryDate = new Date(Date.now() + 10_000).toISOString();
  expect(await write("PUT", `/dashboards/${id}/shares/${shares[0]?.sharedItemId}/expiry`, { expiryDate })).toBe(200);
  const isOver = async (): Promise<boolean> => {
    await guest.page.reload();
    await guest.page.locator("h1").first().waitFor();
    return /no longer shared/.test(await guest.page.locator("h1").first().innerText());
  };
  await expect.poll(isOver, { timeout: SOON, interval: 1000 }).toBe(true);
  await guest.isSound();
  await guest.context.close();
});
