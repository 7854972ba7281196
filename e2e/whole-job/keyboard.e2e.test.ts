/** The whole job by keyboard alone, from an empty instance to what was refused and is sent again. */
import { afterAll, beforeAll, test } from "vitest";
import { addFieldPipeline, buildFifteenNodes, buildingByKeyboard } from "../kit/building.ts";
import { keyboardOf, withoutPointer } from "../kit/hands.ts";
import { agreementIsSaid, healthIsSaid } from "../kit/health.ts";
import {
  beginEmpty,
  beginPipeline,
  countsAreShown,
  openWholeJob,
  publish,
  refuseAndReplay,
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
  const { user, page } = job;
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

  const waits = {
    pipeline: "Customers",
    node: "Newsletter Mailing",
    tag: "Warning" as const,
    reason: "1 in quarantine",
    notification: "Customers: a record is in quarantine",
  };
  await refuseAndReplay(job, hand, "Mailing", () => healthIsSaid(user, waits, SOON, hand));
  await agreementIsSaid(user, "Customers", SOON, hand);
  await wasWithoutPointer();
});
