/** A node that is removed from a path leaves no gap: its neighbours are connected, in the same step. */
import { Notifications, notifications } from "@mantine/notifications";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openEditor, row, serveEditor } from "../canvas/view/editor.fixtures.tsx";

serveEditor({ width: 1440, height: 900 });
// What tests before these said stays in its store.
beforeEach(() => {
  notifications.clean();
});

const card = (name: string) => page.getByRole("group", { name, exact: true });
const edges = (): string[] =>
  [...document.querySelectorAll(".react-flow__edge")].map((edge) => edge.getAttribute("aria-label") ?? "").toSorted();

test("Delete on a node between two connects them, says so, and one undo brings all of it back", async () => {
  openEditor(row(3), {}, <Notifications />);
  await expect.element(card("Trim 2")).toBeVisible();
  card("Trim 2").element().focus();
  await userEvent.keyboard("{Delete}");
  await expect.poll(edges).toEqual(["Connection from Trim 1 to Trim 3"]);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Trim 1 leads to Trim 3 now");
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(edges).toEqual(["Connection from Trim 1 to Trim 2", "Connection from Trim 2 to Trim 3"]);
  await expect.element(card("Trim 2")).toBeVisible();
});

test("at the end of a path nothing is connected and nothing is said", async () => {
  openEditor(row(3), {}, <Notifications />);
  await expect.element(card("Trim 3")).toBeVisible();
  card("Trim 3").element().focus();
  await userEvent.keyboard("{Delete}");
  await expect.poll(edges).toEqual(["Connection from Trim 1 to Trim 2"]);
  expect(page.getByText(/^Trim 2 leads to/).query()).toBeNull();
});
