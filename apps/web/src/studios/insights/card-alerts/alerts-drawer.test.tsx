/** The drawer of a card's alerts: list with states, form by keyboard with errors at its fields, test, delete; and who may what. */
import { id, type Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { CardAlert } from "@accord/contracts/insights/card-alerts";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { Notifications, notifications } from "@mantine/notifications";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showInRouter } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { AlertsDrawer } from "./alerts-drawer.tsx";

const CARD = id("dataCard").parse("c".repeat(24));
const CREATE = `POST /datacards/${CARD}/alerts`;
const ADA = "a".repeat(24);
const BEN = "b".repeat(24);
const ALL: readonly Permission[] = ["UPDATE_DATACARD", "READ_INSIGHTS"];
const NOW = "2026-06-01T08:00:00.000Z";

const made = (more: Partial<CardAlert> = {}): CardAlert =>
  CardAlert.parse({
    ...{ id: "d".repeat(24), cardId: CARD, name: "Too much", watch: { kind: "value" }, everyMinutes: 15 },
    condition: { kind: "above", limit: 1_000 },
    ...{
      recipients: [ADA],
      sendsMail: false,
      webhook: null,
      webhookProblem: null,
      owner: "Ada Byron",
      state: "OK",
      problem: null,
      failures: 0,
      version: 3,
    },
    last: { value: 42, text: "42", mark: "" },
    ...{ checkedAt: NOW, crossedAt: null },
    ...more,
  });

const metric: CardConfigurationInput = {
  vizType: "METRIC",
  columns: [{ column: "amount", name: "amount", displayFormat: "number", aggregate: "sum" }],
};
const line: CardConfigurationInput = {
  vizType: "LINE",
  xaxis: { column: "day", name: "day", displayFormat: "text" },
  yaxis: [
    { column: "won", name: "won", displayName: "Won", displayFormat: "percent" },
    { column: "lost", name: "lost", displayName: "Lost", displayFormat: "number" },
  ],
};
const DATA = {
  METRIC: { columns: [{ name: "c0", displayName: "Amount", dataType: "integer" }], rows: [{ c0: 42 }] },
  LINE: {
    columns: [
      { name: "x", displayName: "Day", dataType: "date" },
      { name: "y0", displayName: "Won", dataType: "double" },
      { name: "y1", displayName: "Lost", dataType: "integer" },
    ],
    rows: [{ x: "2026-05-01", y0: 0.5, y1: 7 }],
  },
  TABLE: { columns: [{ name: "c0", displayName: "Amount", dataType: "integer" }], rows: [{ c0: 42 }] },
};

let alerts: CardAlert[];
let card: CardConfigurationInput;
/** Calls that write, as they were sent. */
let sent: { call: string; body: unknown }[];
/** Answered instead, by the beginning of the call. */
let refusals: Map<string, Response>;
const network = globalThis.fetch;

function answer(method: string, path: string, body: unknown): Response {
  const call = `${method} ${path}`;
  const refusal = [...refusals].find(([start]) => call.startsWith(start))?.[1];
  if (method !== "GET" && !path.endsWith("/data")) sent.push({ call, body });
  if (refusal) return refusal.clone();
  if (path.endsWith("/data")) {
    const configuration = CardConfiguration.parse(card);
    const type =
      configuration.vizType === "LINE" || configuration.vizType === "TABLE" ? configuration.vizType : "METRIC";
    const data = { ...DATA[type], reduction: null, asOf: NOW, dataAsOf: null, label: "" };
    return Response.json({ configuration, variables: [], data });
  }
  if (path.endsWith("/test")) return Response.json({ state: "CROSSED", value: { value: 42, text: "42", mark: "" } });
  if (method === "GET")
    return Response.json({
      alerts,
      people: [
        { id: ADA, name: "Ada Byron" },
        { id: BEN, name: "Ben Okri" },
      ],
    });
  if (method === "DELETE") {
    alerts = [];
    return Response.json({});
  }
  alerts = [made({ name: "Saved", state: "UNKNOWN", checkedAt: null, last: null })];
  return Response.json(alerts[0]);
}

beforeEach(() => {
  [alerts, card, sent, refusals] = [[], metric, [], new Map()];
  queryClient.clear();
  notifications.clean();
  globalThis.fetch = async (input, init) => {
    const [, call] = String(input).split("/api/v1");
    if (call === undefined) return network(input, init);
    return answer(init?.method ?? "GET", call, typeof init?.body === "string" ? JSON.parse(init.body) : null);
  };
});
afterEach(() => {
  notifications.clean();
  globalThis.fetch = network;
});

let isClosed: boolean;
function open(permissions: readonly Permission[] = ALL): void {
  isClosed = false;
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: ADA, permissions, orgName: "Org" });
  showInRouter(() => (
    <>
      <Notifications />
      <AlertsDrawer card={{ id: CARD, displayName: "Revenue" }} onClose={() => (isClosed = true)} />
    </>
  ));
}
const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });

test("an alert on a number is made by keys alone, for whoever makes it, and stands in the list as not checked yet", async () => {
  open();
  await expect.element(page.getByText("No alerts yet")).toBeVisible();
  button("Add an alert").element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(field("Name")).toBeVisible();
  await expect.element(field("Name")).toHaveFocus();
  await userEvent.keyboard("Too much{Tab}{Tab}1000.5{Enter}");
  await expect.element(page.getByText("Not checked yet")).toBeVisible();
  expect(sent).toEqual([
    {
      call: `POST /datacards/${CARD}/alerts`,
      body: {
        ...{ name: "Too much", everyMinutes: 15, recipients: [ADA], sendsMail: false },
        ...{ watch: { kind: "value" }, condition: { kind: "above", limit: 1000.5 } },
      },
    },
  ]);
  await expect.element(page.getByRole("region", { name: "Alerts of this card" })).toHaveFocus();
});

test("what is missing stands at its field and takes the focus; nothing is sent", async () => {
  open();
  await button("Add an alert").click();
  await button("Save alert").click();
  await expect.element(page.getByText("Enter a name.")).toBeVisible();
  await expect.element(page.getByText("Enter a number.")).toBeVisible();
  await expect.element(field("Name")).toHaveFocus();
  expect(sent).toEqual([]);
});

test("a refusal of the server stands at the field it names, and one of the whole alert above the form", async () => {
  const errors = [{ path: "recipients", message: "may not see cards: Ada Byron" }];
  refusals.set(CREATE, Response.json({ code: "validation_failed", message: "Wrong.", errors }, { status: 400 }));
  open();
  await button("Add an alert").click();
  await field("Name").fill("Too much");
  await field("Limit").fill("5");
  await button("Save alert").click();
  await expect.element(page.getByText("may not see cards: Ada Byron")).toBeVisible();
  const full = { code: "too_many_alerts", message: "No more alerts can be kept: 20 of a card." };
  refusals.set(CREATE, Response.json(full, { status: 409 }));
  await button("Save alert").click();
  await expect.element(page.getByText(full.message)).toBeVisible();
});

test("a refusal of what the form has no field for stands above the form, beside those at their fields", async () => {
  const errors = [
    { path: "watch", message: "The card shows no single value." },
    { path: "recipients.0", message: "This person is gone." },
    { path: "name", message: "Another one is called that." },
  ];
  refusals.set(CREATE, Response.json({ code: "validation_failed", message: "Wrong.", errors }, { status: 400 }));
  open();
  await button("Add an alert").click();
  await field("Name").fill("Too much");
  await field("Limit").fill("5");
  await button("Save alert").click();
  const above = page.getByRole("alert").getByText("The card shows no single value. This person is gone.");
  await expect.element(above).toBeVisible();
  await expect.element(above).not.toHaveTextContent("Another one");
  await expect.element(field("Name")).toHaveAccessibleDescription("Another one is called that.");
  await field("Name").fill("Far too much");
  await expect.element(above).not.toBeInTheDocument();
});

test("of a chart a series and its marks are chosen; a range has two ends, and percent is entered as a share", async () => {
  card = line;
  open();
  await button("Add an alert").click();
  await field("Name").fill("Win rate");
  await page.getByRole("combobox", { name: "Series" }).click();
  await page.getByRole("option", { name: "Won" }).click();
  await page.getByText("Any mark", { exact: true }).click();
  await page.getByRole("combobox", { name: "Notify when the value is" }).click();
  await page.getByRole("option", { name: "outside a range" }).click();
  await expect.element(page.getByText(/enter 0\.25 for 25%/).first()).toBeVisible();
  await field("From").fill("0.6");
  await field("To").fill("0.4");
  await button("Save alert").click();
  await expect.element(page.getByText("must not be less than the beginning of the range")).toBeVisible();
  await field("To").fill("0.8");
  await button("Save alert").click();
  await expect.element(page.getByText("Alert saved")).toBeVisible();
  expect(sent.at(-1)?.body).toMatchObject({
    watch: { kind: "series", series: "y0", label: "Won", marks: "any" },
    condition: { kind: "outside", from: 0.6, to: 0.8 },
  });
});

test("the line of an alert reads as one sentence, whatever it watches", async () => {
  const series = (marks: "latest" | "any") => ({ kind: "series" as const, series: "y0", label: "Won", marks });
  alerts = [
    made(),
    made({ id: CardAlert.shape.id.parse("e".repeat(24)), watch: series("latest") }),
    made({ id: CardAlert.shape.id.parse("f".repeat(24)), watch: series("any") }),
  ];
  open();
  const line = (text: string) => page.getByText(text, { exact: true });
  await expect.element(line("above 1,000 · every 15 minutes")).toBeVisible();
  await expect.element(line("Won, its latest date: above 1,000 · every 15 minutes")).toBeVisible();
  await expect.element(line("Won, any of its marks: above 1,000 · every 15 minutes")).toBeVisible();
});

test("a test says the value of now and that nobody was notified; a failed one says why", async () => {
  alerts = [made()];
  open();
  await button("Test now: Too much").click();
  await expect.element(page.getByText("Crossed: 42")).toBeVisible();
  await expect.element(page.getByText("Nobody was notified.")).toBeVisible();
  expect(sent).toEqual([
    {
      call: `POST /datacards/${CARD}/alerts/test`,
      body: { watch: { kind: "value" }, condition: { kind: "above", limit: 1_000 } },
    },
  ]);
  refusals.set("POST", Response.json({ code: "query_timeout", message: "This took too long." }, { status: 422 }));
  await button("Test now: Too much").click();
  await expect.element(page.getByText("This took too long.")).toBeVisible();
});

test("a test needs no name and nobody to notify, and its answer goes when limit or condition changes", async () => {
  alerts = [made({ recipients: [] })];
  open();
  await button("Edit Too much").click();
  await field("Name").fill("");
  const answer = page.getByText("Crossed: 42");
  await button("Test now").click();
  await expect.element(answer).toBeVisible();
  const limited = (kind: string, limit: number) => ({ watch: { kind: "value" }, condition: { kind, limit } });
  expect(sent.map(({ body }) => body)).toEqual([limited("above", 1_000)]);
  await field("Limit").fill("7");
  await expect.element(answer).not.toBeInTheDocument();
  await button("Test now").click();
  await expect.element(answer).toBeVisible();
  await page.getByRole("combobox", { name: "Notify when the value is" }).click();
  await page.getByRole("option", { name: "below", exact: true }).click();
  await expect.element(answer).not.toBeInTheDocument();
  await button("Test now").click();
  await expect.element(answer).toBeVisible();
  expect(sent.slice(1).map(({ body }) => body)).toEqual([limited("above", 7), limited("below", 7)]);
  await field("Limit").fill("");
  await button("Test now").click();
  await expect.element(page.getByText("Enter a number.")).toBeVisible();
  await expect.element(page.getByText("Enter a name.")).not.toBeInTheDocument();
  await expect.element(field("Limit")).toHaveFocus();
  expect(sent).toHaveLength(3);
});

test("the answer of a test goes when another series is chosen", async () => {
  card = line;
  open();
  await button("Add an alert").click();
  const choose = async (series: string): Promise<void> => {
    await page.getByRole("combobox", { name: "Series" }).click();
    await page.getByRole("option", { name: series }).click();
  };
  await choose("Won");
  await field("Limit").fill("5");
  await button("Test now").click();
  await expect.element(page.getByText("Crossed: 42")).toBeVisible();
  await choose("Lost");
  await expect.element(page.getByText("Crossed: 42")).not.toBeInTheDocument();
});

test("each state is said in words, a failing one with its reason and a watched one with its last value", async () => {
  alerts = [
    made({ state: "CROSSED", last: { value: 1_200, text: "1,200", mark: "Energy" } }),
    made({ id: id("cardAlert").parse("e".repeat(24)), name: "Broken", state: "FAILED", problem: "It has no dates." }),
    made({ id: id("cardAlert").parse("f".repeat(24)), name: "Empty", state: "NO_VALUE", owner: "" }),
  ];
  open();
  await expect.element(page.getByText("Crossed", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Energy: 1,200")).toBeVisible();
  await expect.element(page.getByText("Failing", { exact: true })).toBeVisible();
  await expect.element(page.getByText("It has no dates.")).toBeVisible();
  await expect.element(page.getByText("No value", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Its owner is deleted. Save it to take it over.")).toBeVisible();
});

test("an alert is changed from what it is, and closing with something typed asks first", async () => {
  alerts = [made()];
  open();
  await button("Edit Too much").click();
  await expect.element(field("Limit")).toHaveValue("1000");
  await field("Name").fill("Far too much");
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Discard")).toBeVisible();
  expect(isClosed).toBe(false);
  await userEvent.keyboard("{Escape}");
  await expect.element(button("Discard")).not.toBeInTheDocument();
  await button("Save alert").click();
  await expect.element(page.getByText("Alert saved")).toBeVisible();
  expect(sent).toMatchObject([
    { call: `PUT /card-alerts/${"d".repeat(24)}`, body: { name: "Far too much", version: 3 } },
  ]);
});

test("an address that is stored is not shown, stays when it is left alone, and is replaced or removed by choice", async () => {
  alerts = [made({ webhook: "https://hooks.example.com", webhookProblem: "it answered 500." })];
  open();
  await expect.element(page.getByText("https://hooks.example.com could not be called: it answered 500.")).toBeVisible();
  const edit = async (act: () => Promise<void>): Promise<unknown> => {
    alerts = [made({ webhook: "https://hooks.example.com" })];
    await button("Edit Too much").click();
    await act();
    await button("Save alert").click();
    await expect.element(page.getByRole("region", { name: "Alerts of this card" })).toBeVisible();
    alerts = [made({ webhook: "https://hooks.example.com" })];
    await queryClient.invalidateQueries();
    await expect.element(button("Edit Too much")).toBeVisible();
    return sent.at(-1)?.body;
  };
  expect(await edit(async () => field("Name").fill("Other"))).not.toHaveProperty("webhook");
  expect(await edit(async () => field("Web address to call").fill("https://example.com/new"))).toMatchObject({
    webhook: "https://example.com/new",
  });
  expect(await edit(async () => page.getByLabelText("Call no address any more").click())).toMatchObject({
    webhook: null,
  });
});

test("an alert is deleted after a question; the list takes the focus then", async () => {
  alerts = [made()];
  open();
  await button("Delete Too much").click();
  await button("Delete").click();
  await expect.element(page.getByText("No alerts yet")).toBeVisible();
  expect(sent).toEqual([{ call: `DELETE /card-alerts/${"d".repeat(24)}`, body: null }]);
  await expect.element(page.getByRole("region", { name: "Alerts of this card" })).toHaveFocus();
});

test("a table has nothing to watch, and says so", async () => {
  card = { vizType: "TABLE", columns: [{ column: "amount", name: "amount", displayFormat: "number" }] };
  open();
  await button("Add an alert").click();
  await expect.element(page.getByText("Alerts can watch numbers and charts, not tables.")).toBeVisible();
  await button("Back to the alerts").click();
  await expect.element(page.getByText("No alerts yet")).toBeVisible();
});

test("whoever may not, and whose card is gone, reads that", async () => {
  open(["READ_INSIGHTS"]);
  await expect.element(page.getByText(/You may not see or change alerts/)).toBeVisible();
  refusals.set("GET", Response.json({ code: "not_found", message: "Data card not found" }, { status: 404 }));
  open();
  await expect.element(page.getByText("Data card not found")).toBeVisible();
});

test("nothing that axe finds is wrong with list and form", async () => {
  alerts = [made(), made({ id: id("cardAlert").parse("e".repeat(24)), state: "FAILED", problem: "It failed." })];
  card = line;
  open();
  await expect.element(page.getByText("It failed.")).toBeVisible();
  // After it has slid in.
  await new Promise((done) => setTimeout(done, 400));
  const found = async (): Promise<string[]> => {
    const { violations } = await axe.run(document.querySelector<HTMLElement>('[role="dialog"]')!);
    return violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(" ")}`);
  };
  expect(await found()).toEqual([]);
  await button("Add an alert").click();
  await expect.element(field("Name")).toBeVisible();
  expect(await found()).toEqual([]);
});
