/** A pipeline from an entity of a system on one page: chosen, looked at, published, and its records are in the core. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDemo, type OpenProduct } from "./kit/open-product.ts";

let demo: OpenProduct;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo?.close());

/** Long enough for a cycle on a slow machine. */
const SOON = 90_000;

test("airports from a folder become records of the core from one page, by mouse, with nothing drawn", async () => {
  const { page } = demo.admin;
  await demo.admin.open("/sync-studio/details");
  await page.getByRole("link", { name: "New pipeline" }).click();
  await page.waitForURL(/\/sync-studio\/new-pipeline/);
  await page.getByRole("button", { name: /^Invoices/ }).waitFor();
  await demo.admin.isSound();
  await page.getByPlaceholder("Find a system or an entity").fill("airp");
  await page.getByRole("button", { name: /^Invoices/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Airports/ }).click();

  // The key first, with values of now; what no data is behind is left out, with the reason.
  const mapping = page.getByRole("region", { name: "Field mapping" });
  const first = mapping.getByRole("row").nth(1);
  await first.getByText("Key", { exact: true }).waitFor();
  await mapping
    .getByRole("row", { name: /Country/ })
    .getByText("USA")
    .waitFor();
  await mapping
    .getByRole("row", { name: /File and line/ })
    .getByText("The connector adds it to identify rows")
    .waitFor();
  await page.getByText("Airports is read-only in Flights: nothing can be written back.").waitFor();
  const preview = page.getByRole("region", { name: "Preview" });
  await expect.poll(() => preview.getByRole("row").count()).toBe(11);
  await preview.getByRole("columnheader", { name: "Latitude" }).waitFor();
  await demo.admin.isSound();

  await mapping.getByRole("checkbox", { name: "Take over Latitude" }).uncheck();
  await mapping.getByText("Left out by you").waitFor();
  await preview.getByRole("columnheader", { name: "Latitude" }).waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Name" }).fill("Airfield");
  await page.getByRole("button", { name: "Publish", exact: true }).click();

  await page.waitForURL(/\/pipeline\/published/);
  await page.getByRole("heading", { name: "Airfield pipeline" }).waitFor();
  for (const name of ["Flights Airports", "Airfield"]) await page.getByRole("group", { name, exact: true }).waitFor();
  await demo.admin.isSound();
  await page
    .getByText(/^[\d,]+ read$/)
    .first()
    .waitFor({ timeout: SOON });

  await demo.admin.open("/data-studio");
  await page.getByRole("link", { name: "Airfield", exact: true }).click();
  await page.getByText("USA", { exact: true }).first().waitFor();
  await page.getByRole("columnheader", { name: "Longitude" }).waitFor();
  expect(await page.getByRole("columnheader", { name: "Latitude" }).count()).toBe(0);
});

test("with the way back, what the core holds is written to the same entity, and the draft waits in the editor", async () => {
  const { page } = demo.admin;
  await demo.admin.open("/sync-studio/new-pipeline");
  await page.getByRole("button", { name: /^Invoices/ }).click();
  await page.getByRole("switch", { name: /^Write changes back to Billing Invoices/ }).click();
  await expect.poll(() => page.getByRole("checkbox", { name: "Invoice number", exact: true }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Open in the editor" }).click();
  await page.waitForURL(/\/pipeline\/draft/);
  await page.getByRole("group", { name: "Match records", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("group", { name: /^Billing Invoices/ }).count()).toBe(2);
  // Its mapping at full size: a line is drawn by mouse and is in both nodes.
  await page.getByRole("group", { name: "Billing Invoices", exact: true }).click();
  await page.getByRole("button", { name: "Map at full size" }).click();
  const mapper = page.getByRole("dialog", { name: "Field mapping of Billing Invoices" });
  const field = (side: string, name: RegExp) =>
    mapper.getByRole("listbox", { name: side }).getByRole("option", { name });
  await field("Billing fields", /^Currency.*Currency$/).click();
  await mapper.getByRole("radio", { name: "Both ways" }).waitFor({ state: "attached" });
  await demo.admin.isSound();
  await mapper.getByRole("button", { name: "Remove the line between Currency and Currency" }).click();
  await field("Billing fields", /^Currency.*not mapped$/).waitFor();
  await field("Billing fields", /^Currency/).dragTo(field("Invoices fields", /^Currency/));
  await field("Billing fields", /^Currency.*Currency$/).waitFor();
  await mapper.getByRole("button", { name: "Done" }).last().click();
  await mapper.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Validate" }).click();
  await page
    .getByRole("complementary", { name: "Problems" })
    .getByText(/^0 errors/)
    .waitFor();
});

test("[SYN-146] Manage field map in the row menu opens the mapping at full size, and the table counts what it maps", async () => {
  const { page } = demo.admin;
  const row = page.getByRole("row").filter({ hasText: "Invoices" });
  const mapper = page.getByRole("dialog", { name: "Field mapping of Billing Invoices" });
  const field = (side: string, name: RegExp) =>
    mapper.getByRole("listbox", { name: side }).getByRole("option", { name });
  const manage = async (): Promise<void> => {
    await row.getByRole("button", { name: /^More actions|actions/i }).click();
    await page.getByRole("menuitem", { name: "Manage field map" }).click();
    await field("Billing fields", /^Currency/).click();
  };
  const done = async (fields: string): Promise<void> => {
    await mapper.getByRole("button", { name: "Done" }).last().click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await demo.admin.open("/sync-studio/details");
    await row.getByRole("gridcell", { name: fields, exact: true }).waitFor();
  };
  await demo.admin.open("/sync-studio/details");
  await row.getByRole("gridcell", { name: "11", exact: true }).waitFor();
  await manage();
  await page.keyboard.press("Delete");
  await field("Billing fields", /^Currency.*not mapped$/).waitFor();
  await done("10");

  // Mapped again, by keyboard: Enter, and Enter at the field that is proposed.
  await manage();
  // Escape gives the line up, and not the mapping.
  const proposed = field("Invoices fields", /^Currency/).and(page.locator(":focus"));
  await page.keyboard.press("Enter");
  await proposed.waitFor();
  await page.keyboard.press("Escape");
  await mapper.getByText("Nothing was drawn.").waitFor();
  await page.keyboard.press("Enter");
  await proposed.waitFor();
  await page.keyboard.press("Enter");
  await field("Billing fields", /^Currency.*Currency$/).waitFor();
  await done("11");

  await manage();
  await mapper.getByText("Into the core", { exact: true }).last().click();
  await mapper
    .getByRole("radio", { name: "Into the core" })
    .and(page.locator(":checked"))
    .waitFor({ state: "attached" });
  await done("11");
});

test("opened again, the page names the pipeline that its entity has already, and the address keeps the choice", async () => {
  const { page } = demo.admin;
  await demo.admin.open("/sync-studio/new-pipeline");
  await page.getByRole("button", { name: /^Airports/ }).click();
  await page.getByText("Airfield was made from this entity and has a pipeline already.").waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Open it" }).click();
  await page.waitForURL(/\/pipeline\/published/);
});
