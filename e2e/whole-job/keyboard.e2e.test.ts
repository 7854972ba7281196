/** The whole job by keyboard alone, from an empty instance to what was refused and is sent again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addFieldPipeline, buildFifteenNodes, buildingByKeyboard } from "../kit/building.ts";
import { keyboardOf, withoutPointer } from "../kit/hands.ts";
import { agreementIsSaid, healthIsSaid } from "../kit/health.ts";
import {
  beginEmpty,
  beginPipeline,
  changePhones,
  countsAreShown,
  openWholeJob,
  publish,
  SOON,
  tryAndChange,
  type WholeJob,
} from "../kit/whole-job.ts";

let job: WholeJob;

beforeAll(async () => {
  job = await openWholeJob("mailing");
});
afterAll(async () => {
  await job?.close();
});

test("[SYN-001] by keyboard alone: from an empty instance to fifteen nodes, a version that runs, and a refused record sent again", async () => {
  const { user, page, billing, rows } = job;
  const hand = keyboardOf(page);
  const wasWithoutPointer = await withoutPointer(user.context, page);
  await beginEmpty(job, hand, "Keyboard");
  await user.open("/sync-studio/new-pipeline");
  await beginPipeline(job, hand);
  const builder = buildingByKeyboard(page, hand);
  await buildFifteenNodes(page, builder, "Newsletter Mailing");
  await addFieldPipeline(page, builder, "Newsletter Mailing");
  await user.isSound();
  await publish(job, hand, "Swedes only");
  await page
    .getByRole("group", { name: "Newsletter Mailing", exact: true })
    .getByText(/^[\d,]+ written$/)
    .waitFor({ timeout: SOON });
  await tryAndChange(job, builder);
  await countsAreShown(job, "Mailing", "+46 1");

  await billing.client.query("ALTER TABLE mailing ADD CONSTRAINT refuses CHECK (phone <> 'refused') NOT VALID");
  await changePhones(job, 1, "refused");
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
