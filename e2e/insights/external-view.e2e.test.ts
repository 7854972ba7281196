/** An administrator configures an analytics product, and people see its pages inside Insights Studio. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ExternalProduct,
  productSecret,
  startExternalProduct,
} from "../../apps/server/test-kit/external-product.ts";
import { type OpenProduct, openProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let demo: OpenProduct;
let admin: Visitor;
let page: Page;
let product: ExternalProduct;
let issuer = "";

beforeAll(async () => {
  product = await startExternalProduct({ issuer: () => issuer });
  demo = await openProduct({ demo: true, allow: [product.host] });
  ({ admin } = demo);
  page = admin.page;
});
afterAll(async () => {
  await demo?.close();
  await product?.close();
});

const frame = () => page.frameLocator(".ac-external__frame").frameLocator("iframe");
const isUnknown = async (path: string) => {
  await admin.open(path);
  await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
};

test("[INS-005] the external view is off from the start: its addresses are unknown", async () => {
  for (const path of ["", "/dashboards", "/datasets/orders/preview", "/boards/team/datacard/1"])
    await isUnknown(`/insights-studio/ts${path}`);
});

test("[INS-137] an administrator configures the product and switches the view on", async () => {
  await admin.open("/settings");
  await page.getByRole("link", { name: /External view/ }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Lighthouse");
  await page.getByRole("textbox", { name: "Address", exact: true }).fill(`${product.origin}/embed`);
  await page.getByLabel("Address of the lists").fill(`${product.origin}/api`);
  await page.getByLabel(/^Ask the product before each page/).check();
  await page.getByRole("textbox", { name: "Secret", exact: true }).fill("another secret than that of the product");
  const ancestors = await page.getByText(/frame-ancestors http/).textContent();
  [, issuer = ""] = /frame-ancestors (\S+)/.exec(ancestors ?? "") ?? [];
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("A secret is stored").waitFor();
  await page.getByRole("switch", { name: /Show the external view/ }).click();
  await page.getByRole("link", { name: "Look at it" }).waitFor();
  await admin.isSound();
});

test("[INS-142] a product that does not take the token is said with its reason, until the secret is right", async () => {
  await admin.open("/insights-studio/ts/boards/weekly");
  await page
    .getByRole("alert")
    .getByText(/Lighthouse gives no access.*401: The token •••/)
    .waitFor();
  await admin.isSound();
  await admin.open("/insights-studio/external-view");
  await page.getByRole("textbox", { name: "Secret", exact: true }).fill(productSecret);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The external view is saved").waitFor();
  await admin.open("/insights-studio/ts/boards/weekly");
  await frame().getByRole("heading", { name: "Embedded /embed/boards/weekly" }).waitFor();
});

test("[INS-015] [INS-016] [INS-017] each address shows its screen, and the product's page runs inside its frame", async () => {
  product.ancestors = issuer;
  await admin.open("/insights-studio");
  await page.getByRole("link", { name: "External view" }).click();
  await page.getByRole("link", { name: "Sales in EMEA" }).click();
  await frame().getByRole("heading", { name: "Embedded /embed/dashboards/sales/emea" }).waitFor();
  await frame().getByText("Its script ran").waitFor();
  expect(new URL(page.url()).pathname).toBe("/insights-studio/ts/dashboards/sales%2Femea");
  expect(product.calls.at(-1)?.referrer).toBeUndefined();
  await admin.isSound();
  for (const [path, heading] of [
    ["dashboard/7", "Embedded /embed/dashboards/7"],
    ["datacards/kpi-1", "Embedded /embed/datacards/kpi-1"],
    ["datasets/orders/copy", "Embedded /embed/datasets/orders/copy"],
    ["", "Embedded /embed"],
    ["boards/team/datacard/1", "Embedded /embed/boards/team/datacard/1"],
  ] as const) {
    await admin.open(`/insights-studio/ts/${path}`);
    await frame().getByRole("heading", { name: heading, exact: true }).waitFor();
  }
  for (const [path, text] of [
    ["datasets", "Orders"],
    ["datasets/orders", "Country"],
    ["datasets/orders/preview", "Norway"],
    ["datacards", "Orders this month"],
    ["search?q=sales", "Sales in EMEA"],
  ] as const) {
    await admin.open(`/insights-studio/ts/${path}`);
    await page.getByText(text, { exact: true }).first().waitFor();
  }
  await admin.isSound();
});

test("no other origin gets into the frame, and the application itself frames none", async () => {
  await admin.open("/insights-studio/ts/dashboard/7");
  await frame().getByRole("heading").waitFor();
  const other = await startExternalProduct({ issuer: () => issuer });
  try {
    const blocked = await page.evaluate(async (address) => {
      const seen: string[] = [];
      const note = (event: SecurityPolicyViolationEvent) =>
        seen.push(`${event.effectiveDirective} ${event.blockedURI}`);
      const outer = document.querySelector<HTMLIFrameElement>(".ac-external__frame")?.contentDocument;
      for (const place of [document, ...(outer ? [outer] : [])]) {
        place.addEventListener("securitypolicyviolation", note);
        const added = place.createElement("iframe");
        added.src = address;
        place.body.append(added);
      }
      await new Promise((done) => setTimeout(done, 1_000));
      return seen;
    }, `${other.origin}/embed`);
    expect(blocked).toEqual([`frame-src ${other.origin}`, `frame-src ${other.origin}`]);
    expect(other.calls).toEqual([]);
  } finally {
    await other.close();
  }
});

test("[INS-005] switched off again, it is gone at once", async () => {
  await admin.open("/insights-studio/external-view");
  await page.getByRole("switch", { name: /Show the external view/ }).click();
  await page.getByText("The external view is off").waitFor();
  await isUnknown("/insights-studio/ts/dashboards");
  await admin.open("/insights-studio");
  expect(await page.getByRole("link", { name: "External view" }).count()).toBe(0);
});
