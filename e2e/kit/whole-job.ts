/** Steps of the whole job in Sync Studio, by whichever hand: from an empty instance to a version that runs and counts. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openDemoBilling, type DemoBilling } from "../../apps/server/test-kit/demo-billing.ts";
import type { Builder } from "./building.ts";
import { type Hand, hasFocus } from "./hands.ts";
import { openDemo } from "./open-product.ts";
import type { Visitor } from "./visitor.ts";

/** Long enough for a cycle on a slow machine. */
export const SOON = 90_000;

export interface WholeJob {
  user: Visitor;
  page: Page;
  billing: DemoBilling;
  rows(statement: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** The demo, with a table in Billing that a pipeline can write to. */
export async function openWholeJob(table: string): Promise<WholeJob> {
  const demo = await openDemo();
  const billing = await openDemoBilling(demo.product.home);
  await billing.client.query(
    `CREATE TABLE ${table} (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, email text, phone text, city text)`,
  );
  return {
    user: demo.admin,
    page: demo.admin.page,
    billing,
    rows: async (statement) => (await billing.client.query(statement)).rows,
    close: async () => {
      await billing.client.end();
      await demo.close();
    },
  };
}

const panel = (page: Page, name: string | RegExp): Locator => page.getByRole("complementary", { name });
const node = (page: Page, label: string): Locator => page.getByRole("group", { name: label, exact: true });

/** An instance of its own, with the demo's Billing connected twice: as what is read, and as what is written. */
export async function beginEmpty(job: WholeJob, hand: Hand, name: string): Promise<void> {
  const { user, page } = job;
  await user.open("/instance");
  await hand.press(page.getByRole("button", { name: "Create instance" }));
  const dialog = page.getByRole("dialog");
  await hand.fill(dialog.getByLabel("Name", { exact: true }), name);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await hand.press(page.getByRole("button", { name: /^Instance:/ }));
  await hand.press(page.getByRole("menuitem", { name, exact: true }));
  await page.getByText(`How ${name} is doing.`).waitFor();
  await connect(job, hand, "Billing");
  await connect(job, hand, "Newsletter");
}

async function connect({ user, page, billing }: WholeJob, hand: Hand, name: string): Promise<void> {
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
export async function beginPipeline({ page }: WholeJob, hand: Hand): Promise<void> {
  await hand.fill(page.getByPlaceholder("Find a system or an entity"), "billing cust");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await hand.press(page.getByRole("button", { name: "Open in the editor" }));
  await page.waitForURL(/\/pipeline\/draft/);
  await node(page, "Customers").waitFor();
}

export async function publish({ page }: WholeJob, hand: Hand, name: string): Promise<void> {
  const validate = page.getByRole("button", { name: "Validate" });
  await hand.press(validate);
  await panel(page, "Problems")
    .getByText(/^0 errors/)
    .waitFor();
  // Whoever goes on by keyboard goes on from there.
  expect(await hasFocus(validate)).toBe(true);
  await hand.press(page.getByRole("button", { name: "Publish", exact: true }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "All that are ready (1)", checked: true }).waitFor();
  await dialog.getByText(/^Nothing is published yet/).waitFor();
  await hand.fill(dialog.getByLabel("Version name"), name);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/pipeline\/published/);
}

/** A stored record passes the draft, one node is changed, and the next version is published after a look at what differs. */
export async function tryAndChange({ user, page }: WholeJob, builder: Builder): Promise<void> {
  const { hand, enter } = builder;
  await hand.press(page.getByRole("button", { name: "Create draft" }));
  await page.waitForURL(/\/pipeline\/draft/);
  await hand.press(page.getByRole("button", { name: "Try a record", exact: true }));
  const trial = panel(page, "Try a record");
  await hand.press(trial.getByRole("list", { name: "Records found" }).getByRole("button").first());
  await trial.getByText("In the core", { exact: true }).waitFor();
  await hand.press(trial.getByRole("button", { name: /^Upper case/ }));
  const values = panel(page, "Configure Upper case")
    .getByRole("region", { name: "What this node does with the record" })
    .getByRole("row")
    .filter({ hasText: "value" })
    .getByRole("cell");
  await expect.poll(async () => (await values.allTextContents()).at(-1)).toMatch(/^[A-ZÅÄÖ]+$/);
  await user.isSound();
  await page.keyboard.press("Escape");
  await enter("Set value");
  const value = panel(page, "Configure Set value").getByRole("textbox", { name: "Value", exact: true });
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
export async function changePhones({ billing }: WholeJob, count: number, phone: string): Promise<void> {
  await billing.client.query(
    `UPDATE customers SET phone = $1 WHERE id IN
       (SELECT id FROM customers WHERE country = 'SE' AND status = 'active' AND email IS NOT NULL ORDER BY id LIMIT $2)`,
    [phone, count],
  );
}

/** What was read is written, and each node and connection between says how much passed. */
export async function countsAreShown(job: WholeJob, destination: string, phone: string): Promise<void> {
  const { page, rows } = job;
  await changePhones(job, 2, phone);
  await node(page, "Billing Customers").getByText("2 read").waitFor({ timeout: SOON });
  await node(page, `Newsletter ${destination}`).getByText("2 written").waitFor({ timeout: SOON });
  await expect.poll(() => page.locator(".ac-edge__count:visible").count()).toBeGreaterThan(8);
  expect(
    await rows(`SELECT DISTINCT city LIKE '%, SE' AS has FROM ${destination.toLowerCase()} WHERE phone = '${phone}'`),
  ).toEqual([{ has: true }]);
}

/** A record that the destination refuses waits in quarantine; once it would take it, the record is sent again by hand. */
export async function refuseAndReplay(
  job: WholeJob,
  hand: Hand,
  destination: string,
  whileRefused: () => Promise<void> = async () => {},
): Promise<void> {
  const { user, page, billing, rows } = job;
  const table = destination.toLowerCase();
  await billing.client.query(`ALTER TABLE ${table} ADD CONSTRAINT refuses CHECK (phone <> 'refused') NOT VALID`);
  await changePhones(job, 1, "refused");
  await whileRefused();
  await user.open("/sync-studio/details");
  const inQuarantine = page
    .getByRole("row")
    .filter({ hasText: "Customers" })
    .getByRole("link", { name: "1 in quarantine" });
  await inQuarantine.waitFor({ timeout: SOON });
  await billing.client.query(`ALTER TABLE ${table} DROP CONSTRAINT refuses`);
  await hand.press(inQuarantine);
  await hand.press(
    page.getByRole("dialog", { name: "Activity of Customers" }).getByRole("button", { name: "Try all again" }),
  );
  await expect.poll(() => rows(`SELECT id FROM ${table} WHERE phone = 'refused'`), { timeout: SOON }).toHaveLength(1);
}
