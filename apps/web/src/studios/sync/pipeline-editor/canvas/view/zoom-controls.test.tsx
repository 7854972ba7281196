/** What zooms the graph and puts it in order can be pressed whatever else is shown. */
import { Notifications, notifications } from "@mantine/notifications";
import "@mantine/notifications/styles.layer.css";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { toast } from "../../../../../shared/toast.tsx";
import { openEditor, row, serveEditor } from "./editor.fixtures.tsx";

serveEditor({ width: 1000, height: 700 });
afterEach(() => notifications.clean());

test("short messages at the lower edge cover none of the controls, as many of them as there may be", async () => {
  openEditor(row(2), {}, <Notifications position="bottom-center" limit={4} transitionDuration={0} />);
  const controls = page.getByRole("button", { name: /^(Zoom in|Zoom out|Show everything|Tidy up)/ });
  await expect.poll(() => controls.elements().length).toBe(4);
  for (const number of [1, 2, 3, 4]) toast.success(`Copied ${number} nodes and 1 edge`);
  const shown = page.getByRole("alert");
  await expect.poll(() => shown.elements().length).toBe(4);
  const boxes = shown.elements().map((each) => each.getBoundingClientRect());
  for (const control of controls.elements()) {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const over = boxes.filter((box) => box.left < right && left < box.right && box.top < bottom && top < box.bottom);
    expect(over, control.getAttribute("aria-label") ?? "").toEqual([]);
  }
});
