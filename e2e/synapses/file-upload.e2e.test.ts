/** A person brings a file in the browser: adds a files synapse, uploads, answers what is unclear, replaces it by a newer version. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let opened: OpenProduct;
let admin: Visitor;

beforeAll(async () => {
  opened = await openProduct({ demo: false });
  ({ admin } = opened);
});
afterAll(() => opened?.close());

const choose = (name: string, text: string): Promise<void> =>
  admin.page
    .getByLabel("Choose files")
    .first()
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

const DELIVERIES = [
  "id;delivered;weight\n1;03/04/2026;1.250,5\n2;05/06/2026;12,25\n3;07/08/2026;9\n",
  "id;delivered;weight\n1;03/04/2026;1.250,5\n2;06/06/2026;12,25\n4;09/08/2026;10\n",
] as const;

test("a file with ambiguous dates is uploaded, its question answered, its records read, and a newer version compared", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new");
  await page.getByRole("radio", { name: /^Files/ }).check();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Name", { exact: false }).first().fill("Deliveries");
  await admin.isSound();
  await page.getByRole("button", { name: "Create and add files" }).click();
  await page.getByText("No files yet").waitFor();
  await admin.isSound();

  await choose("deliveries.csv", DELIVERIES[0]);
  const preview = page.getByRole("dialog", { name: "Check deliveries.csv" });
  await preview.getByText("delivered holds dates such as 03/04/2026", { exact: false }).waitFor();
  // Numbers prove their style: only the dates are asked.
  expect(await preview.getByRole("radiogroup").count()).toBe(1);
  expect(await preview.getByRole("button", { name: "Save and use" }).isDisabled()).toBe(true);
  await admin.isSound();
  await preview.getByRole("radio", { name: "The first: 3 April 2026" }).check();
  await preview.getByRole("cell", { name: "2026-04-03" }).waitFor();
  await preview.getByRole("cell", { name: "1250.5" }).waitFor();
  await preview.getByRole("button", { name: "Save and use" }).click();
  await page.getByText("deliveries.csv is in use.").waitFor();
  await page.getByRole("row").filter({ hasText: "deliveries.csv" }).getByText("In use").waitFor();

  const showRecords = async () => {
    await page.getByRole("tab", { name: "Entities" }).click();
    await page.getByRole("row").filter({ hasText: "deliveries" }).click();
    const panel = page.getByRole("complementary", { name: "Deliveries" });
    await panel.getByRole("button", { name: "Show sample records" }).click();
    return panel;
  };
  await page.getByText("Active", { exact: true }).waitFor();
  const first = await showRecords();
  for (const day of ["2026-04-03", "2026-06-05", "2026-08-07"]) await first.getByRole("cell", { name: day }).waitFor();

  await page.getByRole("tab", { name: "Files" }).click();
  await choose("deliveries.csv", DELIVERIES[1]);
  await preview.getByText("Against the version in use: 1 new, 1 changed, 1 gone.", { exact: false }).waitFor();
  // What was answered for the first version holds for this one.
  expect(await preview.getByRole("radiogroup").count()).toBe(0);
  await admin.isSound();
  await preview.getByRole("button", { name: "Save and use" }).click();
  await preview.waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("row").filter({ hasText: "deliveries.csv" }).count()).toBe(1);
  const second = await showRecords();
  for (const day of ["2026-06-06", "2026-08-09"]) await second.getByRole("cell", { name: day }).waitFor();
  expect(await second.getByRole("cell", { name: "2026-08-07" }).count()).toBe(0);
});
