/** A system by its low-code manifest, from a file to records: what runs, which inputs it asks for, its secrets kept. */
import { startManifestApi, SECRET, type ManifestApi } from "@accord/connectors/test-systems/manifest-api";
import { REGIONS } from "@accord/connectors/test-systems/manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let system: ManifestApi;
let opened: OpenProduct;
let admin: Visitor;

beforeAll(async () => {
  system = await startManifestApi(12);
  opened = await openProduct({ demo: false, allow: [new URL(system.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await system?.stop();
});

const ODD = `
  - type: DeclarativeStream
    name: odd
    retriever: { type: CustomRetriever, class_name: source_odd.OddRetriever }
`;

test("a manifest is chosen as a file, says which streams run, and asks for its inputs one by one", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new?type=manifest&step=connection");
  await page.getByRole("textbox", { name: "Name" }).fill("By manifest");
  const manifest = page.getByRole("textbox", { name: "Manifest" });
  await manifest.fill("streams: [");
  await page.getByText(/not valid YAML/).waitFor();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file…" }).click();
  const text = REGIONS.replace("\nspec:", `${ODD}spec:`);
  await (await chooser).setFiles({ name: "manifest.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) });
  await page.getByText(/^\d+ of \d+ streams run$/).waitFor();
  await page.getByText("Stream odd needs CustomRetriever, which is not supported.").waitFor();
  await page.getByRole("button", { name: /component types/ }).click();
  await page.getByRole("row", { name: "CustomRetriever 1 No, needed by odd" }).waitFor();
  await page.getByRole("textbox", { name: "Address" }).fill(system.url);
  const regions = page.getByRole("group", { name: "regions" });
  await regions.getByRole("textbox").fill("eu;us");
  await page.getByRole("combobox", { name: "credentials" }).click();
  await page.getByRole("option", { name: "bearer" }).click();
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();

  await page.getByLabel("token").fill("wrong");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText("The connection does not work").waitFor();
  await page.getByLabel("token").fill(SECRET);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/^The connection works/).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: /^Create/ }).click();
  await page.getByRole("button", { name: "Open synapse" }).click();
  await page.getByRole("heading", { name: "By manifest" }).waitFor();
});

test("its settings show the inputs again and never the secret; one that is changed keeps the others", async () => {
  const { page } = admin;
  await page.getByRole("tab", { name: "Connection" }).click();
  const regions = page.getByRole("group", { name: "regions" }).getByRole("textbox");
  await expect.poll(() => regions.count()).toBe(2);
  await expect.poll(() => regions.first().isEditable()).toBe(true);
  expect(await page.content()).not.toContain(SECRET);
  await regions.first().fill("apac");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Changes saved").first().waitFor();
  await page.reload();
  await expect.poll(() => regions.first().inputValue()).toBe("apac");
  await expect.poll(() => page.getByRole("textbox", { name: "Address" }).inputValue()).toBe(system.url);
  await page.getByRole("button", { name: "Test connection" }).last().click();
  await page.getByText(/^The connection works/).waitFor();
});

test("a secret is replaced without entering anything else", async () => {
  const { page } = admin;
  await page.getByText("Replace", { exact: true }).click();
  await page.getByLabel("token").fill("wrong");
  await page.getByRole("button", { name: "Test connection" }).last().click();
  await page.getByText("The connection does not work").waitFor();
  await page.getByLabel("token").fill(SECRET);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Changes saved").first().waitFor();
  await page.getByRole("button", { name: "Test connection" }).last().click();
  await page.getByText(/^The connection works/).waitFor();
});
