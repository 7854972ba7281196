/** Signing in, inviting, passwords, roles and instances, as people do it in the browser. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN } from "./kit/admin.ts";
import { startProduct, type Product } from "./kit/product.ts";
import { oneTimeLink } from "./kit/people.ts";
import { newVisitor, openBrowser, type Visitor } from "./kit/visitor.ts";

let product: Product;
let browser: Browser;
let admin: Visitor;

beforeAll(async () => {
  product = await startProduct({
    demo: false,
    environment: { ACCORD_KEEP_QUARANTINE_DAYS: "0", ACCORD_KEEP_MAILS_DAYS: "1" },
  });
  browser = await openBrowser();
  admin = await newVisitor(browser, product.url);
});
afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const GUEST = { email: "rosa.novak@example.com", first: "Rosa", last: "Novak", password: "seven-quiet-harbours" };

test("[PLT-010] [PLT-065] [PLT-135] a deep link signed out leads to sign-in with the reason, and back after it", async () => {
  const { page } = admin;
  await admin.open("/settings/outbox");
  await page.waitForURL(/\/login\?/);
  const asked = new URL(page.url()).searchParams;
  expect(asked.get("redirectTo")).toBe("/settings/outbox");
  expect(asked.get("errorMessage")).toBeTruthy();
  await page.getByText(asked.get("errorMessage") ?? "").waitFor();
  await admin.isSound();

  await admin.signIn(ADMIN.email, "not the password");
  await page.getByRole("alert").getByText("is wrong").waitFor();
  await admin.signIn();
  await page.waitForURL("**/settings/outbox");
  await page.getByRole("heading", { name: "Outbox" }).waitFor();
  await admin.isSound();
});

test("[PLT-065] a return address outside the product is ignored", async () => {
  const stranger = await newVisitor(browser, product.url);
  await stranger.open("/login?redirectTo=https%3A%2F%2Fevil.example%2F");
  await stranger.signIn();
  await stranger.page.getByRole("heading", { name: /Hello/ }).waitFor();
  expect(new URL(stranger.page.url()).origin).toBe(new URL(product.url).origin);
  await stranger.isSound();
  await stranger.context.close();
});

test("[PLT-007] [PLT-113] an invited person sets a password from the mail and signs in; the link works once", async () => {
  const { page } = admin;
  await admin.open("/user");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill(GUEST.email);
  await dialog.getByLabel("First name").fill(GUEST.first);
  await dialog.getByLabel("Last name").fill(GUEST.last);
  await dialog.getByRole("checkbox", { name: "Viewer", exact: true }).waitFor();
  await admin.isSound();
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await page.getByRole("row").filter({ hasText: GUEST.email }).getByText("Invited").waitFor();

  const path = new URL(await oneTimeLink(admin, GUEST.email, "invites you to Accord")).pathname;
  await admin.isSound();

  const guest = await newVisitor(browser, product.url);
  await guest.open(path);
  await guest.page.getByRole("button", { name: "Set password" }).click();
  await guest.page.getByText("New password is required").waitFor();
  await guest.page.getByLabel("New password", { exact: true }).fill(GUEST.password);
  await guest.page.getByLabel("Confirm password", { exact: true }).fill("something else");
  await guest.page.getByRole("button", { name: "Set password" }).click();
  await guest.page.getByText("The passwords don't match").waitFor();
  await guest.isSound();
  await guest.page.getByLabel("Confirm password", { exact: true }).fill(GUEST.password);
  await guest.page.getByRole("button", { name: "Set password" }).click();
  await guest.page.getByRole("heading", { name: "You're in" }).waitFor();

  await guest.open(path);
  await guest.page.getByLabel("New password", { exact: true }).fill(GUEST.password);
  await guest.page.getByLabel("Confirm password", { exact: true }).fill(GUEST.password);
  await guest.page.getByRole("button", { name: "Set password" }).click();
  await guest.page.getByRole("heading", { name: "This invitation doesn't work any more" }).waitFor();

  await guest.signIn(GUEST.email, GUEST.password);
  await guest.page.getByRole("heading", { name: "Hello, Rosa" }).waitFor();
  const nav = guest.page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Sync studio" }).waitFor();
  expect(await nav.getByRole("link", { name: "Users" }).count()).toBe(0);
  await guest.open("/settings/outbox");
  await guest.page.getByRole("heading", { name: "You don't have access to this" }).waitFor();
  await guest.isSound();
  await guest.context.close();
});

test("[PLT-006] [PLT-028] [PLT-085] a forgotten password is set anew by the mailed link", async () => {
  const guest = await newVisitor(browser, product.url);
  await guest.open("/login");
  await guest.page.getByRole("link", { name: "Forgot your password?" }).click();
  await guest.page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await guest.isSound();
  await guest.page.getByLabel("E-mail address").fill(GUEST.email);
  await guest.page.getByRole("button", { name: "Send the link" }).click();
  await guest.page.waitForURL("**/authentication/forgotpasswordsent");
  await guest.isSound();

  const address = new URL(await oneTimeLink(admin, GUEST.email, "Set a new password"));

  await guest.open(`${address.pathname}${address.search}`);
  const changed = "eleven-grey-herons";
  await guest.page.getByLabel("New password", { exact: true }).fill(changed);
  await guest.page.getByLabel("Confirm password", { exact: true }).fill(changed);
  await guest.isSound();
  await expect
    .poll(() => new URL(guest.page.url()).search, { message: "the token must not stay in the address" })
    .toBe("");
  await guest.page.getByRole("button", { name: "Update" }).click();
  await guest.page.waitForURL("**/authentication/passwordresetsuccess");
  await guest.isSound();
  await guest.signIn(GUEST.email, changed);
  await guest.page.getByRole("heading", { name: "Hello, Rosa" }).waitFor();
  await guest.context.close();
});

test("[PLT-068] [PLT-091] an instance is created, found, switched to and deleted by its name", async () => {
  const { page } = admin;
  await admin.open("/instance");
  await page.getByRole("button", { name: "Create instance" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harbour Test");
  await admin.isSound();
  await page.getByRole("dialog").getByRole("button", { name: "Create instance" }).click();
  await page.getByRole("row").filter({ hasText: "Harbour Test" }).waitFor();
  await page.getByRole("searchbox").fill("HARBOUR");
  await expect.poll(() => page.getByRole("row").count()).toBe(2);

  await page.getByRole("button", { name: /More actions: Harbour Test/ }).click();
  await page.getByRole("menuitem", { name: "Switch to it" }).click();
  await page.getByText("How Harbour Test is doing.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");

  await page.getByRole("button", { name: /Instance: Harbour Test/ }).click();
  await page.getByRole("menuitem").filter({ hasNotText: "Harbour" }).first().click();
  await page.getByText(/How (?!Harbour).* is doing/).waitFor();
  await admin.open("/instance");
  await page.getByRole("button", { name: /More actions: Harbour Test/ }).click();
  await page.getByRole("menuitem", { name: /Delete instance/ }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Delete instance" }).isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("harbour_test");
  await dialog.getByRole("button", { name: "Delete instance" }).click();
  await dialog.waitFor({ state: "detached" });
  await admin.isSound();
});

test("[PLT-001] [PLT-009] [PLT-031] unknown addresses and errors end in a readable page with a way home", async () => {
  const { page } = admin;
  await admin.open("/no/such/page");
  await page.getByText("This page doesn't exist").waitFor();
  await expect.poll(() => page.title()).toBe("This page doesn't exist - Accord");
  await admin.isSound();
  // An id cut off while it was copied is no server error: nothing can be there.
  for (const path of [
    "/data-studio/entity/1a1ff",
    "/sync-studio/entity/1a1ff/pipeline/published",
    "/insights-studio/1a1ff",
    "/synapses/connections/1a1ff",
  ]) {
    await admin.open(path);
    await page.getByRole("heading", { name: "This page doesn't exist" }).waitFor();
    await admin.isSound();
  }
  for (const path of ["/errors/error-404", "/errors/error-504", "/errors/error-ui", "/errors/anything"]) {
    await admin.open(path);
    await page.getByRole("link", { name: "Go to home" }).waitFor();
    await admin.isSound();
  }
});

test("settings say how long each kind of what happened is kept, on a desk and on a phone", async () => {
  const { page } = admin;
  await admin.open("/settings");
  const section = page.getByRole("region", { name: "How long it is kept" });
  const row = (what: string) => section.getByRole("row").filter({ hasText: what });
  await row("Posts of webhooks").getByRole("cell", { name: "30 days" }).waitFor();
  await row("History of records").getByRole("cell", { name: "400 days" }).waitFor();
  await row("Cycles of pipelines").getByRole("cell", { name: "ACCORD_KEEP_CYCLES_DAYS" }).waitFor();
  await row("Quarantined records").getByRole("cell", { name: "For ever" }).waitFor();
  await row("Mails").getByRole("cell", { name: "1 day", exact: true }).waitFor();
  await admin.isSound();
  await page.setViewportSize({ width: 390, height: 844 });
  await section.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await admin.isSound();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("the palette, the keys, the colour scheme and the narrow layout work by keyboard", async () => {
  const { page } = admin;
  await admin.open("/");
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog").getByRole("textbox");
  await expect.poll(() => search.evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.type("setti");
  await expect.poll(() => search.inputValue()).toBe("setti");
  await admin.isSound();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/settings");
  await search.waitFor({ state: "hidden" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await admin.isSound();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
  for (const path of ["/", "/settings", "/user", "/profile", "/settings/access-control/role-based", "/instance"]) {
    await admin.open(path);
    await admin.isSound();
  }
  await page.setViewportSize({ width: 800, height: 900 });
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await page.getByRole("heading", { name: /Hello/ }).waitFor();
  await admin.isSound();
});

test("[PLT-065] signing out leads to sign-in even when the call fails", async () => {
  const { page } = admin;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route("**/api/v1/logout", (route) => route.abort());
  await admin.open("/");
  await page.getByRole("button", { name: /Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL("**/login");
});
