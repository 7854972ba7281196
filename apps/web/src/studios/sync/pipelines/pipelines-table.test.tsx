/** The pipelines table with many rows, and what of its look is kept over a reload. */
import { id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { PipelinesScreen } from "./pipelines-screen.tsx";

const COUNT = 500;
const LOOK = "accord.pipelines.look";
const nameOf = (index: number) => `Pipeline ${String(index + 1).padStart(3, "0")}`;
const rows = Array.from({ length: COUNT }, (_, index) =>
  pipelineRow({
    ...{ id: id("entity").parse(String(index + 1).padStart(24, "0")), name: nameOf(index), apiName: `p${index}` },
    currentActivity: `Reading ${index + 1}`,
  }),
);
const summary = { total: COUNT, draft: 0, running: COUNT, resyncing: 0, paused: 0, error: 0, warning: 0 };

const network = globalThis.fetch;
beforeEach(async () => {
  await page.viewport(1440, 900);
  queryClient.clear();
  localStorage.removeItem(LOOK);
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    const query = new URLSearchParams(call.split("?")[1]);
    const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("pageSize") ?? 25)];
    const shown = rows.slice((number - 1) * size, number * size);
    return Response.json({ rows: shown, total: COUNT, page: number, unmapped: 0, summary });
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  localStorage.removeItem(LOOK);
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const open = (address = "/sync-studio/details") => showScreens({ "/sync-studio/details": PipelinesScreen }, address);
const drawn = () => [...document.querySelectorAll<HTMLElement>(".ac-table [data-row-index]")];
const firstAndLast = () =>
  [drawn().at(0), drawn().at(-1)].map((row) => /Pipeline \d+/.exec(row?.textContent ?? "")?.[0]);
const head = (name: string) => page.getByRole("columnheader", { name });
const widthOf = (name: string) => head(name).element().getBoundingClientRect().width;

test("[SYN-021] five hundred pipelines are paged through a hundred at a time, each page to its last row", async () => {
  open("/sync-studio/details?pageSize=100");
  // The second page by a press beside it, the last by its number.
  for (const [number, control] of [
    [1, undefined],
    [2, "Next page"],
    [5, "5"],
  ] as const) {
    if (control) await page.getByRole("button", { name: control, exact: true }).click();
    await expect.poll(firstAndLast).toEqual([nameOf((number - 1) * 100), nameOf(number * 100 - 1)]);
    expect(drawn()).toHaveLength(100);
    drawn().at(0)?.focus();
    await userEvent.keyboard("{End}");
    const last = page.elementLocator(drawn().at(-1) ?? document.body);
    await expect.element(last).toHaveFocus();
    await expect.element(last).toBeInViewport();
  }
  await expect.element(page.getByRole("button", { name: "Next page" })).toBeDisabled();
});

test("chosen columns, their widths and compact rows are there again after a reload", async () => {
  open();
  await expect.element(head("Sources")).toBeVisible();
  const height = drawn()[0]?.offsetHeight ?? 0;
  await page.getByRole("button", { name: "Columns" }).click();
  const column = (name: string) => page.getByRole("checkbox", { name, exact: true });
  await column("Sources").click();
  await column("Lag").click();
  await userEvent.keyboard("{Escape}");
  await page.getByRole("switch", { name: "Compact rows" }).click();
  const before = widthOf("Last completed");
  const grip = head("Last completed").element().querySelector(".ac-table__grip");
  if (!grip) throw new Error("the column has no grip");
  const { x, y } = grip.getBoundingClientRect();
  for (const [type, by] of [
    ["pointerdown", 0],
    ["pointermove", 60],
    ["pointerup", 60],
  ] as const)
    grip.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX: x + by, clientY: y }));
  await expect.poll(() => Math.round(widthOf("Last completed") - before)).toBe(60);

  open();
  await expect.element(head("Lag")).toBeVisible();
  await expect.element(head("Sources")).not.toBeInTheDocument();
  await expect.element(page.getByRole("switch", { name: "Compact rows" })).toBeChecked();
  expect(drawn()[0]?.offsetHeight).toBeLessThan(height);
  expect(Math.round(widthOf("Last completed") - before)).toBe(60);
});
