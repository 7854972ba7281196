/** A webhook made in the browser from nothing: its address is posted to by the shown commands, and the post is replayed. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

const run = promisify(execFile);
let opened: OpenProduct;
let admin: Visitor;

beforeAll(async () => {
  opened = await openProduct({ demo: false });
  ({ admin } = opened);
});
afterAll(() => opened?.close());

const SAMPLE = '{"shop":"north","orders":[{"id":"A-1","buyer":"Ada"},{"id":"A-2","buyer":"Grace"}]}';

/** The steps from the library to the page of the synapse; answers the secret that was generated. */
async function makeWebhook(): Promise<string> {
  const { page } = admin;
  const next = () => page.getByRole("button", { name: "Next" }).click();
  await admin.open("/synapses/connections/new");
  await page.getByRole("radio", { name: /^Webhook/ }).check();
  await next();
  await page.getByLabel("Display name").fill("Shop orders");
  await page.getByRole("button", { name: "Generate a secret" }).click();
  const copy = page.getByRole("button", { name: /^whsec_/ });
  const secret = /^whsec_[A-Za-z0-9+/]{43}=/.exec((await copy.getAttribute("aria-label")) ?? "")?.[0] ?? "";
  expect(secret).not.toBe("");
  await admin.isSound();
  await next();
  await page.getByLabel("Example of a payload (JSON)").fill(SAMPLE);
  await page.getByLabel("Path to the records").fill("orders");
  await page.getByLabel("Path to a record's id").fill("id");
  await page.getByRole("button", { name: "Read fields from the example" }).click();
  await page.getByLabel("Name in the payload buyer").waitFor();
  await admin.isSound();
  await next();
  await page.getByLabel("Answer (JSON)").fill('{"taken": {{count}}}');
  await admin.isSound();
  await next();
  await page.getByRole("button", { name: "Try it" }).click();
  await page.getByText('202 {"taken": 2}').waitFor();
  await page.getByRole("cell", { name: "Grace" }).waitFor();
  await admin.isSound();
  await next();
  await admin.isSound();
  await page.getByRole("button", { name: "Create synapse" }).click();
  await page.getByText("Nothing was posted yet").waitFor();
  return secret;
}

test("[PLT-024] [PLT-039] [PLT-055] [PLT-130] a webhook is made, posted to by the shown commands, and its post is replayed", async () => {
  const { page } = admin;
  const secret = await makeWebhook();
  await page.getByText("Post a sample from a terminal", { exact: true }).click();
  const commands = (await page.getByLabel("Post a sample from a terminal").textContent()) ?? "";
  await admin.isSound();
  const send = async (given: string): Promise<string> =>
    (await run("sh", ["-c", commands], { env: { ...process.env, SECRET: given } })).stdout;
  const answer = await send(secret);
  expect(answer).toMatch(/^HTTP\/1\.1 202 /);
  expect(answer).toContain('{"taken": 2}');
  await page.getByRole("row").filter({ hasText: "Accepted" }).waitFor();
  expect(await send("not the secret")).toMatch(/^HTTP\/1\.1 401 /);
  await page.getByRole("row").filter({ hasText: "Wrong signature or secret" }).waitFor();

  await page.getByRole("row").filter({ hasText: "Accepted" }).click();
  await page.getByRole("cell", { name: "Grace" }).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByText(/Taken as post \d+, answered with 202/).waitFor();
  await page
    .getByRole("row")
    .filter({ hasText: /Again: post \d+/ })
    .waitFor();
  await admin.isSound();

  await page.getByRole("link", { name: "Use as test payload" }).click();
  await expect.poll(() => page.getByLabel("Test payload (JSON)").inputValue()).toBe(SAMPLE);
  await admin.open("/synapses/custom-synapses/fax/000000000000000000000000");
  await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
}, 60_000);
