/** The editor on the demo's pipeline: what flows through it, addresses of nodes, and positions. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_PREFIX, CSRF } from "@accord/contracts";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let browser: Browser;
let user: Visitor;
let page: Page;
let pipeline: string;

/** The first cycle reads and compares both systems as a whole. */
const FIRST_CYCLE = 150_000;

beforeAll(async () => {
  product = await startProduct({ demo: true });
  browser = await openBrowser();
  user = await newVisitor(browser, product.url);
  page = user.page;
  await user.open("/");
  await user.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  const listed = await page.request.get(`${product.url}${API_PREFIX}/pipelines?pageSize=100`);
  const { rows } = (await listed.json()) as { rows: { id: string; name: string }[] };
  pipeline = rows.find(({ name }) => name === "Account")?.id ?? "";
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const node = (name: string): Locator => page.getByRole("group", { name, exact: true });
const address = (version: "draft" | "published"): string => `/sync-studio/entity/${pipeline}/pipeline/${version}`;
const chosen = async (): Promise<Set<string | null>> => {
  const names = page.locator(".react-flow__node-pipeline.selected");
  return new Set(await names.evaluateAll((all) => all.map((element) => element.getAttribute("aria-label"))));
};
async function send(method: "POST" | "PUT", path: string, data: unknown): Promise<number> {
  const cookies = await user.context.cookies();
  const token = decodeURIComponent(cookies.find(({ name }) => name === CSRF.cookie)?.value ?? "");
  const headers = { [CSRF.header]: token };
  const url = `${product.url}${API_PREFIX}/pipelines/${pipeline}${path}`;
  return (await page.request.fetch(url, { method, data, headers })).status();
}

test("nodes and connections of the graph that runs say what the last cycle did, and a connection lists its last records", async () => {
  await user.open(address("published"));
  const passed = page.getByRole("button", {
    name: /^[\d,]+ records passed\. Connection from CRM companies to Has a name/,
  });
  await passed.waitFor({ timeout: FIRST_CYCLE });
  await node("CRM companies")
    .getByText(/^[\d,]+ read$/)
    .waitFor();
  await user.isSound();
  await passed.click();
  const panel = page.getByRole("complementary", { name: "CRM companies to Has a name" });
  await panel.getByText(/records? changed last/).waitFor();
  const first = panel.getByRole("region").first();
  await first.getByRole("columnheader", { name: "Last change" }).waitFor();
  await user.isSound();
  await panel.getByRole("button", { name: "Close" }).click();
});

test("[SYN-018] two selected nodes are selected again after a reload, Back leaves the page, and no selection leaves no trace", async () => {
  await user.open("/sync-studio/details");
  await user.open(address("published"));
  await node("Fill the website").click({ modifiers: ["Control"] });
  await node("Has a name").click({ modifiers: ["Control"] });
  await page.waitForURL(/nodeIds=[^&]+(,|%2C)/);
  await page.reload();
  await node("Has a name").waitFor();
  await expect.poll(chosen).toEqual(new Set(["Fill the website", "Has a name"]));
  await page.locator(".react-flow__pane").click({ position: { x: 300, y: 30 } });
  await expect.poll(() => page.url()).not.toContain("nodeIds");
  await page.goBack();
  await page.waitForURL(/\/sync-studio\/details/);
});

test("[SYN-019] focusNodeId opens the graph with that node in the middle, however far away it lies", async () => {
  await user.open(address("published"));
  for (const name of ["Billing customers", "Update CRM"]) {
    const id = await node(name).getAttribute("data-id");
    await user.open(`${address("published")}?focusNodeId=${id}`);
    const offCentre = async (): Promise<number> => {
      const [box, area] = [await node(name).boundingBox(), await page.locator(".ac-canvas").boundingBox()];
      if (!box || !area) return Infinity;
      const across = box.x + box.width / 2 - area.x - area.width / 2;
      const down = box.y + box.height / 2 - area.y - area.height / 2;
      return Math.max(Math.abs(across), Math.abs(down));
    };
    await expect.poll(offCentre).toBeLessThan(40);
    expect(await chosen()).toEqual(new Set([name]));
  }
});

test("[SYN-068] a position between two points is rounded down when it is saved", async () => {
  interface Draft {
    graph: { nodes: { id: string; location: { x: number; y: number } }[] };
    revision: number;
  }
  const read = async (): Promise<Draft> =>
    (await page.request.get(`${product.url}${API_PREFIX}/pipelines/${pipeline}/graph/draft`)).json();
  expect(await send("POST", "/draft", {})).toBe(200);
  const { graph, revision } = await read();
  const [first] = graph.nodes;
  const nodes = graph.nodes.map((each) => (each === first ? { ...each, location: { x: 10.7, y: 20.9 } } : each));
  expect(await send("PUT", "/draft", { graph: { ...graph, nodes }, revision })).toBe(200);
  expect((await read()).graph.nodes.find(({ id }) => id === first?.id)?.location).toEqual({ x: 10, y: 20 });
});
