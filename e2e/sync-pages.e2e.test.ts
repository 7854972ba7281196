/** Pages of Sync Studio by their addresses: opened cold, led on with their query, and what stands on each. */
import { readFileSync } from "node:fs";
import { CSRF } from "@accord/contracts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invitePerson } from "./kit/people.ts";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Product } from "./kit/product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let product: Product;
let browser: Browser;
let admin: Visitor;
/** Of the demo's pipeline, and of an entity that has only a draft. */
let account: string;
let drafted: string;

const get = async <Reply>(path: string): Promise<Reply> =>
  (await (await admin.page.request.get(`${product.url}/api/v1${path}`)).json()) as Reply;

async function send<Reply>(method: "POST" | "PUT" | "DELETE", path: string, data: unknown): Promise<Reply> {
  const cookies = await admin.context.cookies();
  const token = decodeURIComponent(cookies.find(({ name }) => name === CSRF.cookie)?.value ?? "");
  const answer = await admin.page.request.fetch(`${product.url}/api/v1${path}`, {
    method,
    data,
    headers: { [CSRF.header]: token, origin: product.url },
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
  return (await answer.json()) as Reply;
}

/** Opens an address cold; it ends in this path with this query. */
async function leadsTo(address: string, end: string): Promise<void> {
  await admin.open(address);
  await expect.poll(() => admin.page.url()).toBe(new URL(end, product.url).href);
}

beforeAll(async () => {
  demo = await openDemo();
  ({ product, browser, admin } = demo);
  const { rows } = await get<{ rows: { id: string; name: string; pipelineStatus: string }[] }>("/pipelines");
  account = rows.find(({ name }) => name === "Account")?.id ?? "";
  drafted = (await send<{ entityId: string }>("POST", `/pipelines/${account}/clone`, { version: "published" }))
    .entityId;
});
afterAll(async () => {
  await demo?.close();
});

test("[SYN-002] [SYN-003] [SYN-008] the studio, its list and an entity open cold in the form of the tab, with their query", async () => {
  const { page } = admin;
  await leadsTo("/sync-studio?search=acc", "/sync-studio/details?search=acc");
  await page.getByRole("row").filter({ hasText: "Account" }).first().waitFor();
  await leadsTo("/sync-studio/entity?pageSize=10", "/sync-studio/details?pageSize=10");
  await leadsTo(`/sync-studio/entity/${account}?pageSize=10`, `/sync-studio/details/${account}?pageSize=10`);
  const row = page.getByRole("row").filter({ hasText: "Account" }).and(page.locator("[data-active]"));
  await row.waitFor();
  // The keyboard is on the row that the address names: Enter opens it.
  await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  await admin.isSound();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/sync-studio/entity/${account}/pipeline/published`);
});

test("[SYN-007] pages of an entity open under the tab's address, and a pipeline in the version there is", async () => {
  const { page } = admin;
  const published = `/sync-studio/entity/${account}/pipeline/published`;
  await leadsTo(`/sync-studio/entity/${account}/pipeline?view=list`, `${published}?view=list`);
  await leadsTo(`/sync-studio/details/${account}/pipeline/published?view=list`, `${published}?view=list`);
  await leadsTo(`/sync-studio/entity/${drafted}/pipeline`, `/sync-studio/entity/${drafted}/pipeline/draft`);
  await page.reload();
  await page.getByRole("button", { name: "Publish", exact: true }).waitFor({ timeout: 60_000 });
  await admin.isSound();
});

test("a draft that is what is published makes no difference to the demo's records", async () => {
  const { rows } = await get<{ rows: { id: string; name: string; pipelineStatus: string }[] }>("/pipelines");
  const published = rows.filter(({ pipelineStatus }) => pipelineStatus === "PUBLISHED");
  expect(published.length).toBeGreaterThan(1);
  for (const { id, name } of published) {
    await send("POST", `/pipelines/${id}/draft`, {});
    const ask = () =>
      send<{ compared: number; differing: number; records: unknown }>("POST", `/test/entityPipeline/${id}/diff`, {
        order: "spread",
      });
    await expect.poll(async () => (await ask()).compared, { timeout: 60_000 }).toBeGreaterThan(10);
    expect(await ask(), name).toMatchObject({ differing: 0, records: [] });
    await send("DELETE", `/pipelines/${id}/draft`, {});
  }
});

test("[SYN-017] a version's other names and capitals lead to its address in lower case", async () => {
  const path = (version: string) => `/sync-studio/entity/${account}/pipeline/${version}`;
  await leadsTo(`${path("approved")}?view=list`, `${path("published")}?view=list`);
  await leadsTo(path("Published"), path("published"));
  await leadsTo(`/sync-studio/entity/${drafted}/pipeline/new`, `/sync-studio/entity/${drafted}/pipeline/draft`);
});

test("[SYN-003] [SYN-151] what no address names leads to a page that says so, and on to the pipelines", async () => {
  const { page } = admin;
  const gone = "0123456789abcdef01234567";
  for (const address of [
    "/sync-studio/nothing",
    `/sync-studio/entity/${gone}`,
    "/sync-studio/details/1a1ff",
    `/sync-studio/entity/${account}/nothing`,
    `/sync-studio/entity/${account}/pipeline/seventh`,
  ]) {
    await admin.open(address);
    await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
    await admin.isSound();
    await page.getByRole("link", { name: "All pipelines" }).click();
    await page.waitForURL("**/sync-studio/details");
  }
});

test("[SYN-013] a draft is edited in its graph, what is published only looked at", async () => {
  const { page } = admin;
  await admin.open(`/sync-studio/entity/${drafted}/pipeline/draft`);
  const palette = page.getByRole("complementary", { name: "Palette" });
  await palette.waitFor();
  await page.getByRole("group", { name: "Has a name", exact: true }).click();
  const form = page.getByRole("complementary", { name: /^Configure / });
  await form.getByRole("button", { name: "Save", exact: true }).waitFor();
  await form.getByRole("button", { name: "Cancel", exact: true }).click();

  await admin.open(`/sync-studio/entity/${account}/pipeline/published`);
  const node = page.getByRole("group", { name: "Has a name", exact: true });
  const before = await node.boundingBox();
  if (!before) throw new Error("the node is not in view");
  await page.mouse.move(before.x + 40, before.y + 20);
  await page.mouse.down();
  await page.mouse.move(before.x + 140, before.y + 120, { steps: 5 });
  await page.mouse.up();
  await node.click();
  await form.getByRole("button", { name: "Close", exact: true }).first().waitFor();
  expect(await form.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
  expect(await palette.count()).toBe(0);
  const { graph } = await get<{ graph: { nodes: Node[] } }>(`/pipelines/${account}/graph/published`);
  await page.reload();
  await node.waitFor();
  expect((await get<{ graph: { nodes: Node[] } }>(`/pipelines/${account}/graph/published`)).graph).toEqual(graph);
});

test("[SYN-018] selected nodes stay in the address, over a reload, without entries of their own in the history", async () => {
  const { page } = admin;
  await admin.open("/sync-studio/details");
  await page.getByRole("row").filter({ hasText: "Account" }).first().press("Enter");
  await page.waitForURL("**/pipeline/published");
  const nodes = page.locator(".react-flow__node");
  await nodes.nth(1).click();
  await nodes.nth(2).click({ modifiers: ["Control"] });
  await page.waitForURL(/nodeIds=[^&]+(,|%2C)[^&]+/);
  const two = new URL(page.url()).searchParams.get("nodeIds");
  await page.reload();
  await expect.poll(() => page.locator(".react-flow__node.selected").count()).toBe(2);
  expect(new URL(page.url()).searchParams.get("nodeIds")).toBe(two);
  await page.locator(".react-flow__pane").click({ position: { x: 20, y: 300 } });
  await expect.poll(() => new URL(page.url()).search).not.toContain("nodeIds");
  await page.goBack();
  await page.waitForURL("**/sync-studio/details");
});

/** Publishes the draft of the demo's pipeline after a change of one node's label and settings. */
async function publishChanged(name: string, change: (node: Node) => Node): Promise<void> {
  await send("POST", `/pipelines/${account}/draft`, {});
  const { graph, revision } = await get<{ graph: { nodes: Node[] }; revision: number }>(
    `/pipelines/${account}/graph/draft`,
  );
  const saved = await send<{ revision: number }>("PUT", `/pipelines/${account}/draft`, {
    graph: { ...graph, nodes: graph.nodes.map(change) },
    revision,
  });
  await send("POST", `/pipelines/${account}/publish`, {
    versionName: name,
    revision: saved.revision,
    bringInExisting: false,
  });
}
interface Node {
  id: string;
  label: string;
  nodeType: string;
  configuration: Record<string, unknown>;
}

test("[SYN-010] [SYN-032] versions have pages: the list, one, and two compared with each setting before and after", async () => {
  const { page } = admin;
  await publishChanged("Deletes too", (node) =>
    node.nodeType === "ENTITY_SINK" ? { ...node, configuration: { ...node.configuration, delete: true } } : node,
  );
  await publishChanged("Deletes not", (node) =>
    node.nodeType === "ENTITY_SINK" ? { ...node, configuration: { ...node.configuration, delete: false } } : node,
  );
  await admin.open(`/sync-studio/entity/${account}/versions`);
  const table = page.getByRole("grid", { name: "Versions of Account" });
  await table.getByRole("row").filter({ hasText: "Deletes not" }).getByText("Runs now").waitFor();
  await admin.isSound();
  const compareTwo = page.getByRole("button", { name: "Compare", exact: true });
  expect(await compareTwo.isDisabled()).toBe(true);
  await table.getByRole("checkbox").nth(1).check();
  await table.getByRole("checkbox").nth(2).check();
  await compareTwo.click();
  await page.waitForURL(/\/versions\/[0-9a-f]{24}\/compare\/[0-9a-f]{24}/);
  const settings = page.getByRole("row").filter({ hasText: "Delete records" });
  await expect.poll(() => settings.first().innerText()).toMatch(/Yes\s+No/);
  // Nothing but the destinations' one setting differs.
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(
    Array.from({ length: await settings.count() }, () => "Delete records"),
  );
  await admin.isSound();
  await page.reload();
  await expect.poll(() => settings.first().innerText()).toMatch(/Yes\s+No/);
  await page.getByRole("button", { name: "Swap the two versions" }).click();
  await expect.poll(() => settings.first().innerText()).toMatch(/No\s+Yes/);
  await page.getByRole("link", { name: "Show in the graph" }).first().click();
  await page.waitForURL(/\/versions\/[0-9a-f]{24}\?/);
  await page.getByText("Version 2").first().waitFor();
  await admin.isSound();

  await admin.open(`/sync-studio/entity/${account}/versions`);
  await table
    .getByRole("row")
    .filter({ hasText: "Deletes too" })
    .getByRole("button", { name: /actions/i })
    .click();
  await page.getByRole("menuitem", { name: "Restore as draft" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore as draft" }).click();
  await page.waitForURL(`**/sync-studio/entity/${account}/pipeline/draft`);
  await admin.open(`/sync-studio/entity/${account}/versions`);
  await page.getByRole("button", { name: "Compare the draft with what runs" }).click();
  await page.waitForURL(/\/compare\/draft$/);
  await expect.poll(() => settings.first().innerText()).toMatch(/No\s+Yes/);
});

test("[SYN-010] versions that are not there, or of no pipeline, lead on; one that is cut off too", async () => {
  const { page } = admin;
  const gone = "0123456789abcdef01234567";
  for (const address of [
    `/sync-studio/entity/${gone}/versions`,
    `/sync-studio/entity/${account}/versions/${gone}`,
    `/sync-studio/entity/${account}/versions/1a1ff/compare/draft`,
    `/sync-studio/entity/${account}/versions/${gone}/compare/${gone}`,
  ]) {
    await admin.open(address);
    await page.getByRole("heading", { name: /doesn't exist|not found|There is no/i }).waitFor();
    await admin.isSound();
  }
  await admin.open(`/sync-studio/entity/${drafted}/versions`);
  await page.getByText("Nothing has been published yet").waitFor();
  await admin.isSound();
});

test("[SYN-015] a pipeline is documented in words, in the version of the address, and exported as Markdown", async () => {
  const { page } = admin;
  const path = `/sync-studio/entity/${account}/documentation`;
  await leadsTo(path, `${path}/published`);
  await leadsTo(`${path}/Approved`, `${path}/published`);
  const sources = page.getByRole("region", { name: "Sources" });
  await sources.getByRole("table", { name: "Field mapping of CRM companies" }).getByText("vat_number").waitFor();
  await sources.getByText("Every 3 seconds").waitFor();
  await page.getByRole("region", { name: "Core entity and merge policy" }).getByText("When systems disagree").waitFor();
  await page.getByText("Name is not blank").first().waitFor();
  await admin.isSound();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as Markdown" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("account_pipeline.md");
  expect(readFileSync(await file.path(), "utf8")).toContain("### CRM companies");
  await sources.getByRole("link", { name: "CRM companies" }).click();
  await page.waitForURL(/focusNodeId=|nodeIds=/);
  await admin.open(`${path}/seventh`);
  await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
  await admin.open(`/sync-studio/entity/${drafted}/documentation/published`);
  await page.getByText("has no published pipeline").waitFor();
  await admin.isSound();
});

test("[SYN-011] a run is listed in the pipeline's log, narrowed and paged by its address, and leads to its node and cycle", async () => {
  const { page } = admin;
  const path = `/sync-studio/entity/${account}/pipeline-logs`;
  await leadsTo(path, `${path}/published`);
  await leadsTo(`${path}/Approved?kind=cycle`, `${path}/published?kind=cycle`);
  const log = page.getByRole("grid", { name: "Log of Account" });
  await log.getByText("Resync done in").first().waitFor({ timeout: 60_000 });
  await admin.isSound();
  // A node whose logging is switched on has an entry for each cycle in which records reached it.
  await page.getByRole("button", { name: "Node logging" }).click();
  const stored = page.waitForResponse((answer) => answer.url().includes("/settings"));
  const logged = page.getByRole("switch", { name: "CRM companies" });
  await logged.click();
  await stored;
  await expect.poll(() => logged.isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Node logging (1)" }).waitFor();
  await admin.open(`${path}/published?kind=node`);
  const reached = log.getByRole("row").filter({ hasText: "reached this node" }).last();
  await reached.getByRole("button", { name: "Cycle" }).click();
  await page.getByRole("dialog", { name: "Cycle" }).getByRole("grid").getByRole("link").first().waitFor();
  await admin.isSound();
  await page.keyboard.press("Escape");
  await reached.getByRole("link", { name: "CRM companies" }).click();
  await page.waitForURL(/pipeline\/published\?(focusNodeId|nodeIds)=/);
  await admin.open(`${path}/published?text=nothing-of-the-kind`);
  await page.getByText("No entry matches").waitFor();
  await admin.isSound();
  await admin.open(`${path}/draft`);
  await page.getByText("A draft does not run").waitFor();
  await admin.isSound();
  await admin.open(`${path}/seventh`);
  await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
});

test("[SYN-134] [SYN-145] settings of a pipeline are changed on their page and survive; who may only read sees them", async () => {
  const { page } = admin;
  const address = `/sync-studio/entity/${account}/settings`;
  await admin.open(address);
  await page.getByRole("region", { name: "When sources are read" }).getByText("Every 3 seconds").waitFor();
  expect(await page.getByRole("switch", { name: "Realtime" }).isDisabled()).toBe(true);
  await admin.isSound();
  const merge = page.getByRole("region", { name: "Merge policy" });
  const save = merge.getByRole("button", { name: "Save merge policy" });
  const field = (name: string) => merge.getByRole("combobox", { name });
  const choose = async (name: string, option: string) => {
    await field(name).click();
    await page.getByRole("option", { name: option, exact: true }).click();
    await page.keyboard.press("Escape");
  };
  await choose("Fields of the winner", "Phone");
  await merge.getByRole("button", { name: "Add a pair" }).click();
  await save.click();
  await merge.getByText("Choose a field").first().waitFor();
  await choose("Controlling field", "Website");
  await choose("Dependent field", "Website");
  await save.click();
  await merge.getByText("can't depend on itself").waitFor();
  await admin.isSound();
  await choose("Dependent field", "Name");
  await save.click();
  await page.getByText("Merge policy of Account saved").waitFor();
  await page.reload();
  await merge.getByText("Phone").first().waitFor();
  await expect.poll(() => field("Controlling field").inputValue()).toBe("Website");
  await expect.poll(() => field("Dependent field").inputValue()).toBe("Name");

  await admin.open(`/sync-studio/entity/${drafted}/settings`);
  const realtime = page.getByRole("switch", { name: "Realtime" });
  const stored = page.waitForResponse((answer) => answer.url().includes("/settings"));
  await realtime.click();
  await stored;
  await page.reload();
  await expect.poll(() => realtime.isChecked()).toBe(true);
  await realtime.click();
  await expect.poll(() => realtime.isChecked()).toBe(false);

  const person = { lastName: "Viewer", password: "four-small-windows-7", email: "v@example.com", firstName: "Vera" };
  const viewer = await invitePerson({ browser, url: product.url, admin }, "Viewer", person);
  await viewer.open(address);
  await viewer.page.getByText("You may look at these settings, but not change them.").waitFor();
  expect(await viewer.page.getByRole("switch", { name: "Publish only when all tests pass" }).isDisabled()).toBe(true);
  expect(await viewer.page.getByRole("button", { name: "Save merge policy" }).count()).toBe(0);
  await viewer.isSound();
});

test("[SYN-135] metrics over time stand on a page, as charts and as a table, and each number leads to its cycles", async () => {
  const { page } = admin;
  const address = `/sync-studio/entity/${account}/metrics`;
  await admin.open(address);
  for (const name of ["Throughput", "Latency", "Refusals", "Lag"])
    await page.getByRole("region", { name }).getByRole("application").first().waitFor();
  await page.getByText("The oldest cycle that is kept").waitFor();
  await admin.isSound();
  await page.getByRole("radiogroup", { name: "View" }).getByText("Table").click();
  await page.getByRole("radiogroup", { name: "Period" }).getByText("1 hour").click();
  await page.waitForURL(/period=1h/);
  const table = page.getByRole("grid", { name: "Metrics of Account" });
  await table.getByRole("link").first().waitFor();
  await admin.isSound();
  const cycles = table.getByRole("link").first();
  const count = Number(await cycles.innerText());
  await cycles.click();
  await page.waitForURL(/pipeline-logs\/published\?.*kind=cycle/);
  const log = page.getByRole("grid", { name: "Log of Account" });
  // The newest interval goes on while it is looked at.
  await expect.poll(() => log.getByRole("row").count()).toBeGreaterThan(count);
  await admin.open(`/sync-studio/entity/${drafted}/metrics`);
  await page.getByText("No cycle in this period").waitFor();
  await admin.isSound();
});

test("who may not read pipelines reads so in place of their versions and documentation", async () => {
  const person = { lastName: "Reader", password: "four-small-windows-7", email: "l@example.com", firstName: "Lena" };
  const reader = await invitePerson({ browser, url: product.url, admin }, "Dashboard Light Viewer", person);
  const entity = `/sync-studio/entity/${account}`;
  for (const page of [
    `${entity}/versions`,
    `${entity}/documentation/published`,
    `${entity}/pipeline-logs/published`,
    `${entity}/settings`,
    `${entity}/metrics`,
    `${entity}/versions/${account}/compare/draft`,
    "/sync-studio/relationships",
    `/sync-studio/details/${account}`,
  ]) {
    await reader.open(page);
    await reader.page.getByRole("heading", { name: "You don't have access to this" }).waitFor();
    await reader.isSound();
  }
});

test("[SYN-005] [SYN-008] relationships show entities with their health, one of them focused, and are the tab that is remembered", async () => {
  const { page } = admin;
  await admin.open("/sync-studio/relationships");
  const graph = page.getByRole("region", { name: "Entities and their references" });
  await graph
    .getByRole("link", { name: /^Account/ })
    .first()
    .waitFor();
  await admin.isSound();
  // By keyboard alone.
  await graph
    .getByRole("link", { name: /^Account(?! copy)/ })
    .first()
    .press("Enter");
  await page.waitForURL(`**/sync-studio/relationships/${account}`);
  const panel = page.getByRole("complementary", { name: "Account" });
  await panel.getByRole("heading", { name: "Referred to by" }).waitFor();
  await admin.isSound();
  await page.reload();
  await panel.waitFor();
  await leadsTo("/sync-studio?view=list", "/sync-studio/relationships?view=list");
  const list = page.getByRole("grid", { name: "Relationships" });
  await list.getByRole("row").filter({ hasText: "Account" }).first().waitFor();
  await admin.isSound();
  await leadsTo(`/sync-studio/entity/${account}`, `/sync-studio/relationships/${account}`);
  await page.getByRole("navigation", { name: "Tabs of Sync studio" }).getByRole("link", { name: "Pipelines" }).click();
  await page.waitForURL(`**/sync-studio/details/${account}`);
  await page.getByRole("row").filter({ hasText: "Account" }).first().waitFor();
  await leadsTo("/sync-studio", "/sync-studio/details");
  await admin.open("/sync-studio/relationships/0123456789abcdef01234567");
  await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
  await admin.open("/sync-studio/details");
});
