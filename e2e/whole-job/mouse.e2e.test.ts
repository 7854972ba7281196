/** The whole job by mouse in few actions, from an empty instance to a destination that failed and comes back, and what was refused and is sent again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addFieldPipeline, buildFifteenNodes } from "../kit/building.ts";
import { buildingByMouse, mouseOf } from "../kit/mouse.ts";
import { agreementIsSaid, healthIsSaid } from "../kit/health.ts";
import {
  beginEmpty,
  beginPipeline,
  changePhones,
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
  job = await openWholeJob("letters");
});
afterAll(async () => {
  await job?.close();
});

test("[SYN-001] by mouse: from an empty instance to fifteen nodes in at most sixty actions, a version that runs, a destination that comes back, and a refused record sent again", async () => {
  const { user, page, billing, rows } = job;
  const hand = mouseOf(page);
  await beginEmpty(job, hand, "Mouse");
  await user.open("/sync-studio/new-pipeline");
  const before = hand.actions();
  await beginPipeline(job, hand);
  const builder = buildingByMouse(page, hand);
  await buildFifteenNodes(page, builder, "Newsletter Letters");
  await addFieldPipeline(page, builder, "Newsletter Letters");
  await expect.poll(() => page.locator(".react-flow__node-pipeline").count()).toBe(15);
  expect(hand.actions() - before).toBeLessThanOrEqual(60);
  await user.isSound();
  await publish(job, hand, "Swedes only");
  await page
    .getByRole("group", { name: "Newsletter Letters", exact: true })
    .getByText(/^[\d,]+ written$/)
    .waitFor({ timeout: SOON });
  await tryAndChange(job, builder);
  await countsAreShown(job, "Letters", "+46 2");

  await billing.client.query("ALTER TABLE letters RENAME TO away");
  await changePhones(job, 3, "+46 3");
  const fails = {
    pipeline: "Customers",
    node: "Newsletter Letters",
    tag: "Error" as const,
    reason: "Newsletter fails",
    system: "Newsletter",
  };
  await healthIsSaid(user, { ...fails, notification: "Customers: Newsletter fails" }, SOON, hand);
  await billing.client.query("ALTER TABLE away RENAME TO letters");
  // What waited is sent by itself, with nothing pressed.
  await expect.poll(() => rows("SELECT id FROM letters WHERE phone = '+46 3'"), { timeout: 2 * SOON }).toHaveLength(3);
  await agreementIsSaid(user, "Customers", SOON, hand);

  // What was refused waits until somebody sends it again.
  await refuseAndReplay(job, hand, "Letters");
  await agreementIsSaid(user, "Customers", SOON, hand);
}, 600_000);
