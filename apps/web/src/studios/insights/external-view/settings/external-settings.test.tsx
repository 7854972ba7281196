/** Settings of the external view: switched on, filled in, refused at fields, the secret never shown, removed. */
import axe from "axe-core";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { hasUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import {
  EVERYTHING,
  type ExternalServer,
  signInWith,
  storedSettings,
  withExternalServer,
} from "../external-server.fixtures.ts";
import { ExternalSettingsScreen } from "./external-settings-screen.tsx";

let server: ExternalServer;
withExternalServer((started) => (server = started));

const open = () => showInRouter(() => <ExternalSettingsScreen />);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const box = (name: string) => page.getByRole("textbox", { name, exact: true });
const shown = () => page.getByRole("switch", { name: /^Show the external view/ });

test("[INS-137] it is switched on and off here, by whoever may turn features", async () => {
  server.isActive = false;
  open();
  await expect.element(shown()).not.toBeChecked();
  await expect.element(page.getByRole("link", { name: "Look at it" })).not.toBeInTheDocument();
  await shown().click();
  await expect.element(shown()).toBeChecked();
  await expect.element(page.getByRole("link", { name: "Look at it" })).toBeVisible();
  await shown().click();
  await expect.element(shown()).not.toBeChecked();
  signInWith(EVERYTHING.filter((permission) => permission !== "ENABLE_FEATURE"));
  open();
  await expect.element(page.getByText(/You may not turn features/).first()).toBeVisible();
  await expect.element(shown()).toBeDisabled();
});

test("a new product is filled in by keys and saved with what stands there from the start", async () => {
  server.isConfigured = false;
  open();
  await expect.element(box("Name")).toHaveValue("");
  await expect.element(page.getByRole("textbox", { name: "Of a dashboard" })).toHaveValue("dashboards/{id}");
  box("Name").element().focus();
  await userEvent.keyboard("Lighthouse{Tab}https://bi.example.com/embed");
  await page.getByLabelText(/^Secret/).fill("x".repeat(32));
  expect(hasUnsavedChanges()).toBe(true);
  await expect.element(page.getByText(/frame-ancestors https:..accord.example/)).toBeVisible();
  await expect.element(page.getByText("https://bi.example.com", { exact: true })).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => server.saved).toHaveLength(1);
  expect(server.saved[0]).toMatchObject({
    ...{ name: "Lighthouse", address: "https://bi.example.com/embed", secret: "x".repeat(32), version: 0 },
    ...{ sendsPerson: false, checksAccess: false, tokenSeconds: 300, listAddress: "" },
  });
  expect(JSON.stringify(server.saved[0])).not.toContain("undefined");
});

test("a stored secret is never shown and stays unless another one is typed", async () => {
  open();
  const secret = page.getByLabelText(/^Secret/);
  await expect.element(secret).toHaveValue("");
  await expect.element(page.getByText("A secret is stored. Leave this empty to keep it.")).toBeVisible();
  await box("Name").fill("Renamed");
  await button("Save").click();
  await expect.poll(() => server.saved).toHaveLength(1);
  expect(Object.keys(server.saved[0] ?? {})).not.toContain("secret");
  expect(server.saved[0]).toMatchObject({ name: "Renamed", version: 1 });
});

test("refusals stand at their fields, what was typed stays, and the first one has the focus", async () => {
  server.refusals["PUT /insights-provider/settings"] = {
    ...{ status: 400, code: "validation_failed", message: "Some of what was sent can't be used." },
    errors: [
      { path: "paths.dashboard", message: "must contain {id}" },
      { path: "tokenSeconds", message: "must be at most 600 seconds" },
    ],
  };
  open();
  await page.getByRole("textbox", { name: "Of a dashboard" }).fill("d");
  await page.getByRole("textbox", { name: "Seconds it is good for" }).fill("601");
  await button("Save").click();
  await expect.element(page.getByText("must contain {id}")).toBeVisible();
  await expect.element(page.getByText("must be at most 600 seconds")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Of a dashboard" })).toHaveFocus();
  await expect.element(page.getByRole("textbox", { name: "Of a dashboard" })).toHaveValue("d");
  server.refusals["PUT /insights-provider/settings"] = {
    ...{
      status: 403,
      code: "credential_host_changed",
      message: "The stored credentials were entered for a, not for b.",
    },
    description: "Enter the credentials again to use them there.",
  };
  await button("Save").click();
  await expect.element(page.getByText(/entered for a, not for b\. Enter the credentials again/)).toBeVisible();
  await expect.element(page.getByLabelText(/^Secret/)).toHaveFocus();
});

test("newer settings of somebody else are loaded on demand, and what was typed stays until then", async () => {
  open();
  await box("Name").fill("Renamed");
  const { settings } = storedSettings();
  server.stored = { version: 5, settings: { ...settings, name: "Beacon" } };
  server.refusals["PUT /insights-provider/settings"] = {
    ...{ status: 409, code: "stale_version", message: "Somebody else changed this in the meantime." },
  };
  await button("Save").click();
  await expect.element(page.getByText("What you typed stays here until you load them.")).toBeVisible();
  await expect.element(box("Name")).toHaveValue("Renamed");
  await button("Load the newer settings").click();
  await expect.element(box("Name")).toHaveValue("Beacon");
  server.refusals = {};
  await button("Save").click();
  await expect.poll(() => server.saved).toMatchObject([{ name: "Beacon", version: 5 }]);
});

test("removing asks first, and begins anew", async () => {
  open();
  await button("Remove").click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect.element(box("Name")).toHaveValue("");
  await expect.element(button("Remove")).not.toBeInTheDocument();
});

test("loading, failing and not being allowed are said", async () => {
  server.slow = "GET /insights-provider/settings";
  open();
  await expect.element(page.getByRole("status", { name: "Loading" })).toBeInTheDocument();
  server.slow = "-";
  server.refusals["GET /insights-provider/settings"] = { status: 500, code: "internal_error", message: "It broke." };
  open();
  await expect.element(page.getByText("It broke.").first()).toBeVisible();
  signInWith(["READ_DASHBOARD"]);
  open();
  await expect.element(page.getByRole("heading", { name: /have access/ })).toBeVisible();
});

test("axe finds nothing wrong with the screen", async () => {
  open();
  await expect.element(box("Name")).toHaveValue("Lighthouse");
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});
