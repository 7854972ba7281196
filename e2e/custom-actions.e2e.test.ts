/** A custom action, from its form to a pipeline: made, tested against a real receiver, performed, and found when it fails. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProduct, type Product } from "./kit/product.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let receiver: Server;
let received: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let product: Product;
let browser: Browser;
let user: Visitor;
let page: Page;

/** Long enough for a cycle on a slow machine. */
const SOON = 90_000;
const SECRET = "billing-secret-0123456789";
const port = (): number => (receiver.address() as AddressInfo).port;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    received.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    const answer = { accepted: status === 200, key: request.headers["x-billing-key"] };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  product = await startProduct({ demo: true, quiet: true, allow: [`127.0.0.1:${port()}`] });
  browser = await openBrowser();
  user = await newVisitor(browser, product.url);
  page = user.page;
  await user.open("/");
  await user.signIn();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

const textbox = (name: string, within: Page | Locator = page): Locator =>
  within.getByRole("textbox", { name, exact: true });
const panel = (name: string): Locator => page.getByRole("complementary", { name, exact: true });
async function choose(name: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("[SYN-065] an action with two headers and a secret is made on its page, which says at each field what is wrong", async () => {
  await user.open("/sync-studio");
  await page.getByRole("link", { name: "Actions", exact: true }).click();
  await page.getByText("No actions yet").waitFor();
  await user.isSound();
  await page.getByRole("link", { name: "New action" }).first().click();
  await page.getByRole("heading", { name: "New action" }).waitFor();
  await user.isSound();

  await textbox("Name").fill("Notify billing");
  await expect.poll(() => textbox("API name").inputValue()).toBe("notify_billing");
  await textbox("Description").fill("Posts a company to billing.");
  await textbox("Address").fill("127.0.0.1/companies");
  await page.getByText("must begin with https:// and a host; variables may follow after it").waitFor();
  // Braces offer the variables; a name that is none yet becomes one.
  await textbox("Address").fill("");
  await textbox("Address").pressSequentially(`http://127.0.0.1:${port()}/companies/{{company`);
  await page.getByRole("option", { name: "Add variable “company”" }).waitFor();
  await user.isSound();
  await page.keyboard.press("Enter");
  await expect.poll(() => textbox("Address").inputValue()).toBe(`http://127.0.0.1:${port()}/companies/{{company}}`);
  await page.getByRole("button", { name: "Add variable" }).click();
  await textbox("Name of variable 2").fill("employees");
  await choose("Type of variable 2", "Number");
  await page.getByRole("checkbox", { name: "Variable 1 is required" }).check();

  for (const [row, name, value] of [
    [1, "X-Team", "sales"],
    [2, "X-Company", "{{company}}"],
  ] as const) {
    await page.getByRole("button", { name: "Add header" }).click();
    await textbox(`Name of header ${row}`).fill(name);
    await textbox(`Value of header ${row}`).fill(value);
  }
  await textbox("Body").fill('{"name": "{{company}}", "employees": {{employees}}}');
  await choose("Credential", "Secret header");
  await textbox("Header name").fill("X-Billing-Key");
  await page.getByRole("button", { name: "Create action" }).click();
  await page.getByText("is required").waitFor();
  await page.getByLabel("Secret value").first().fill(SECRET);
  await page.getByRole("button", { name: "Create action" }).click();
  await page.waitForURL(/\/sync-studio\/actions\/[0-9a-f]{24}/);
  await page.getByText("Stored, never shown again.").waitFor();
  await user.isSound();
  await page.reload();
  await page.getByRole("heading", { name: "Notify billing" }).waitFor();
  expect(await page.content()).not.toContain(SECRET);
  expect(received).toEqual([]);
});

test("[SYN-142] a test fills variables from a real record, sends only when that is pressed, and shows both sides with the secret masked", async () => {
  await page.getByText("Fill from a record").click();
  await choose("Entity", "Account");
  await page.getByRole("combobox", { name: "Record", exact: true }).click();
  await page.getByRole("option").first().click();
  await choose("Field for company", "Name");
  await expect.poll(() => textbox("company").inputValue()).not.toBe("");
  const company = await textbox("company").inputValue();
  const employees = textbox("employees");
  await employees.fill("many");
  await page.getByText("needs a number, not “many”").waitFor();
  await employees.fill("12");
  const preview = page.getByRole("region", { name: "What will be sent" });
  await preview.getByText("x-billing-key:").waitFor();
  await expect.poll(() => preview.textContent()).toContain(`"employees": 12`);
  await page.getByText(`Then the request really goes to http://127.0.0.1:${port()}`).waitFor();
  expect(received, "nothing left before the press").toEqual([]);

  await page.getByRole("button", { name: "Send test request" }).click();
  const answer = page.getByRole("region", { name: "Answer", exact: true });
  await answer.getByText("Status 200").waitFor();
  expect(await answer.textContent()).toContain('"accepted": true');
  expect(await answer.textContent()).not.toContain(SECRET);
  await user.isSound();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ method: "POST", url: `/companies/${encodeURIComponent(company)}` });
  expect(received[0]?.headers).toMatchObject({ "x-team": "sales", "x-billing-key": SECRET });
  expect(JSON.parse(received[0]?.body ?? "")).toEqual({ name: company, employees: 12 });

  status = 503;
  await page.getByRole("button", { name: "Send test request" }).click();
  await answer.getByText("The receiver answered 503.").waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The action is saved.").waitFor();
  status = 200;
  received = [];
});

test("the action stands in the palette, takes tokens for its variables, and its request arrives when a record changes", async () => {
  await user.open("/sync-studio");
  await page
    .getByRole("row", { name: /Account/ })
    .first()
    .getByText("Account", { exact: true })
    .click();
  await page.getByRole("heading", { name: "Account pipeline" }).waitFor();
  await page.getByRole("button", { name: "Create draft" }).click();
  await page.waitForURL(/\/draft/);
  await page.getByRole("group", { name: "Has a name", exact: true }).click();
  const palette = panel("Palette");
  await palette.getByRole("link", { name: "New action" }).waitFor();
  await palette.getByRole("button", { name: /^Notify billing/ }).click();
  const form = panel("Configure Custom action");
  await form.getByRole("link", { name: "Open the action" }).waitFor();
  await textbox("company", form).fill("{{previous.values.name}}");
  await textbox("employees", form).fill("{{previous.values.employeeCount}}");
  await user.isSound();
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog");
  const bringIn = dialog.getByRole("checkbox");
  await bringIn.first().waitFor();
  if (await bringIn.first().isChecked()) await bringIn.first().click();
  await dialog.getByLabel("Version name").fill("Notifies billing");
  await dialog.getByRole("button", { name: /Publish version/ }).click();
  await page.waitForURL(/\/published/, { timeout: SOON });

  await changePhoneInCrm("+43 1 5550301");
  // Records that changed for other reasons are among them.
  const own = () => received.find(({ body }) => JSON.parse(body).name === changed);
  await expect.poll(own, { timeout: SOON }).toBeDefined();
  expect(own()?.headers).toMatchObject({ "x-team": "sales", "x-billing-key": SECRET });
  expect(own()?.url).toBe(`/companies/${encodeURIComponent(changed)}`);
});

test("a receiver that refuses is seen in the list of actions, on the pipeline and on the record", async () => {
  status = 422;
  received = [];
  await changePhoneInCrm("+43 1 5550302");
  await expect.poll(() => received.some(({ body }) => JSON.parse(body).name === changed), { timeout: SOON }).toBe(true);
  const row = page.getByRole("row", { name: /Notify billing/ });
  await expect
    .poll(
      async () => {
        await user.open("/sync-studio/actions");
        await row.getByText("Account", { exact: true }).waitFor();
        return row.innerText();
      },
      { timeout: SOON },
    )
    .toContain("Failed");
  await user.isSound();
  await row.getByRole("link", { name: "Failed" }).click();
  await page.waitForURL(/\/pipeline-error/);
  await page
    .getByText(/The receiver answered 422\./)
    .first()
    .waitFor({ timeout: SOON });
  await user.isSound();
  await user.open("/data-studio");
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.getByRole("searchbox").fill(changed);
  await page.getByRole("link", { name: changed, exact: true }).first().click();
  await page.getByRole("tab", { name: "Actions" }).click();
  await page.getByText("The receiver answered 422.").first().waitFor();
  await user.isSound();
});

test("deleting an action names the pipelines that use it and asks", async () => {
  await user.open("/sync-studio/actions");
  await page.getByRole("link", { name: "Notify billing" }).click();
  await page.getByRole("heading", { name: "Notify billing" }).waitFor();
  await textbox("Name of variable 1").fill("firm");
  await page.getByText("Gives a value for “company”, which is no variable of the action").first().waitFor();
  await user.isSound();
  await textbox("Name of variable 1").fill("company");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Account, published: node Notify billing").waitFor();
  await user.isSound();
  await dialog.getByRole("button", { name: "Delete anyway" }).click();
  await page.getByText("No actions yet").waitFor();
});

/** Name of the company whose phone is changed. */
let changed = "";
async function changePhoneInCrm(phone: string): Promise<void> {
  const { connectors } = await (await page.request.get(`${product.url}/api/v1/connectors`)).json();
  const id = connectors.find(({ name }: { name: string }) => name === "Harbor CRM").id;
  const { config } = await (await page.request.get(`${product.url}/api/v1/connectors/${id}`)).json();
  const crm = await user.context.newPage();
  await crm.goto(new URL(config.baseUrl).origin);
  await crm.locator(".list button").first().click();
  await expect.poll(() => crm.locator("#name").inputValue()).not.toBe("");
  changed = await crm.locator("#name").inputValue();
  await crm.locator("#phone").fill(phone);
  await crm.locator("button.main").click();
  await crm.getByText("Saved.").waitFor();
  await crm.close();
}
