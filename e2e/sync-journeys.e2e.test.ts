/** The whole job by keyboard alone, from an empty instance to what was refused and is sent again. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDemoBilling, type DemoBilling } from "../apps/server/test-kit/demo-billing.ts";
import { addFieldPipeline, buildFifteenNodes, buildingByKeyboard, type Builder } from "./kit/building.ts";
import { type Hand, keyboardOf, withoutPointer } from "./kit/hands.ts";
import { agreementIsSaid, healthIsSaid } from "./kit/health.ts";
import { openDemo, type OpenProduct } from "./kit/open-product.ts";
import type { Visitor } from "./kit/visitor.ts";

let demo: OpenProduct;
let billing: DemoBilling;
let user: Visitor;
let page: Page;

/** Long enough for a cycle on a slow machine. */
const SOON = 90_000;

beforeAll(async () => {
  demo = await openDemo();
  user = demo.admin;
  page = user.page;
  billing = await openDemoBilling(demo.product.home);
  for (const table of ["mailing", "letters"])
    await billing.client.query(
      `CREATE TABLE ${table} (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, email text, phone text, city text)`,
    );
});
afterAll(async () => {
  await billing?.client.end();
  await demo?.close();
});

const panel = (name: string | RegExp): Locator => page.getByRole("complementary", { name });
const node = (label: string): Locator => page.getByRole("group", { name: label, exact: true });
const rows = async (statement: string): Promise<Record<string, unknown>[]> =>
  (await billing.client.query(statement)).rows;

/** An instance of its own, with the demo's Billing connected twice: as what is read, and as what is written. */
async function beginEmpty(hand: Hand, name: string): Promise<void> {
  await user.open("/instance");
  await hand.press(page.getByRole("button", { name: "Create instance" }));
  const dialog = page.getByRole("dialog");
  await hand.fill(dialog.getByLabel("Name", { exact: true }), name);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await hand.press(page.getByRole("button", { name: /^Instance:/ }));
  await hand.press(page.getByRole("menuitem", { name, exact: true }));
  await page.getByText(`How ${name} is doing.`).waitFor();
  await connect(hand, "Billing");
  await connect(hand, "Newsletter");
}

async function connect(hand: Hand, name: string): Promise<void> {
  await user.open("/synapses/connections/new?type=postgres&step=connection");
  await hand.fill(page.getByRole("textbox", { name: "Name" }), name);
  await hand.fill(page.getByRole("textbox", { name: "Host" }), billing.host);
  await hand.fill(page.getByRole("textbox", { name: "Port" }), String(billing.port));
  await hand.fill(page.getByRole("textbox", { name: "Database" }), billing.database);
  await hand.choose(page.getByRole("combobox", { name: "Encryption" }), "None");
  await hand.press(page.getByRole("button", { name: "Next" }));
  await hand.fill(page.getByRole("textbox", { name: /^User/ }), billing.user);
  await hand.fill(page.getByLabel("Password", { exact: false }).first(), billing.password);
  await hand.press(page.getByRole("button", { name: "Create and activate" }));
  await page.getByText(`${name} is active`).waitFor({ timeout: SOON });
}

/** From the table of pipelines to the editor, with source, matching and core entity in place. */
async function beginPipeline(hand: Hand): Promise<void> {
  await hand.fill(page.getByPlaceholder("Find a system or an entity"), "billing cust");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await hand.press(page.getByRole("button", { name: "Open in the editor" }));
  await page.waitForURL(/\/pipeline\/draft/);
  await node("Customers").waitFor();
}

async function publish(hand: Hand, name: string): Promise<void> {
  await hand.press(page.getByRole("button", { name: "Validate" }));
  await panel("Problems")
    .getByText(/^0 errors/)
    .waitFor();
  await hand.press(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "All that are ready (1)", checked: true }).waitFor();
  await dialog.getByText(/^Nothing is published yet/).waitFor();
  await hand.fill(dialog.getByLabel("Version name"), name);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/pipeline\/published/);
}

/** A stored record passes the draft, one node is changed, and the next version is published after a look at what differs. */
async function tryAndChange(builder: Builder): Promise<void> {
  const { hand, enter } = builder;
  await hand.press(page.getByRole("button", { name: "Create draft" }));
  await page.waitForURL(/\/pipeline\/draft/);
  await hand.press(page.getByRole("button", { name: "Try a record", exact: true }));
  const trial = panel("Try a record");
  await hand.press(trial.getByRole("list", { name: "Records found" }).getByRole("button").first());
  await trial.getByText("In the core", { exact: true }).waitFor();
  await hand.press(trial.getByRole("button", { name: /^Upper case/ }));
  const values = panel("Configure Upper case")
    .getByRole("region", { name: "What this node does with the record" })
    .getByRole("row")
    .filter({ hasText: "value" })
    .getByRole("cell");
  await expect.poll(async () => (await values.allTextContents()).at(-1)).toMatch(/^[A-ZÅÄÖ]+$/);
  await user.isSound();
  await page.keyboard.press("Escape");
  await enter("Set value");
  const value = panel("Configure Set value").getByRole("textbox", { name: "Value", exact: true });
  await hand.fill(value, `${await value.inputValue()}, SE`);
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved$/ })
    .waitFor();
  await hand.press(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^[1-9]\d* of 100 records differ$/).waitFor({ timeout: SOON });
  await user.isSound();
  await hand.fill(dialog.getByLabel("Version name"), "With the country");
  const bringIn = dialog.getByRole("checkbox", { name: "Also bring in what exists already" });
  if (await bringIn.isChecked()) await hand.toggle(bringIn);
  await hand.press(dialog.getByRole("button", { name: "Publish version 2" }));
  await page.waitForURL(/\/pipeline\/published/);
}

/** Some active customers of Sweden get another phone number, in one moment. */
async function changePhones(count: number, phone: string): Promise<void> {
  await billing.client.query(
    `UPDATE customers SET phone = $1 WHERE id IN
       (SELECT id FROM customers WHERE country = 'SE' AND status = 'active' AND email IS NOT NULL ORDER BY id LIMIT $2)`,
    [phone, count],
  );
}

/** What was read is written, and each node and connection between says how much passed. */
async function countsAreShown(destination: string, phone: string): Promise<void> {
  await changePhones(2, phone);
  await node("Billing Customers").getByText("2 read").waitFor({ timeout: SOON });
  await node(`Newsletter ${destination}`).getByText("2 written").waitFor({ timeout: SOON });
  await expect.poll(() => page.locator(".ac-edge__count:visible").count()).toBeGreaterThan(8);
  expect(
    await rows(`SELECT DISTINCT city LIKE '%, SE' AS has FROM ${destination.toLowerCase()} WHERE phone = '${phone}'`),
  ).toEqual([{ has: true }]);
}

test("[SYN-001] by keyboard alone: from an empty instance to fifteen nodes, a version that runs, and a refused record sent again", async () => {
  const hand = keyboardOf(page);
  const wasWithoutPointer = await withoutPointer(user.context, page);
  await beginEmpty(hand, "Keyboard");
  await user.open("/sync-studio/new-pipeline");
  await beginPipeline(hand);
  const builder = buildingByKeyboard(page, hand);
  await buildFifteenNodes(page, builder, "Newsletter Mailing");
  await addFieldPipeline(page, builder, "Newsletter Mailing");
  await user.isSound();
  await publish(hand, "Swedes only");
  await node("Newsletter Mailing")
    .getByText(/^[\d,]+ written$/)
    .waitFor({ timeout: SOON });
  await tryAndChange(builder);
  await countsAreShown("Mailing", "+46 1");

  await billing.client.query("ALTER TABLE mailing ADD CONSTRAINT refuses CHECK (phone <> 'refused') NOT VALID");
  await changePhones(1, "refused");
  const waits = {
    pipeline: "Customers",
    node: "Newsletter Mailing",
    tag: "Warning" as const,
    reason: "1 in quarantine",
  };
  await healthIsSaid(user, { ...waits, notification: "Customers: a record is in quarantine" }, SOON, hand);
  await billing.client.query("ALTER TABLE mailing DROP CONSTRAINT refuses");
  await user.open("/sync-studio/details");
  await hand.press(
    page.getByRole("row").filter({ hasText: "Customers" }).getByRole("link", { name: "1 in quarantine" }),
  );
  await hand.press(
    page.getByRole("dialog", { name: "Activity of Customers" }).getByRole("button", { name: "Try all again" }),
  );
  await expect.poll(() => rows("SELECT id FROM mailing WHERE phone = 'refused'"), { timeout: SOON }).toHaveLength(1);
  await agreementIsSaid(user, "Customers", SOON, hand);
  await wasWithoutPointer();
});
