/** An uploaded synapse made from nothing in the browser: tested, submitted, approved by somebody else, connected. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import { invitePerson } from "../kit/people.ts";
import type { Visitor } from "../kit/visitor.ts";

const TASK = { id: 7, title: "Write the report", done: false, updatedAt: "2026-01-01T00:00:00.000Z" };
const system = createServer(({ headers: { authorization } }, response) =>
  authorization === "Bearer right-token"
    ? response.setHeader("content-type", "application/json").end(JSON.stringify([TASK]))
    : response.writeHead(401).end(),
);
let opened: OpenProduct;
let author: Visitor;
let address: string;

beforeAll(async () => {
  await new Promise<void>((done) => system.listen(0, "127.0.0.1", done));
  const { port } = system.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
  opened = await openProduct({ demo: false, allow: [`127.0.0.1:${port}`] });
  const { browser, product, admin } = opened;
  author = await invitePerson({ browser, url: product.url, admin }, "Sync Manager", {
    ...{ email: "ada@example.com", firstName: "Ada", lastName: "Author", password: "seven-grey-herons-2" },
  });
});
afterAll(async () => {
  await opened?.close();
  system.close();
});

const button = ({ page }: Visitor, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** The template as it is downloaded, and its program. */
async function downloadTemplate({ page }: Visitor): Promise<string> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download template" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe("my-synapse.zip");
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  return readFileSync("packages/connector-sdk/template/synapse.mjs", "utf8");
}

/** Step Create synapse. */
async function create(): Promise<void> {
  const { page } = author;
  await author.open("/synapses/custom-synapses");
  await author.isSound();
  await button(author, "SDK: upload a program").click();
  const code = await downloadTemplate(author);
  await button(author, "Read the guide").click();
  await page.getByRole("heading", { name: "Uploaded synapses" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Display name").fill("Task board");
  expect(await page.getByLabel("API name").inputValue()).toBe("task-board");
  await page.locator("input[type=file]").setInputFiles([
    { name: "synapse.mjs", mimeType: "text/javascript", buffer: Buffer.from(code) },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no") },
  ]);
  await page.getByText(/notes\.txt is none of the files/).waitFor();
  await button(author, "Use what this server provides").click();
  await author.isSound();
  await button(author, "Create draft and go on").click();
}

/** Steps Test authentication, Sharing options, and the first half of Review and submit. */
async function tryAndSubmit(): Promise<void> {
  const { page } = author;
  await page.getByRole("textbox", { name: "Address" }).fill(address);
  await page.getByRole("textbox", { name: "Token" }).fill("wrong-token");
  await button(author, "Test authentication").last().click();
  await page.getByText("The token is not accepted.").waitFor();
  await page.getByText(/^401 in/).waitFor();
  await page.getByRole("textbox", { name: "Token" }).fill("right-token");
  await button(author, "Test authentication").last().click();
  await page.getByText("Task, 4 fields").waitFor();
  expect(await page.locator("body").textContent()).not.toContain("right-token");
  await author.isSound();
  await button(author, "Next").click();
  await page.getByText("Rights of its author").waitFor();
  await author.isSound();
  await button(author, "Next").click();
  await page
    .getByText(/SHA-256 [0-9a-f]{64}/)
    .first()
    .waitFor();
  await page.getByText("Whatever Address says in each connection").waitFor();
  await author.isSound();
  await button(author, "Submit").click();
  await page.getByText("Task board is submitted for approval.").waitFor();
  await button(author, "Withdraw").click();
  await page.getByText("Task board is withdrawn.").waitFor();
  await button(author, "Submit").click();
  await page.getByText("It waits for somebody else").waitFor();
}

test("[PLT-040] [PLT-074] [PLT-142] a program is uploaded, tried, submitted, approved by somebody else and connected", async () => {
  await create();
  await tryAndSubmit();

  const { admin } = opened;
  await admin.open("/synapses/custom-synapses");
  await admin.page.getByRole("row").filter({ hasText: "Task board" }).getByText("Submitted").click();
  await admin.page.getByRole("checkbox", { name: /I read the code/ }).check();
  await admin.isSound();
  await button(admin, "Approve").click();
  await admin.page.getByText("This version is what connections run.", { exact: false }).waitFor();

  const { page } = author;
  await author.open("/synapses/custom-synapses");
  await page.getByRole("row").filter({ hasText: "Task board" }).getByText("Deployed").click();
  await button(author, "Connect").click();
  await page.getByRole("textbox", { name: "Address" }).fill(address);
  await button(author, "Next").click();
  await page.getByRole("textbox", { name: "Token" }).fill("right-token");
  await button(author, "Test connection").click();
  await page.getByText(/The connection works/).waitFor();
  await button(author, "Create and activate").click();
  await page.getByText("Tasks is active").waitFor();
  await button(author, "Open synapse").click();
  await page.getByRole("row").filter({ hasText: "Task" }).first().click();
  await button(author, "Show sample records").click();
  await page.getByText(TASK.title).first().waitFor();

  await author.open("/synapses/custom-synapses");
  const row = page.getByRole("row").filter({ hasText: "Task board" });
  await row.getByTitle("1 connection").waitFor();
  await row.getByText("Deployed").click();
  await button(author, "Delete synapse").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete synapse" }).click();
  const refusal = page.getByRole("dialog", { name: "Unable to delete the synapse" });
  await refusal.getByText("This is still in use.", { exact: false }).waitFor();
  await refusal.getByRole("listitem").filter({ hasText: "Tasks" }).waitFor();
});
