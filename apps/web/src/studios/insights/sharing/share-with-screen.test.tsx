/** The form that shares a dashboard, where only some domains are allowed: nothing typed is lost when addresses are refused. */
import type { Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { listAllowedDomains } from "@accord/contracts/insights/allowed-domains";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { ShareWithScreen } from "./share-with-screen.tsx";

const REFUSAL =
  "Dashboards can't be shared with eve@other.example, fay@third.example: only addresses at acme.com are allowed.";
let sent: string[][];
const network = globalThis.fetch;

function answer(path: string, body: string): Response {
  if (path.endsWith("/allowed-domains"))
    return Response.json(
      listAllowedDomains.reply.parse({
        domains: [{ domain: "acme.com", createdBy: "Ada", createdAt: "2026-06-01T08:00:00.000Z" }],
      }),
    );
  if (!path.endsWith("/shares"))
    return Response.json({ code: "not_found", message: "Dashboard not found" }, { status: 404 });
  const { emails } = JSON.parse(body) as { emails: string[] };
  sent.push(emails);
  const errors = emails.flatMap((email, index) =>
    email.endsWith("@acme.com") ? [] : [{ path: `emails.${index}`, message: `${email} is not at an allowed domain` }],
  );
  return errors.length > 0
    ? Response.json({ code: "domain_not_allowed", status: 422, message: REFUSAL, errors }, { status: 422 })
    : Response.json({ shares: [] });
}

beforeEach(() => {
  sent = [];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const { pathname } = new URL(String(path), location.href);
    if (!/\/(dashboards|sharing)\//.test(pathname)) return network(path, init);
    return answer(pathname, String(init?.body ?? ""));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(permissions: readonly Permission[]): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions, orgName: "Org" });
  showInRouter(() => (
    <main>
      <ShareWithScreen />
    </main>
  ));
}
const addresses = () => page.getByRole("combobox", { name: "E-mail addresses" });

test("[INS-133] all refused addresses are named at once; leaving them out keeps the others and the message", async () => {
  open(["SHARE_DASHBOARD", "READ_ALLOWED_DOMAINS"]);
  await expect.element(page.getByText(/Allowed: addresses at acme\.com\./)).toBeVisible();
  await page.getByLabelText("Message (optional)").fill("Hello");
  (addresses().element() as HTMLInputElement).focus();
  await userEvent.keyboard("ada@acme.com{Enter}eve@other.example{Enter}fay@third.example{Enter}");
  await page.getByRole("button", { name: "Share dashboard" }).click();
  await expect.element(page.getByText(REFUSAL)).toBeVisible();
  await expect.element(page.getByText("eve@other.example", { exact: true })).toBeVisible();
  await expect.element(page.getByText("fay@third.example", { exact: true })).toBeVisible();
  await expect.element(addresses()).toHaveFocus();
  expect((await axe.run(document.querySelector("main")!)).violations).toEqual([]);
  await page.getByRole("button", { name: "Leave out 2 refused addresses" }).click();
  await expect.element(page.getByText(REFUSAL)).not.toBeInTheDocument();
  await expect.element(page.getByLabelText("Message (optional)")).toHaveValue("Hello");
  await page.getByRole("button", { name: "Share dashboard" }).click();
  await expect.element(page.getByText("A mail with the link is on its way.")).toBeVisible();
  expect(sent).toEqual([["ada@acme.com", "eve@other.example", "fay@third.example"], ["ada@acme.com"]]);
});

test("who may share but not read the list is refused all the same, and reads why", async () => {
  open(["SHARE_DASHBOARD"]);
  await addresses().fill("eve@other.example");
  await page.getByRole("button", { name: "Share dashboard" }).click();
  await expect.element(page.getByText(REFUSAL)).toBeVisible();
  await expect.element(page.getByText(/Allowed: addresses/)).not.toBeInTheDocument();
});
