/** Where a person looks for the health of a pipeline: the table, the editor with its nodes, home, and the bell. */
import { expect } from "vitest";
import type { Visitor } from "./visitor.ts";

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
export async function healthIsSaid(visitor: Visitor, expected: Expected, timeout: number): Promise<void> {
  const { page } = visitor;
  const { pipeline, reason, tag, node, notification, system } = expected;
  await visitor.open("/sync-studio/details");
  const row = page.getByRole("row").filter({ hasText: pipeline });
  await row.getByRole("link", { name: reason }).waitFor({ timeout });
  const tags = row.locator(".ac-pipelines__state .ac-tag");
  await expect.poll(() => tags.allTextContents()).toContain(tag);
  await page.getByRole("button", { name: new RegExp(`^1\\s*${tag}$`) }).click();
  await row.getByRole("link", { name: reason }).waitFor();
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => tags.evaluateAll(isCut), { message: `every tag can be read at ${width}` }).toBe(false);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitor.isSound();

  await row.getByText(pipeline, { exact: true }).first().click();
  await page.getByRole("button", { name: reason }).waitFor({ timeout });
  await page.getByRole("group", { name: node, exact: true }).getByText(reason).waitFor();
  await visitor.isSound();

  await visitor.open("/");
  await page.getByRole("link", { name: reason }).waitFor({ timeout });
  if (system) await page.getByRole("listitem").filter({ hasText: system }).getByText("Failing since").waitFor();
  await visitor.isSound();
  await bellSays(visitor, notification, timeout);
  await visitor.isSound();
}

export async function bellSays({ page }: Visitor, notification: string, timeout: number): Promise<void> {
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await page.getByRole("link", { name: notification }).first().waitFor({ timeout });
}

/** Every place says that nothing is wrong any more. */
export async function agreementIsSaid(visitor: Visitor, pipeline: string, timeout: number): Promise<void> {
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
  await row.getByText(pipeline, { exact: true }).first().click();
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
