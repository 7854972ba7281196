/** Pages of Settings are found by Ctrl-K, as far as the person may see them. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openPalette, PaletteView } from "../../../frame/shell/palette-view.tsx";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import "./routes.tsx";

beforeEach(() => queryClient.clear());

const openAs = async (permissions: readonly string[], text: string): Promise<void> => {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions });
  showInRouter(() => <PaletteView />);
  // Shown by a router, it is there a moment later.
  await expect
    .poll(() => {
      openPalette();
      return page.getByRole("dialog").query();
    })
    .not.toBeNull();
  await userEvent.fill(page.getByPlaceholder("Search or jump to…"), text);
};

test("who may list instances finds them by name and by what is done there", async () => {
  await openAs(["LIST_INSTANCES"], "insta");
  await expect.element(page.getByRole("button", { name: /^Instances/ })).toBeVisible();
  await userEvent.fill(page.getByPlaceholder("Search or jump to…"), "workspaces");
  await expect.element(page.getByRole("button", { name: /^Instances/ })).toBeVisible();
});

test("who may not is offered only what remains", async () => {
  await openAs([], "name");
  await expect.element(page.getByRole("button", { name: /^Your profile/ })).toBeVisible();
  expect(page.getByRole("button", { name: /^Instances/ }).query()).toBeNull();
});
