/** Where a person looks for the health of a pipeline: the table, the editor with its nodes, home, and the bell. */
import { expect } from "vitest";
import type { Hand } from "./hands.ts";
import type { Visitor } from "./visitor.ts";

/** How things are pressed; by mouse where nothing else is said. A row is opened at its name, or by its key. */
type Press = Pick<Hand, "press" | "openRow">;
const CLICKS: Press = {
  press: (what) => what.click(),
  openRow: (row, name) => row.getByText(name, { exact: true }).first().click(),
};

export interface Expected {
  pipeline: string;
  /** "Newsletter fails". */
  reason: string;
  tag: "Error" | "Warning";
  /** Title of the node it is about. */
  node: string;
  /** Under the bell. */
  notification: string;
  /** The system it is about, where it fails. */
  system?: string;
}

/** Every place says the same, as soon as the next cycle is over. */
export async function healthIsSaid(
  visitor: Visitor,
  expected: Expected,
  timeout: number,
  hand: Press = CLICKS,
): Promise<void> {
  const { page } = visitor;
  const { pipeline, reason, tag, node, notification, system } = expected;
  await visitor.open("/sync-studio/details");
  const row = page.getByRole("row").filter({ hasText: pipeline });
  await row.getByRole("link", { name: reason }).waitFor({ timeout });
  const tags = row.locator(".ac-pipelines__state .ac-tag");
  await expect.poll(() => tags.allTextContents()).toContain(tag);
  await hand.press(page.getByRole("button", { name: new RegExp(`^1\\s*${tag}$`) }));
  await row.getByRole("link", { name: reason }).waitFor();
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => tags.evaluateAll(isCut), { message: `every tag can be read at ${width}` }).toBe(false);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitor.isSound();

  await hand.openRow(row, pipeline);
  await page.getByRole("button", { name: reason }).waitFor({ timeout });
  await page.getByRole("group", { name: node, exact: true }).getByText(reason).waitFor();
  await visitor.isSound();

  await visitor.open("/");
  await page.getByRole("link", { name: reason }).waitFor({ timeout });
  if (system) await page.getByRole("listitem").filter({ hasText: system }).getByText("Failing since").waitFor();
  await visitor.isSound();
  await bellSays(visitor, notification, timeout, hand);
  await visitor.isSound();
}

export async function bellSays(
  { page }: Visitor,
  notification: string,
  timeout: number,
  hand: Press = CLICKS,
): Promise<void> {
  await hand.press(page.getByRole("button", { name: /^Notifications/ }));
  await page.getByRole("link", { name: notification }).first().waitFor({ timeout });
}

/** Every place says that nothing is wrong any more. */
export async function agreementIsSaid(
  visitor: Visitor,
  pipeline: string,
  timeout: number,
  hand: Press = CLICKS,
): Promise<void> {
  const { page } = visitor;
  await visitor.open("/");
  const listed = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: pipeline, exact: true }) });
  await listed.getByText("In agreement", { exact: true }).waitFor({ timeout });
  // Systems are read by a call of their own.
  await expect.poll(() => page.getByText("Failing since").count()).toBe(0);
  await visitor.open("/sync-studio/details");
  const row = page.getByRole("row").filter({ hasText: pipeline });
  await row.getByText("Running", { exact: true }).waitFor({ timeout });
  await expect.poll(() => row.locator(".ac-pipelines__state .ac-tag").allTextContents()).toEqual(["Running"]);
  await hand.openRow(row, pipeline);
  await page.getByRole("heading", { name: `${pipeline} pipeline` }).waitFor();
  const troubles = page.locator(".ac-run-strip .ac-health, .ac-node__health .ac-tag:not(.ac-node-flow *)");
  await expect.poll(() => troubles.count()).toBe(0);
}

/** Whether any of them is drawn outside of the cell that holds it. */
const isCut = (tags: (Element | SVGElement)[]): boolean =>
  tags.some((tag) => {
    const cell = tag.closest("[role=gridcell]")?.getBoundingClientRect();
    const box = tag.getBoundingClientRect();
    return (
      !cell || box.right > cell.right || box.left < cell.left || box.bottom > cell.bottom || box.right > innerWidth
    );
  });
