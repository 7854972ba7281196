/** Insights studio as the Dashboard Light Viewer uses it: published dashboards as they were published, and no call refused. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invitePerson } from "./kit/people.ts";
import { type OpenProduct, openDemo } from "./kit/open-product.ts";
import type { Product } from "./kit/product.ts";
import type { Visitor } from "./kit/visitor.ts";

const BOARD = "Accounts in agreement";
let demo: OpenProduct;
let product: Product;
let browser: Browser;
let admin: Visitor;
let viewer: Visitor;
/** Calls that the server refused to the light viewer. */
const refused: string[] = [];

beforeAll(async () => {
  demo = await openDemo();
  ({ product, browser, admin } = demo);
  await admin.open("/insights-studio");
  await admin.page.getByText(BOARD, { exact: true }).first().waitFor({ timeout: 60_000 });
  viewer = await invitePerson({ browser, url: product.url, admin }, "Dashboard Light Viewer", {
    email: "lena.light@example.com",
    firstName: "Lena",
    lastName: "Light",
    password: "four-small-windows-7",
  });
  viewer.page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
});
afterAll(async () => {
  await demo?.close();
});

test("[PLT-093] the light viewer finds published dashboards at home and in the studio, and no draft", async () => {
  await admin.page.getByRole("link", { name: "Insights studio" }).first().click();
  await admin.page.getByRole("button", { name: "New dashboard" }).click();
  const drawer = admin.page.getByRole("dialog", { name: "New dashboard" });
  await drawer.getByLabel("Display name").fill("Not for everybody yet");
  await drawer.getByRole("button", { name: "Create" }).click();
  await admin.page.getByRole("heading", { name: "Not for everybody yet", level: 1 }).waitFor();

  const { page } = viewer;
  await viewer.open("/");
  await page.getByRole("main").getByRole("link", { name: BOARD }).waitFor();
  const nav = page.getByRole("navigation", { name: "Main" });
  await expect
    .poll(() => nav.getByRole("link").allTextContents())
    .toEqual(expect.arrayContaining(["Home", "Insights studio"]));
  for (const name of ["Sync studio", "Data studio", "Schema studio"])
    expect(await nav.getByRole("link", { name }).count()).toBe(0);
  await viewer.isSound();
  await viewer.open("/insights-studio");
  await page.getByRole("link", { name: BOARD }).waitFor();
  expect(await page.getByText("Not for everybody yet").count()).toBe(0);
  expect(await page.getByRole("radio", { name: "Drafts" }).count()).toBe(0);
  await viewer.isSound();
});

test("[PLT-093] a published dashboard shows every card to the light viewer, with no way to change it", async () => {
  const { page } = viewer;
  await viewer.open("/insights-studio");
  await page.getByRole("link", { name: BOARD }).click();
  await page.getByRole("heading", { name: BOARD, level: 1 }).waitFor();
  const countries = page.getByRole("region", { name: "Countries", exact: true });
  await countries.getByText("with customers").waitFor();
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  expect(await page.getByText("The data could not be read.").count()).toBe(0);
  for (const name of ["Create draft", "Publish", "Share with", "More"])
    expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
  await countries.getByRole("button", { name: /menu/i }).click();
  await page.getByRole("menuitem").first().waitFor();
  expect(await page.getByRole("menuitem", { name: /edit|copy|dataset/i }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await viewer.isSound();
  expect(refused).toEqual([]);
});

test("[INS-079] [PLT-093] a changed card reaches those who look at the dashboard when its changes are published", async () => {
  const { page } = admin;
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: BOARD }).click();
  const countries = (visitor: Visitor) => visitor.page.getByRole("region", { name: /^Countries/ });
  await countries(admin).getByRole("button", { name: /menu/i }).click();
  await page.getByRole("menuitem", { name: "Edit card" }).click();
  await page.getByText("Shown on 1 published dashboard").waitFor();
  await page.getByRole("link", { name: BOARD }).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByRole("button", { name: "Previous" }).click();
  await page.getByLabel("Display name").fill("Countries we serve");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Save card" }).click();
  await page.getByText("1 change is not published yet").waitFor();
  await admin.isSound();
  expect(await countries(admin).getByRole("heading").textContent()).toBe("Countries");
  await viewer.page.reload();
  expect(await countries(viewer).getByRole("heading").textContent()).toBe("Countries");
  expect(await viewer.page.getByText("not published yet").count()).toBe(0);

  await page.getByRole("button", { name: "Publish changes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish dashboard" }).click();
  await page.getByText("1 change is not published yet").waitFor({ state: "detached" });
  await expect.poll(() => countries(admin).getByRole("heading").textContent()).toBe("Countries we serve");
  await viewer.page.reload();
  await expect.poll(() => countries(viewer).getByRole("heading").textContent()).toBe("Countries we serve");
  expect(refused).toEqual([]);
});
