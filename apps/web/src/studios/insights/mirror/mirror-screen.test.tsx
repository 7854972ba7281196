/** The page of the columnar mirror: each state of an entity and of the mirror, and who sees it. */
import type { Permission, ReplyOf } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import type { getMirrorStatus, MirroredEntity } from "@accord/contracts/insights/mirror";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { MirrorScreen } from "./mirror-screen.tsx";

let status: ReplyOf<typeof getMirrorStatus>;
let asked: number;
let broken: { code: string; status: number; message: string } | null;
let isSlow: boolean;
const network = globalThis.fetch;

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const entity = (displayName: string, more: Partial<MirroredEntity>): MirroredEntity => ({
  ...{ apiName: displayName.replace(" ", ""), displayName, state: "small", about: 12, records: 0 },
  ...{ freshAt: null, answeredAt: null, unfitFields: [], problem: null },
  ...more,
});
const FULL: readonly MirroredEntity[] = [
  entity("Country", {}),
  entity("Visit", { state: "unasked", about: 400_000 }),
  entity("Order", { state: "ready", about: 990_000, records: 1_000_000, freshAt: ago(3), answeredAt: ago(8) }),
  entity("Order line", { state: "building", about: 5_000_000, records: 1_200_000 }),
  entity("Payment", { state: "behind", about: 900_000, records: 870_000, freshAt: ago(2), answeredAt: ago(30) }),
  entity("Event", { state: "disk_limit", about: 90_000_000 }),
  entity("Message", { state: "failed", about: 300_000, problem: "memory" }),
];

beforeEach(() => {
  status = { state: "ready", minRecords: 200_000, bytes: 81_200_000, diskMb: 4_000, entities: [...FULL] };
  [asked, broken, isSlow] = [0, null, false];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const url = new URL(String(path), location.href);
    if (!url.pathname.endsWith("/insights/mirror")) return network(path, init);
    asked += 1;
    if (isSlow) await new Promise(() => {});
    return broken ? Response.json(broken, { status: broken.status }) : Response.json(status);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

function open(permissions: readonly Permission[] = ["READ_INSIGHTS"]): void {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), {
    id: "1",
    permissions,
    orgName: "Org",
    currentInstanceName: "Production",
  });
  showInRouter(
    () => (
      <main>
        <MirrorScreen />
      </main>
    ),
    "/insights-studio/mirror",
  );
}
const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });

test("each entity says how its copy stands, how many records it has and when it last answered", async () => {
  open();
  const order = row("Order");
  await expect.element(order.getByText("Ready")).toBeVisible();
  await expect.element(order.getByText("1,000,000", { exact: true })).toBeVisible();
  await expect.element(order.getByText(/3 min/)).toBeVisible();
  await expect.element(order.getByText(/8 min/)).toBeVisible();
  await expect.element(row("Order line").getByText("1,200,000 of about 5,000,000 copied")).toBeVisible();
  await expect.element(row("Country").getByText(/fewer than 200,000 records/)).toBeVisible();
  await expect.element(row("Visit").getByText("about 400,000")).toBeVisible();
  await expect.element(row("Payment").getByText(/PostgreSQL answers until it is taken in/)).toBeVisible();
  await expect.element(page.getByText("Copies take 82 MB of the 4,000 MB that they may.")).toBeVisible();
});

test("what failed says why and that it is tried again, and stands first", async () => {
  open();
  await expect.element(row("Message").getByText(/ran out of the memory/)).toBeVisible();
  await expect.element(row("Message").getByText(/tried again by itself/)).toBeVisible();
  await expect.element(row("Event").getByText(/more of the disk than/)).toBeVisible();
  const names = [...document.querySelectorAll('th[scope="row"]')].map(({ textContent }) => textContent);
  expect(names).toEqual(["Event", "Message", "Order line", "Payment", "Order", "Visit", "Country"]);
});

test("a copy that answers is ready, and beside that it says what it does not answer", async () => {
  const ready = { state: "ready", records: 300_000, freshAt: ago(1) } as const;
  status.entities = [
    entity("Order", { ...ready, problem: "memory" }),
    entity("Visit", { ...ready, unfitFields: ["amount"] }),
    entity("Call", { ...ready, unfitFields: ["amount", "rate"] }),
  ];
  open();
  await expect.element(row("Order").getByText("Ready")).toBeVisible();
  await expect.element(row("Order").getByText(/with more of its fields could not be made/)).toBeVisible();
  await expect.element(row("Order").getByText(/ran out of the memory/)).toBeVisible();
  await expect.element(row("Order").getByText(/PostgreSQL answers meanwhile/)).not.toBeInTheDocument();
  await expect.element(row("Visit").getByText(/cards that read amount: it holds a value/)).toBeVisible();
  await expect.element(row("Call").getByText(/cards that read amount and rate: they hold values/)).toBeVisible();
  await expect.element(row("Call").getByText(/could not be made/)).not.toBeInTheDocument();
});

test("a copy that has not answered yet says so", async () => {
  status.entities = [entity("Order", { state: "ready", records: 300_000, freshAt: ago(1) })];
  open();
  await expect.element(row("Order").getByText("none yet")).toBeVisible();
});

test("switched off, it says by what and shows no table", async () => {
  status = { ...status, state: "off", bytes: 0, entities: [] };
  open();
  await expect.element(page.getByText("The mirror is switched off")).toBeVisible();
  await expect.element(page.getByText(/ACCORD_MIRROR=0/)).toBeVisible();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
  await expect.element(page.getByText("No entities yet")).not.toBeInTheDocument();
});

test.each([
  ["idle", "Nothing is copied now", /200,000 records or more/],
  ["starting", "The mirror is starting", /PostgreSQL answers/],
  ["unavailable", "The mirror does not run", /the log says why/],
] as const)("while it is %s that is said above the entities", async (state, title, body) => {
  status = { ...status, state, bytes: 0, entities: [entity("Country", {})] };
  open();
  await expect.element(page.getByText(title)).toBeVisible();
  await expect.element(page.getByText(body).first()).toBeVisible();
  await expect.element(row("Country").getByText("Too small")).toBeVisible();
});

test("without entities it says from when on one is copied", async () => {
  status.entities = [];
  open();
  await expect.element(page.getByText("No entities yet")).toBeVisible();
  await expect.element(page.getByText(/once it has 200,000 records/)).toBeVisible();
});

test("without permission the screen says so and asks nothing", async () => {
  open([]);
  await expect.element(page.getByText("You don't have access to this")).toBeVisible();
  expect(asked).toBe(0);
});

test("an error stands in place and can be tried again", async () => {
  broken = { code: "query_timeout", status: 422, message: "This took too long." };
  open();
  await expect.element(page.getByText("This took too long.")).toBeVisible();
  broken = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(row("Order").getByText("Ready")).toBeVisible();
});

test("while it loads outlines are shown", async () => {
  isSlow = true;
  open();
  await expect.element(page.getByRole("heading", { name: "Columnar mirror" })).toBeVisible();
  expect(document.querySelectorAll("[aria-busy=true], .ac-skeletons, [class*=skeleton i]").length).toBeGreaterThan(0);
});

test.each(["light", "dark"])("axe finds nothing wrong with it in %s", async (scheme) => {
  open();
  await expect.element(row("Order").getByText("Ready")).toBeVisible();
  // Set by the provider when it mounts.
  const root = document.documentElement;
  const before = root.getAttribute("data-mantine-color-scheme") ?? "light";
  root.setAttribute("data-mantine-color-scheme", scheme);
  try {
    expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
  } finally {
    root.setAttribute("data-mantine-color-scheme", before);
  }
});
