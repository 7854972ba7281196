/** Settings of sharing: the list of allowed domains, domains in use, who has access; and who may what. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  listAllowedDomains,
  listDomainsInUse,
  listSharedItems,
  type DomainInUse,
  type SharedItem,
} from "@accord/contracts/insights/allowed-domains";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { SharingSettingsScreen } from "./sharing-settings-screen.tsx";

const READER: readonly Permission[] = [
  "READ_ALLOWED_DOMAINS",
  "READ_ALL_SHARED_DASHBOARDS",
  "READ_SHARED_DASHBOARD_DETAILS",
];
const ADMIN: readonly Permission[] = [...READER, "CREATE_ALLOWED_DOMAINS"];
const AT = "2026-06-01T08:00:00.000Z";

let listed: string[];
/** Addresses that have access to the one dashboard there is. */
let people: string[];
let sent: string[];
let broken: Record<string, unknown> | null;
let isSlow: boolean;
const network = globalThis.fetch;

const isAllowed = (email: string): boolean => listed.length === 0 || listed.includes(email.split("@")[1]!);
const list = () =>
  listAllowedDomains.reply.parse({
    domains: listed.toSorted().map((domain) => ({ domain, createdBy: "Ada", createdAt: AT })),
  });

function inUse() {
  const names = [...new Set(people.map((email) => email.split("@")[1]!))];
  const domains = names.map((domain): DomainInUse => {
    const there = people.filter((email) => email.endsWith(`@${domain}`));
    return { domain, people: there.length, isAllowed: isAllowed(there[0]!) };
  });
  return listDomainsInUse.reply.parse({
    domains,
    total: domains.length,
    peopleOutside: people.filter((email) => !isAllowed(email)).length,
  });
}

function items(query: URLSearchParams) {
  const domain = query.get("domain");
  const shown = people.filter(
    (email) => (!domain || email.endsWith(`@${domain}`)) && (query.get("outside") !== "true" || !isAllowed(email)),
  );
  return listSharedItems.reply.parse({
    items: shown.map((email, at): SharedItem => ({
      sharedItemId: id("share").parse(String(at).padStart(24, "a")),
      email,
      dashboardId: id("dashboard").parse("d".repeat(24)),
      dashboardName: "Sales",
      expiryDate: null,
      isAllowed: isAllowed(email),
    })),
    nextCursor: null,
    people: shown.length,
  });
}

async function answer(method: string, url: URL, body: string): Promise<Response> {
  if (isSlow) await new Promise(() => {});
  if (method === "GET") {
    if (broken) return Response.json(broken, { status: Number(broken["status"]) });
    if (url.pathname.endsWith("/domains-in-use")) return Response.json(inUse());
    return Response.json(url.pathname.endsWith("/items") ? items(url.searchParams) : list());
  }
  sent.push(`${method} ${url.pathname.replace(/^.*\/sharing\//, "")} ${body}`.trim());
  if (broken) return Response.json(broken, { status: Number(broken["status"]) });
  if (method === "DELETE") listed = listed.filter((one) => !url.pathname.endsWith(`/${one}`));
  else listed = [...new Set([...listed, ...(JSON.parse(body) as { domains: string[] }).domains])];
  return Response.json(list());
}

beforeEach(() => {
  [listed, people, sent, broken, isSlow] = [[], [], [], null, false];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const url = new URL(String(path), location.href);
    if (!url.pathname.includes("/sharing/")) return network(path, init);
    return answer(init?.method ?? "GET", url, String(init?.body ?? ""));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(permissions = ADMIN, address = "/insights-studio/sharing"): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), {
    id: "1",
    permissions,
    orgName: "Org",
    currentInstanceName: "Production",
  });
  showInRouter(
    () => (
      <main>
        <SharingSettingsScreen />
      </main>
    ),
    address,
  );
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const input = () => page.getByLabelText("Add domains");

test("[INS-133] without a list the screen says that any domain may be invited; a domain is added by keys", async () => {
  open();
  await expect.element(page.getByText("Any domain.")).toBeVisible();
  await expect.element(page.getByText("Nobody has access to a shared dashboard now.")).toBeVisible();
  (input().element() as HTMLInputElement).focus();
  await userEvent.keyboard("@Acme.com, bücher.example{Enter}");
  await expect.element(button("Remove acme.com")).toBeVisible();
  expect(sent).toEqual(['POST allowed-domains {"domains":["acme.com","xn--bcher-kva.example"]}']);
  await expect.element(input()).toHaveValue("");
});

test("an entry that is no domain is named with the fix, keeps what was typed and has the focus", async () => {
  open();
  await input().fill("acme.com x ada@beta.example");
  await button("Add").click();
  await expect.element(page.getByText(/“x” is no domain of e-mail addresses/)).toBeVisible();
  await expect.element(page.getByText(/enter beta\.example/)).toBeVisible();
  await expect.element(input()).toHaveValue("acme.com x ada@beta.example");
  await expect.element(input()).toHaveFocus();
  expect(sent).toEqual([]);
});

test("what the server refuses stands at the input", async () => {
  open();
  await expect.element(input()).toBeVisible();
  const errors = [{ path: "domains", message: "can be 200 at most, with those on the list already" }];
  broken = { code: "validation_failed", status: 400, message: "Some of what was sent can't be used.", errors };
  await input().fill("acme.com");
  await button("Add").click();
  await expect.element(page.getByText(/can be 200 at most/)).toBeVisible();
  await expect.element(input()).toHaveValue("acme.com");
});

test("[INS-133] domains in use stand with their number of people, and are added one by one or all", async () => {
  people = ["ada@acme.com", "ben@acme.com", "eve@other.example"];
  open();
  const rows = page.getByRole("grid", { name: "Domains in use" }).getByRole("row");
  await expect.element(rows.nth(1).getByText("2", { exact: true })).toBeVisible();
  await button("Add acme.com to the list").click();
  await expect.element(page.getByText("1 person outside the list still has access")).toBeVisible();
  await expect.element(rows.nth(1).getByText("On the list")).toBeVisible();
  await expect.element(rows.nth(2).getByText("Not on the list")).toBeVisible();
  expect(sent).toEqual(['POST allowed-domains {"domains":["acme.com"]}']);
});

test("all domains in use are added at once", async () => {
  people = ["ada@acme.com", "eve@other.example"];
  open();
  await button("Add all to the list").click();
  await expect.element(button("Remove other.example")).toBeVisible();
  expect(sent).toEqual(['POST allowed-domains {"domains":["acme.com","other.example"]}']);
});

test("people outside the list are counted, and the note leads to them and each to the sharing details", async () => {
  people = ["ada@acme.com", "eve@other.example", "fay@other.example"];
  listed = ["acme.com"];
  open();
  await expect.element(page.getByText("2 people outside the list still have access")).toBeVisible();
  await page.getByRole("link", { name: "Show them" }).click();
  await expect.element(page.getByRole("radio", { name: "Outside the list" })).toBeChecked();
  const table = page.getByRole("grid", { name: "Who has access" });
  await expect.element(table.getByText("ada@acme.com")).not.toBeInTheDocument();
  const link = table.getByRole("link", { name: "Sales" }).first();
  await expect
    .element(link)
    .toHaveAttribute("href", expect.stringMatching(/\/d{24}\/published\/sharing-details\?q=eve%40other\.example/));
});

test("before a domain goes, the question says who keeps access and what can no longer be done", async () => {
  people = ["ada@acme.com", "ben@acme.com", "cas@acme.com", "dan@acme.com", "eli@acme.com", "fay@acme.com"];
  listed = ["acme.com", "beta.example"];
  open();
  await button("Remove acme.com").click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("Nobody at acme.com can be invited any more.")).toBeVisible();
  await expect.element(dialog.getByText(/6 people there keep access/)).toBeVisible();
  await expect.element(dialog.getByText("ada@acme.com")).toBeVisible();
  await expect.element(dialog.getByText("and 1 more")).toBeVisible();
  expect(sent).toEqual([]);
  await button("Remove domain").click();
  await expect.element(page.getByText("6 people outside the list still have access")).toBeVisible();
  expect(sent).toEqual(["DELETE allowed-domains/acme.com"]);
  await expect.element(input()).toHaveFocus();
});

test("before the last domain goes, the question says that any domain may be invited then", async () => {
  listed = ["acme.com"];
  people = ["ada@acme.com"];
  open();
  await button("Remove acme.com").click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText(/dashboards can be shared with people at any domain/)).toBeVisible();
  await expect.element(dialog.getByText(/keep access/)).not.toBeInTheDocument();
  await button("Remove domain").click();
  await expect.element(page.getByText("Any domain.")).toBeVisible();
});

test("who may only read sees the list and changes nothing; who may not read it sees why", async () => {
  listed = ["acme.com"];
  people = ["eve@other.example"];
  open(READER);
  await expect.element(page.getByText("acme.com", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 person outside the list still has access")).toBeVisible();
  await expect.element(button("Remove acme.com")).not.toBeInTheDocument();
  await expect.element(input()).not.toBeInTheDocument();
  await expect.element(button("Add other.example to the list")).not.toBeInTheDocument();
});

test("without permission the screen says so and asks nothing", async () => {
  open([]);
  await expect.element(page.getByText("You don't have access to this")).toBeVisible();
  await expect.element(page.getByText("Allowed domains")).not.toBeInTheDocument();
});

test("an error stands in place and can be tried again", async () => {
  broken = { code: "query_timeout", status: 422, message: "This took too long." };
  open();
  await expect.element(page.getByText("This took too long.").first()).toBeVisible();
  broken = null;
  await page.getByRole("button", { name: "Try again" }).first().click();
  await expect.element(page.getByText("Any domain.")).toBeVisible();
});

test("while it loads outlines are shown", async () => {
  isSlow = true;
  open();
  await expect.element(page.getByRole("heading", { name: "Sharing settings" })).toBeVisible();
  expect(document.querySelectorAll("[aria-busy=true], .ac-skeletons, [class*=skeleton i]").length).toBeGreaterThan(0);
});

test("axe finds nothing wrong with a full screen and with the question", async () => {
  people = ["ada@acme.com", "ben@acme.com", "eve@other.example", "gil@third.example"];
  listed = ["acme.com", "beta.example"];
  open();
  await expect.element(button("Add all to the list")).toBeVisible();
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
  await button("Remove acme.com").click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  const dialog = document.querySelector<HTMLElement>('[role="dialog"]')!;
  // After it has come in.
  await new Promise((done) => setTimeout(done, 400));
  expect((await axe.run(dialog)).violations).toEqual([]);
});
