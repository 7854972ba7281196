/**
 * The pipeline editor in Chromium: time of the page's main thread for pressing a node, one step of dragging it, letting
 * it go, and from a click to the open panel, with 300 nodes and 600 edges and with 1,000 and 2,000 (or `--nodes=N`).
 * Beside each stands what may pass unnoticed: 50 ms. And how long it takes until the graph is there, beside 2 s.
 */
import { API_PREFIX, CSRF } from "@accord/contracts";
import type { CDPSession, Page } from "playwright-core";
import { newVisitor, openBrowser, type Visitor } from "../../e2e/kit/visitor.ts";
import { benchProduct } from "./parts/bench-product.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const UNNOTICED_MS = 50;
/** An editor that opens later is waited for. */
const OPEN_MS = 2000;
/** The panel with its form, which comes in a task of its own. */
const FORM = ".ac-configure:not(:has(.mantine-Skeleton-root))";
const CARD = ".react-flow__node-pipeline";
const ROUNDS = 5;
const STEPS = 20;
const COLUMN = 250;
const ROW = 120;
const ROWS = 20;

export const measure: Measure = async (words, say) => {
  const given = words.find((word) => word.startsWith("--nodes="))?.slice("--nodes=".length);
  const sizes = given ? [Number(given)] : [300, 1000];
  const product = await benchProduct(say);
  const browser = await openBrowser();
  try {
    const user = await newVisitor(browser, product.url);
    await user.open("/");
    await user.signIn();
    await user.page.getByRole("heading", { name: /Hello/ }).waitFor();
    const measured: Measurement[] = [];
    for (const nodes of sizes) {
      say(`  ${nodes} nodes, ${2 * nodes} edges`);
      await openGraph(user, product.url, nodes);
      measured.push(await measureOpening(user.page, nodes));
      measured.push(...(await measureGraph(user.page, nodes)));
    }
    return measured;
  } finally {
    await browser.close();
    await product.stop();
  }
};

/** Saves a graph of that many nodes as a draft and opens it. */
async function openGraph(user: Visitor, url: string, count: number): Promise<void> {
  const { page, context } = user;
  const api = `${url}${API_PREFIX}`;
  const { rows } = (await (await page.request.get(`${api}/pipelines?pageSize=100`)).json()) as {
    rows: { id: string; pipelineStatus: string }[];
  };
  const id = rows.find(({ pipelineStatus }) => pipelineStatus === "UNMAPPED")?.id ?? "";
  const cookie = (await context.cookies()).find(({ name }) => name === CSRF.cookie)?.value ?? "";
  const headers = { [CSRF.header]: decodeURIComponent(cookie) };
  const made = await page.request.post(`${api}/pipelines/${id}/draft`, { data: {}, headers });
  const { revision, graph } = (await made.json()) as { revision: number; graph: { nodes: object[] } };
  const saved = await page.request.put(`${api}/pipelines/${id}/draft`, {
    data: { revision, graph: { ...graph, ...graphOf(count, graph.nodes) } },
    headers,
  });
  if (!saved.ok()) throw new Error(`The graph was refused: ${await saved.text()}`);
  await user.open(`/sync-studio/entity/${id}/pipeline/draft`);
  await page.locator(CARD).first().waitFor();
}

/** How long the editor takes to show its graph, loaded anew as a whole; then it is shown at full size. */
async function measureOpening(page: Page, nodes: number): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now();
    await page.reload();
    await page.locator(CARD).first().waitFor();
    await settle(page);
    times.push(performance.now() - before);
  }
  for (let step = 0; step < 12; step++) await page.getByRole("button", { name: "Zoom in" }).click();
  return measurement(`open, ${nodes} nodes`, times, OPEN_MS);
}

/** Functions in columns, each leading to two of the next column. */
function graphOf(count: number, core: object[]) {
  const idOf = (index: number) => `node${String(index).padStart(12, "0")}`;
  const functions = Array.from({ length: count - core.length }, (_, index) => ({
    id: idOf(index),
    nodeType: "FUNCTION",
    apiName: "titleCase",
    label: `Title case ${index}`,
    location: { x: Math.floor(index / ROWS) * COLUMN, y: (index % ROWS) * ROW },
    configuration: {},
  }));
  const edges = functions.flatMap((_, index) =>
    [ROWS, ROWS + 1]
      .map((ahead) => index + ahead)
      .filter((target) => target < functions.length)
      .map((target) => ({
        id: `edge${idOf(index)}${target}`,
        source: { nodeId: idOf(index) },
        destination: { nodeId: idOf(target) },
      })),
  );
  return { nodes: [...core, ...functions], edges };
}

async function measureGraph(page: Page, nodes: number): Promise<Measurement[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const times: Record<"press" | "drag step" | "release" | "click to panel", number[]> = {
    press: [],
    "drag step": [],
    release: [],
    "click to panel": [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    const at = await cardInView(page, round);
    await page.mouse.move(at.x, at.y);
    await settle(page);
    times.press.push(
      await busyMs(cdp, page, async () => {
        await page.mouse.down();
        await page.mouse.move(at.x + 12, at.y + 12);
      }),
    );
    const dragged = await busyMs(cdp, page, async () => {
      for (let step = 1; step <= STEPS; step++) await page.mouse.move(at.x + 12 + step * 3, at.y + 12 + step * 3);
    });
    times["drag step"].push(dragged / STEPS);
    times.release.push(await busyMs(cdp, page, () => page.mouse.up()));
    const next = await cardInView(page, round + 3);
    times["click to panel"].push(
      await busyMs(cdp, page, async () => {
        await page.mouse.click(next.x, next.y);
        await page.locator(FORM).waitFor();
      }),
    );
    await page.keyboard.press("Escape");
  }
  await cdp.detach();
  return Object.entries(times).map(([name, list]) => measurement(`${name}, ${nodes} nodes`, list, UNNOTICED_MS));
}

const measurement = (name: string, times: readonly number[], limit: number): Measurement => ({
  name: `editor: ${name} (${limit} ms)`,
  ours: medianOf(times),
  limit,
  unit: "ms",
  better: "less",
  rssMb: peakRssMb(),
});

/** Middle of a card that can be seen. */
async function cardInView(page: Page, which: number): Promise<{ x: number; y: number }> {
  const points = await page.locator(CARD).evaluateAll((cards) =>
    cards.flatMap((card) => {
      const { left, top, width, height } = card.getBoundingClientRect();
      const point = { x: left + width / 2, y: top + height / 2 };
      return document.elementFromPoint(point.x, point.y)?.closest(".react-flow__node-pipeline") === card ? [point] : [];
    }),
  );
  const point = points[which % points.length];
  if (!point) throw new Error("No card can be seen");
  return point;
}

const settle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/** Time that the page's main thread worked meanwhile, up to two frames later. */
async function busyMs(cdp: CDPSession, page: Page, work: () => Promise<void>): Promise<number> {
  const read = async () =>
    (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  await settle(page);
  const before = await read();
  await work();
  await settle(page);
  return ((await read()) - before) * 1000;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
