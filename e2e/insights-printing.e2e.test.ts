/** A dashboard on paper: all of it, nothing to press, every row of its tables. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";

let demo: OpenProduct;
let page: Page;

beforeAll(async () => {
  demo = await openDemo();
  page = demo.admin.page;
});
afterAll(async () => {
  await demo?.close();
});

const tile = (name: string): Locator => page.getByRole("region", { name, exact: true });
const bottomOf = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => element.getBoundingClientRect().bottom);

/** Width and height of each page, in points. */
const pagesOf = (pdf: Buffer): [number, number][] =>
  [...pdf.toString("latin1").matchAll(/\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
    Number(width),
    Number(height),
  ]);

const print = (): Locator => page.getByRole("button", { name: "Print or save as PDF" });

test("printing waits until all cards have been read, and then begins once", async () => {
  await page.addInitScript("window.print = () => { window.printed = (window.printed ?? 0) + 1; };");
  await demo.admin.open("/insights-studio");
  let release = (): void => undefined;
  const held = new Promise<void>((done) => (release = done));
  await page.route("**/data*", async (route) => {
    await held;
    await route.continue();
  });
  await page
    .getByRole("link", { name: /Accounts in agreement/ })
    .first()
    .click();
  await print().click();
  const printed = (): Promise<unknown> => page.evaluate("window.printed ?? 0");
  await print().and(page.locator("[data-loading]")).waitFor();
  expect(await printed()).toBe(0);
  release();
  await expect.poll(printed).toBe(1);
  await tile("Largest cities").getByRole("row").nth(10).waitFor();
  await page.unroute("**/data*");
});

test("pages are landscape, hold the title, the time and all cards, and no frame, menu or button", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const pages = pagesOf(await page.pdf({ preferCSSPageSize: true }));
  expect(pages.length).toBeGreaterThan(1);
  for (const [width, height] of pages) expect(width).toBeGreaterThan(height);
  await page.emulateMedia({ media: "print" });
  const content = page.locator(".ac-printed");
  await content.getByText(/^Printed \w{3} \d+, \d{4}/).waitFor();
  await content.getByRole("heading", { name: "Accounts in agreement" }).waitFor();
  for (const name of ["Accounts", "New customers", "Status", "Accounts by country", "Largest cities"])
    await tile(name).waitFor();
  for (const hidden of [
    page.getByRole("navigation"),
    page.getByRole("button", { name: "More", exact: true }),
    print(),
    page.getByRole("button", { name: "Share with" }),
    page.getByRole("button", { name: /^Menu/ }),
  ])
    expect(await hidden.filter({ visible: true }).count()).toBe(0);
});

test("a table's card grows to hold all of its rows, and no card lies over another", async () => {
  const cities = tile("Largest cities");
  const rows = cities.getByRole("row");
  expect(await rows.count()).toBeGreaterThan(20);
  expect(await bottomOf(rows.last())).toBeLessThanOrEqual(await bottomOf(cities));
  const boxes = await page.locator(".ac-tile").evaluateAll((tiles) =>
    tiles.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  const meet = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom,
      ),
  );
  expect(meet).toEqual([]);
  await page.emulateMedia({ media: null });
});

test("what a phone shows prints within the page as well, and the screen is as it was afterwards", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await tile("Largest cities").waitFor();
  expect(pagesOf(await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "More", exact: true }).waitFor();
  expect(
    await page
      .getByText(/^Printed /)
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  await demo.admin.isSound();
});
