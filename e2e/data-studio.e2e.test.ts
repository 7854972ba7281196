/** Shaping an entity, then browsing, filtering, repairing and deleting its records, as people do it in the browser. */
import { API_PREFIX, CSRF } from "@accord/contracts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let browser: Browser;
let admin: Visitor;
let page: Page;

beforeAll(async () => {
  product = await startProduct({ demo: false });
  browser = await openBrowser();
  admin = await newVisitor(browser, product.url);
  page = admin.page;
  await admin.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

/** Makes records through the API, as a program would, 16 at a time. */
const makeRecords = (entityId: string, count: number): Promise<void> =>
  page.evaluate(
    async ({ url, meta, header, all }) => {
      const token = document.querySelector(`meta[name="${meta}"]`)?.getAttribute("content") ?? "";
      const headers = { "content-type": "application/json", [header]: token };
      for (let from = 1; from <= all; from += 16)
        await Promise.all(
          Array.from({ length: Math.min(16, all - from + 1) }, async (_, at) => {
            const values = { title: `Order ${from + at}`, pieces: from + at };
            const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify({ values }) });
            if (!reply.ok) throw new Error(await reply.text());
          }),
        );
    },
    { url: `${API_PREFIX}/entities/${entityId}/records/create`, meta: CSRF.meta, header: CSRF.header, all: count },
  );

const toast = (text: string | RegExp) => page.getByRole("alert").getByText(text).first().waitFor();

test("an entity is made by hand, given fields in its draft, and published; discarding takes a draft back", async () => {
  await admin.open("/schema-studio");
  await admin.isSound();
  await page.getByRole("button", { name: "New entity" }).click();
  await page.getByRole("menuitem", { name: "By hand" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Name", { exact: false }).first().fill("Sales order");
  await drawer.getByRole("button", { name: "Create draft" }).click();
  await page.getByText("This entity has never been published").waitFor();

  const addField = async (label: string, type?: string) => {
    await page.getByRole("button", { name: "Add field" }).first().click();
    await drawer.getByLabel("Label").first().fill(label);
    if (type) {
      await drawer.getByRole("combobox", { name: "Type" }).click();
      await page.getByRole("option", { name: type, exact: true }).click();
    }
    await drawer.getByRole("button", { name: "Save field" }).click();
    await page.getByRole("gridcell", { name: label, exact: true }).waitFor();
  };
  await addField("Title");
  await addField("Pieces", "Whole number");
  await admin.isSound();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await drawer.getByText("2 fields are added").waitFor();
  await drawer.getByRole("button", { name: "Publish Sales order" }).click();
  await page.getByText("Version 1", { exact: true }).waitFor();
  await page.waitForURL("**/entity/SalesOrder/published");

  await addField("Colour");
  await admin.open("/schema-studio/synapse/core/entity/SalesOrder/draft");
  await page.getByRole("gridcell", { name: "Colour", exact: true }).waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await drawer.getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("gridcell", { name: "Colour", exact: true }).waitFor({ state: "detached" });
});

test("[PLT-015] the schema studio's addresses lead to the model, and to an entity in one of its versions", async () => {
  await admin.open("/schema-studio");
  await page.waitForURL("**/schema-studio/synapse/core");
  await admin.open("/schema-studio/synapse/core");
  await page.getByRole("link", { name: "Sales order" }).waitFor();
  await admin.open("/schema-studio/synapse/core/entity/SalesOrder/published");
  await page.getByRole("gridcell", { name: "Pieces", exact: true }).waitFor();
  await admin.isSound();
});

test("[PLT-012] a list of more than 150 records: pages, columns, a filter kept and bookmarked, and one record", async () => {
  await admin.open("/data-studio");
  await admin.isSound();
  await page.getByRole("link", { name: "Sales orders" }).click();
  await page.getByText("No Sales order records yet").waitFor();
  await admin.isSound();
  await makeRecords(new URL(page.url()).pathname.split("/").at(-1) ?? "", 160);
  await page.reload();
  await page.getByText("1–100").waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.getByText("101–160").waitFor();
  await page.reload();
  await page.getByText("101–160").waitFor();
  await page.getByRole("button", { name: "Previous page" }).click();
  await page.getByText("1–100").waitFor();

  await page.getByRole("button", { name: "Columns" }).click();
  // Shown at once, kept on the server behind it.
  const kept = page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.ok());
  await page.getByRole("checkbox", { name: "Pieces" }).uncheck();
  await kept;
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "Pieces" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("columnheader", { name: "Title" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Pieces" }).count()).toBe(0);

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("region", { name: "Filter records" });
  await panel.getByRole("textbox").last().fill("Order 42");
  await admin.isSound();
  await panel.getByRole("button", { name: "Apply filter" }).click();
  await page.getByText("1 record", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByRole("button", { name: "Save this filter…" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("The one");
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await toast("saved");
  await page.getByRole("button", { name: "The one" }).click();
  await page.getByRole("button", { name: "Remove the bookmark of “The one”" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Order 42" }).click();
  await page.waitForURL(/\/record\/[0-9a-f]{24}\/fields$/);
  await page.getByText("Not in any connected system yet").waitFor();
  await admin.isSound();
});

test("[PLT-080] a refused value stays at its field with the reason until it is mended or cleared; a saved one can be undone", async () => {
  const pieces = page.getByRole("textbox", { name: "Pieces" });
  const edit = () => page.getByRole("button", { name: "Edit Pieces" }).click({ force: true });
  await edit();
  await pieces.fill("many");
  await pieces.press("Enter");
  await page.getByText("“many” is not a whole number.").waitFor();
  await admin.isSound();
  await page.getByRole("tab", { name: "Lineage" }).click();
  await page.getByText("Created").waitFor();
  await page.getByRole("tab", { name: "Fields" }).click();
  await page.getByText("“many” is not a whole number.").waitFor();
  await page.getByRole("button", { name: "Stop editing Pieces" }).click();
  await page.getByText("is not a whole number").waitFor({ state: "detached" });

  await edit();
  await pieces.fill("1042");
  await pieces.press("Enter");
  await page.getByText("1,042").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await toast("is back to what it was");
  await page.locator("dd").getByText("42", { exact: true }).waitFor();
});

test("the lineage tells each change; a deleted record leaves the list", async () => {
  await page.getByRole("tab", { name: "Lineage" }).click();
  await page.waitForURL(/\/lineage$/);
  await page.getByText("1,042").first().waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Keep it there" }).waitFor();
  await admin.isSound();
  await dialog.getByRole("button", { name: "Delete record" }).click();
  await page.waitForURL(/\/data-studio\/entity\/[0-9a-f]{24}$/);
  await page.getByText("159 records", { exact: true }).waitFor();
});

test("a record is made by hand, each wrong field told at once", async () => {
  await page.getByRole("button", { name: "New record" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Title").fill("By hand");
  await drawer.getByLabel("Pieces").fill("half");
  await drawer.getByRole("button", { name: "Create record" }).click();
  await drawer.getByText("“half” is not a whole number.").waitFor();
  await admin.isSound();
  await drawer.getByLabel("Pieces").fill("5");
  await drawer.getByRole("button", { name: "Create record" }).click();
  await page.waitForURL(/\/fields$/);
  await page.getByRole("heading", { name: /Unnamed sales order|By hand/ }).waitFor();
});
