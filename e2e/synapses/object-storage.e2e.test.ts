/** A person connects a bucket: says where it is and who reads it, reads what is wrong, and sees rows of its files. */
import { S3_BUCKET, startS3Server, type S3Server } from "@accord/connectors/test-systems/s3-server";
import { afterAll, beforeAll, test } from "vitest";
import { openProduct, type OpenProduct } from "../kit/open-product.ts";
import type { Visitor } from "../kit/visitor.ts";

const KEY = { accessKeyId: "AKIDREADER", secretAccessKey: "only/for+reading=" };

let opened: OpenProduct;
let admin: Visitor;
let storage: S3Server;

/** Long enough for a cycle on a slow machine. */
const SOON = 90_000;

beforeAll(async () => {
  storage = await startS3Server(KEY, "eu-west-3");
  storage.put("incoming/customers.csv", "id,name\n1,Anna\n2,Bruno\n");
  storage.put("incoming/orders/2025.csv", "id,total\n1,5\n");
  storage.put("incoming/orders/2026.csv", "id,total\n2,6\n");
  opened = await openProduct({ demo: false, allow: [new URL(storage.url).host] });
  ({ admin } = opened);
});
afterAll(async () => {
  await opened?.close();
  await storage?.stop();
});

test("a bucket is connected by what the form asks for; a wrong region and a wrong key are named", async () => {
  const { page } = admin;
  await admin.open("/synapses/connections/new");
  await page.getByPlaceholder("Find a system").fill("bucket");
  await page.getByRole("radio", { name: /^Object storage/ }).check();
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("textbox", { name: "Endpoint" }).fill(storage.url);
  await page.getByRole("textbox", { name: "Bucket", exact: false }).fill(S3_BUCKET);
  await page.getByRole("textbox", { name: "Folder (prefix)" }).fill("/incoming");
  await page.getByLabel("Name the bucket in the path").check();
  await admin.isSound();
  await page.getByRole("button", { name: "Next" }).click();
  const secret = page.getByLabel("Secret access key", { exact: false }).first();
  await page.getByLabel("Access key ID", { exact: false }).first().fill(KEY.accessKeyId);
  await secret.fill("mistyped");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByRole("alert").getByText("Enter eu-west-3 as Region.").waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("textbox", { name: "Region", exact: false }).fill("eu-west-3");
  await page.getByRole("button", { name: "Next" }).click();
  await secret.fill("mistyped");
  await page.getByRole("button", { name: "Test connection" }).click();
  await page
    .getByRole("alert")
    .getByText(/secret access key is not that of this access key ID/)
    .waitFor();
  await secret.fill(KEY.secretAccessKey);
  await page.getByRole("button", { name: "Test connection" }).click();
  await page.getByText(/The connection works/).waitFor();
  await admin.isSound();
  await page.getByRole("button", { name: "Create and activate" }).click();
  await page.getByText("Object storage (S3) is active").waitFor({ timeout: SOON });
  await page.getByRole("button", { name: "Open synapse" }).click();
  await page.getByRole("row").filter({ hasText: "orders" }).waitFor();
  await page.getByRole("row").filter({ hasText: "customers" }).click();
  const panel = page.getByRole("complementary", { name: "Customers" });
  await panel.getByRole("button", { name: "Show sample records" }).click();
  await panel.getByRole("cell", { name: "Bruno" }).waitFor();
  await admin.isSound();
});
