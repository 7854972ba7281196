/** An HTTP synapse built from nothing in the browser: tried against an API, published, connected, changed and deleted. */
import { API_KEY, type JsonApi, startJsonApi } from "@accord/connectors/test-systems/json-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

let opened: OpenProduct;
let admin: Visitor;
let api: JsonApi;

beforeAll(async () => {
  api = await startJsonApi(25);
  opened = await openProduct({ demo: false, allow: [new URL(api.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await api?.stop();
});

const button = (name: string | RegExp) => admin.page.getByRole("button", { name, exact: true });

/** Steps Configure and Test & Authenticate. */
async function describeApi(): Promise<void> {
  const { page } = admin;
  await admin.open("/synapses/custom-synapses");
  await page.getByText("No custom synapses yet").waitFor();
  await admin.isSound();
  await button("New custom synapse").click();
  await page.getByRole("menuitem", { name: "HTTP: call a JSON API" }).click();
  await page.getByLabel("Display name").fill("Company register");
  expect(await page.getByLabel("API name").inputValue()).toBe("company_register");
  await page.getByLabel("Endpoint").fill("http://127.0.0.1:{{variable.port}}");
  await button("Add a variable").click();
  await page.getByLabel("Name 1", { exact: true }).fill("port");
  await page.getByLabel("Label 1", { exact: true }).fill("Port");
  await page.getByLabel("Required 1", { exact: true }).check();
  await admin.isSound();
  await button("Create draft and go on").click();

  await page.getByRole("textbox", { name: "Port", exact: true }).fill(new URL(api.url).port);
  await page.getByRole("textbox", { name: "API key" }).fill("a wrong key");
  await page.getByRole("textbox", { name: "Path", exact: true }).fill("/page/nothing");
  await button("Send").click();
  await page.getByText(/^401 in/).waitFor();
  await page
    .getByText(/Who are you\?/)
    .first()
    .waitFor();
  await page.getByRole("textbox", { name: "API key" }).fill(API_KEY);
  await button("Send").click();
  await page.getByText("The call works").waitFor();
  expect(await page.locator("body").textContent()).not.toContain(API_KEY);
  await page.getByText("x-api-key").waitFor();
  await admin.isSound();
  await button("Save draft and go on").click();
  await page.getByText("Describe at least one entity before you publish.").waitFor();
  await admin.isSound();
}

/** Basic settings, Configuration, Review & Finish. */
async function describeEntity(): Promise<void> {
  const { page } = admin;
  await button("Describe entities").click();
  await button("Add entity").click();
  await page.getByLabel("Display name").fill("Companies");
  await page.getByRole("textbox", { name: "Path", exact: true }).fill("/next/companies?size=10");
  await button("Send").click();
  await page.getByText("10 records found").waitFor();
  await admin.isSound();
  await button("Use these fields").click();
  await button("Use Next address in the answer").click();
  await button("Next").click();
  await page.getByLabel("Label email").waitFor();
  expect(await page.getByLabel("Id id").isChecked()).toBe(true);
  await button("Second page").click();
  await page.getByText("Page 1: 10 records, page 2: 10.").waitFor();
  await admin.isSound();
  await button("Next").click();
  await page.getByText("What is saved in the draft.").waitFor();
  await admin.isSound();
  await button("Save entity").click();
  await page.getByRole("row").filter({ hasText: "Companies" }).waitFor();
  await admin.isSound();
}

test("[PLT-023] [PLT-024] [PLT-025] [PLT-038] [PLT-041] an unknown JSON API is described, tried, published and connected", async () => {
  const { page } = admin;
  await describeApi();
  await describeEntity();
  await button("To the synapse").click();
  await page.getByText("This is the first version: no connection uses it yet.").waitFor();
  await button("Publish").click();
  await page.getByText("This is what is published.", { exact: false }).waitFor();
  await admin.isSound();

  await button("Connect").click();
  await page.getByRole("textbox", { name: "Port", exact: true }).fill(new URL(api.url).port);
  await button("Next").click();
  await page.getByRole("textbox", { name: "API key" }).fill(API_KEY);
  await button("Test connection").click();
  await page.getByText(/The connection works/).waitFor();
  await button("Create and activate").click();
  await page.getByText("Company register is active").waitFor();
  await button("Open synapse").click();
  await page.getByRole("row").filter({ hasText: "Companies" }).click();
  await button("Show sample records").click();
  await page.getByText("Company 3", { exact: true }).first().waitFor();
  await admin.isSound();

  // Along the crumbs, and what is no kind of synapse.
  await admin.open("/synapses/custom-synapses");
  await page.getByRole("row").filter({ hasText: "Company register" }).click();
  await page.getByRole("link", { name: "Custom synapses" }).click();
  await page.getByRole("link", { name: "Synapses", exact: true }).last().click();
  await page.getByRole("heading", { name: "Synapses" }).waitFor();
  await page.goto("/synapses/custom-synapses/other/0123456789abcdef01234567");
  await page
    .getByText("404")
    .or(page.getByText(/not found|isn't here|no such/i))
    .first()
    .waitFor();
});

test("[PLT-128] a draft that breaks connections says so before it is published, and is discarded", async () => {
  const { page } = admin;
  await admin.open("/synapses/custom-synapses");
  await page.getByRole("row").filter({ hasText: "Company register" }).click();
  await button("Make a draft").click();
  await button("Discard draft").waitFor();
  await button("Entities").first().click();
  await page.getByRole("row").filter({ hasText: "Companies" }).click();
  await button("Next").click();
  await button("Remove size").click();
  await button("Next").click();
  await button("Save entity").click();
  await page.getByRole("row").filter({ hasText: "Companies" }).waitFor();
  await button("To the synapse").click();
  await page.getByText("Field size of Companies is removed", { exact: false }).waitFor();
  await page.getByText("Company register", { exact: true }).last().waitFor();
  await admin.isSound();
  await button("Publish").click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish anyway" }).waitFor();
  await admin.isSound();
  await page.keyboard.press("Escape");
  await button("Discard draft").click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
  await button("Make a draft").waitFor();

  await admin.open("/synapses/custom-synapses");
  await page.getByRole("button", { name: /: Company register$/ }).click();
  await page.getByRole("menuitem", { name: "Delete synapse" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete synapse" }).click();
  await page.getByText("Unable to delete the synapse").waitFor();
  await admin.isSound();
});

test("what somebody else saves meanwhile takes nothing away of what is typed, and is not written over", async () => {
  const { page } = admin;
  await page.keyboard.press("Escape");
  await admin.open("/synapses/custom-synapses");
  await page.getByRole("row").filter({ hasText: "Company register" }).click();
  await button("Make a draft").click();
  await button("Entities").first().click();
  await page.getByRole("row").filter({ hasText: "Companies" }).click();
  const name = page.getByLabel("Display name");
  await name.fill("Firms of the register");

  const other = await admin.context.newPage();
  await other.goto(page.url());
  await other.getByLabel("Display name").fill("Companies of another");
  for (const press of ["Next", "Next", "Save entity"])
    await other.getByRole("button", { name: press, exact: true }).click();
  await other.getByRole("row").filter({ hasText: "Companies of another" }).waitFor();
  await other.close();

  // The browser asks again for what is older than 15 seconds once its window is looked at.
  const asked = page.waitForResponse((answer) => /\/entities\/[0-9a-f]{24}/.test(answer.url()));
  const look = setInterval(() => void page.evaluate(() => window.dispatchEvent(new Event("visibilitychange"))), 1000);
  expect(await (await asked).text()).toContain("Companies of another");
  clearInterval(look);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await name.inputValue()).toBe("Firms of the register");
  for (const press of ["Next", "Next", "Save entity"]) await button(press).click();
  await page
    .getByText(/changed meanwhile|somebody else/i)
    .first()
    .waitFor();
});
