/** Nothing that was typed is lost without a question: by a link, Back, Esc or a click beside a drawer. */
import { show } from "@accord/ui/test-kit";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  Outlet,
  RouterProvider,
  useNavigate,
} from "@tanstack/react-router";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../app/words.ts";
import { FormDrawer } from "./form-overlays.tsx";
import { useIsChanged, useUnsavedChanges } from "./unsaved-changes.tsx";
import { UnsavedGuard } from "./unsaved-guard.tsx";

function Form({ label, onSave }: { label: string; onSave: () => void }) {
  const [text, setText] = useState("as it was");
  useUnsavedChanges(useIsChanged({ text }));
  return (
    <>
      <label>
        {label}
        <input value={text} onChange={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="button" onClick={onSave}>
        Save {label}
      </button>
    </>
  );
}

function Screen() {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Form label="On the page" onSave={() => void navigate({ to: "/other" as string, ignoreBlocker: true })} />
      <button type="button" onClick={() => setOpened(true)}>
        Open drawer
      </button>
      <FormDrawer opened={opened} onClose={() => setOpened(false)} title="Drawer">
        <Form
          label="In the drawer"
          onSave={() => {
            setOpened(false);
            void navigate({ to: "/other" as string });
          }}
        />
      </FormDrawer>
    </>
  );
}

function openScreen(): void {
  const root = createRootRoute({
    component: () => (
      <>
        <Link to={"/other" as string}>Elsewhere</Link>
        <Outlet />
        <UnsavedGuard />
      </>
    ),
  });
  const at = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component });
  const routeTree = root.addChildren([at("/", Screen), at("/other", () => <h1>The other screen</h1>)]);
  const history = createMemoryHistory({ initialEntries: ["/other", "/"], initialIndex: 1 });
  show(<RouterProvider router={createRouter({ routeTree, history })} />);
}

const field = (name: string) => page.getByRole("textbox", { name });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const other = page.getByRole("heading", { name: "The other screen" });

test("a link away from what was typed asks first: staying keeps it, leaving goes on", async () => {
  openScreen();
  await field("On the page").fill("typed");
  await page.getByRole("link", { name: "Elsewhere" }).click();
  await expect.element(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await press("Cancel");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(field("On the page")).toHaveValue("typed");
  await page.getByRole("link", { name: "Elsewhere" }).click();
  await press("Leave without saving");
  await expect.element(other).toBeVisible();
});

test("what is as it was, or was put back, is left without a question, and so is what was saved", async () => {
  openScreen();
  await field("On the page").fill("typed");
  await field("On the page").fill("as it was");
  await page.getByRole("link", { name: "Elsewhere" }).click();
  await expect.element(other).toBeVisible();
});

test("after saving nobody is asked", async () => {
  openScreen();
  await field("On the page").fill("typed");
  await press("Save On the page");
  await expect.element(other).toBeVisible();
});

test("a drawer that saves, closes and leads elsewhere asks nobody", async () => {
  openScreen();
  await press("Open drawer");
  await field("In the drawer").fill("typed");
  await press("Save In the drawer");
  await expect.element(other).toBeVisible();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("Esc in a drawer asks where something is typed in it, and only there", async () => {
  openScreen();
  await field("On the page").fill("typed");
  await press("Open drawer");
  const drawer = page.getByRole("dialog", { name: "Drawer" });
  await expect.element(drawer).toBeVisible();
  await field("In the drawer").click();
  await userEvent.keyboard("{Escape}");
  await expect.element(drawer).not.toBeInTheDocument();
  await press("Open drawer");
  await field("In the drawer").fill("typed too");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog", { name: "Discard what you typed?" })).toBeVisible();
  await press("Cancel");
  await expect.element(page.getByRole("dialog", { name: "Discard what you typed?" })).not.toBeInTheDocument();
  await expect.element(field("In the drawer")).toHaveValue("typed too");
  await field("In the drawer").click();
  await userEvent.keyboard("{Escape}");
  await press("Discard");
  await expect.element(drawer).not.toBeInTheDocument();
  await expect.element(field("On the page")).toHaveValue("typed");
});
