/** Connecting systems in the browser: a folder of files, an API by description, wrong credentials, id and watermark, deletion. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let opened: OpenProduct;
let admin: Visitor;
let crm: { server: Server; url: string };

/** An API such as people have: a key, a list in an envelope. */
async function startApi(): Promise<typeof crm> {
  const server = createServer((request, response) => {
    const isKnown = request.headers["x-api-key"] === "the-right-key";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    const items = [1, 2, 3].map((id) => ({ id, name: `Ticket ${id}`, changed_at: "2026-03-04T05:06:07Z" }));
    response.end(JSON.stringify(isKnown ? { data: { items } } : { message: "This key is unknown" }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  crm = await startApi();
  opened = await openProduct({ demo: true, allow: [new URL(crm.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await new Promise((done) => crm?.server.close(done));
});

test("/synapses leads to the connections: those of the demo, and the library", async () => {
  const { page } = admin;
  await admin.open("/synapses");
  await page.waitForURL("**/synapses/connections");
  for (const name of ["Billing", "Harbor CRM", "Flights"])
    await page.getByRole("link", { name, exact: true }).waitFor();
  for (const kind of ["PostgreSQL", "MySQL / MariaDB", "JSON API", "Files"])
    await page.getByRole("heading", { name: kind }).waitFor();
  await admin.isSound();
  await page.getByLabel("Find a synapse").or(page.getByPlaceholder("Find a synapse")).fill("bill");
  await page.getByRole("link", { name: "Flights", exact: true }).waitFor({ state: "detached" });
  await expect.poll(() => page.url()).toContain("q=bill");
});

test("a folder of files is connected, activated with progress, and its records are looked at", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new");
  await page.getByRole("radio", { name: /^Files/ }).check();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("My flights");
  await page.getByRole("combobox", { name: "Where the files are" }).click();
  await page.getByRole("option", { name: "In a folder on the server" }).click();
  await page.getByLabel("Folder").fill("flights-demo");
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/The connection works/).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByText("My flights is active").waitFor();
  await page.getByRole("button", { name: "Open synapse" }).click();
  await page.getByRole("row").filter({ hasText: "airports" }).click();
  const panel = page.getByRole("complementary", { name: "Airports" });
  await panel.getByRole("button", { name: "Show sample records" }).click();
  await panel.getByRole("cell", { name: "Thigpen" }).waitFor();
  await admin.isSound();
  await panel.getByLabel("Id", { exact: true }).click();
  await page.getByRole("option", { name: /\(name\)/ }).click();
  await page.getByText("The choice is saved.").waitFor();
  expect(page.url()).toContain("entity=airports");
});

test("wrong credentials are refused in the system's own words; with the right ones an API is described from its answer", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new?type=http&step=connection");
  await page.getByLabel("Name", { exact: false }).first().fill("Help desk");
  await page.getByLabel("Base address").fill(crm.url);
  await page.getByLabel("Path to test the connection").fill("/tickets");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel(/^API key( \*)?$/).fill("a-wrong-key");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page
    .getByRole("alert")
    .getByText(/This key is unknown/)
    .waitFor();
  await page
    .getByRole("alert")
    .getByText(/Enter the credentials again/)
    .waitFor();
  await admin.isSound();
  await page.getByLabel(/^API key( \*)?$/).fill("the-right-key");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/The connection works/).waitFor();
  await page.getByRole("button", { name: "Create", exact: true }).click();

  await page.getByRole("heading", { name: "Describe an entity" }).waitFor();
  await page.getByLabel("Name", { exact: false }).first().fill("Tickets");
  await page.getByLabel("Path", { exact: false }).first().fill("/tickets");
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText("3 records").waitFor();
  await page.getByRole("button", { name: "Use proposed fields" }).click();
  await expect.poll(() => page.getByLabel("Id id").isChecked()).toBe(true);
  await expect.poll(() => page.getByLabel("Watermark changed_at").isChecked()).toBe(true);
  await admin.isSound();
  await page.getByRole("button", { name: "Save entity" }).click();
  await page.getByRole("heading", { name: "Help desk" }).waitFor();
  await page.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("row").filter({ hasText: "tickets" }).waitFor();
});

test("a description says where the API's times are shown, what it leaves out, and that its pages vary in size", async () => {
  const { page } = admin;
  await page.goto(`${page.url().split("?")[0]}/http-entity?name=tickets`);
  const zone = page.getByRole("combobox", { name: "Time zone of times without a zone" });
  const leavesOut = page.getByLabel("Fields that are left out are empty");
  const shortPage = page.getByLabel("A page with fewer records than the one before is the last");
  await zone.waitFor();
  await expect.poll(() => zone.inputValue()).toMatch(/^UTC/);
  expect(await leavesOut.isChecked()).toBe(false);
  expect(await shortPage.count(), "a list without pages has no last one").toBe(0);
  await zone.fill("Vienna");
  await page.getByRole("option", { name: /Europe\/Vienna/ }).click();
  await leavesOut.check();
  await page.getByRole("combobox", { name: "Pages" }).click();
  await page.getByRole("option", { name: "Page number" }).click();
  await expect.poll(() => shortPage.isChecked()).toBe(true);
  await shortPage.uncheck();
  await admin.isSound();
  await page.getByRole("button", { name: "Save entity" }).click();
  await page.getByRole("heading", { name: "Help desk" }).waitFor();

  await page.goto(`${page.url().split("?")[0]}/http-entity?name=tickets`);
  await zone.waitFor();
  await expect.poll(() => zone.inputValue()).toContain("Europe/Vienna");
  expect(await leavesOut.isChecked()).toBe(true);
  expect(await shortPage.isChecked()).toBe(false);
});

test("a stored secret is never shown, and another host needs it again", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections");
  await page.getByRole("link", { name: "Help desk" }).click();
  await page.getByRole("tab", { name: "Connection" }).click();
  const address = page.getByLabel("Base address");
  await address.waitFor();
  expect(await page.content()).not.toContain("the-right-key");
  await address.fill("http://127.0.0.1:1");
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("alert")
    .getByText(/were entered for/)
    .waitFor();
  await admin.isSound();
});

test("a synapse is taken out of use and deleted; deleted ones are gone from the list", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections");
  await page.getByRole("link", { name: "Help desk" }).click();
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: "Deactivate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("Inactive", { exact: true }).waitFor();
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: "Delete synapse" }).click();
  await admin.isSound();
  await page.getByRole("dialog").getByRole("button", { name: "Delete synapse" }).click();
  await page.waitForURL("**/synapses/connections");
  await page.getByRole("link", { name: "Billing", exact: true }).waitFor();
  // The list as it was may be shown while it is read again.
  await page.getByRole("link", { name: "Help desk" }).waitFor({ state: "detached" });
});

test("one that a published pipeline uses can't be deleted, and says by which", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections");
  await page.getByRole("button", { name: "More actions: Billing" }).click();
  await page.getByRole("menuitem", { name: "Delete synapse" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete synapse" }).click();
  await page
    .getByRole("alert")
    .getByText(/Used by: Account/)
    .waitFor();
  await admin.isSound();
});
