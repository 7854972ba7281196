/** Screens of custom actions: their states, what is said at each field, failed saves, conflicts, and deleting. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ACTION_ID, openAt, storedAction } from "./custom-actions.fixtures.tsx";

const network = globalThis.fetch;
interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
}
let calls: Call[];
let answer: (call: Call) => Response | undefined;

const refusal = (code: string, status: number, more: object = {}) =>
  Response.json({ code, status, message: `Refused: ${code}`, ...more }, { status });
const isWrite = ({ method, path }: Call): boolean => method !== "GET" && !path.endsWith("/validate");

function standard({ method, path }: Call): Response {
  if (path.endsWith("/validate")) return Response.json({ problems: [] });
  if (path.endsWith("/uses")) return Response.json({ uses: [] });
  if (path === "/custom-action-uses") return Response.json({ actions: [] });
  if (method === "GET" && path === "/custom-actions") return Response.json({ actions: [storedAction()] });
  if (method === "GET" && path === `/custom-actions/${ACTION_ID}`) return Response.json(storedAction());
  return refusal("not_found", 404);
}

beforeEach(() => {
  calls = [];
  answer = () => undefined;
  globalThis.fetch = async (address, init) => {
    const text = address instanceof Request ? address.url : String(address);
    const start = text.indexOf("/api/v1/");
    if (start < 0) return network(address, init);
    const path = text.slice(start + "/api/v1".length).split("?")[0] ?? "";
    const body: Record<string, unknown> = typeof init?.body === "string" ? JSON.parse(init.body) : {};
    const call = { method: init?.method ?? "GET", path, body };
    calls.push(call);
    return answer(call) ?? standard(call);
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const textbox = (name: string) => page.getByRole("textbox", { name, exact: true });
const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
const button = (name: string) => page.getByRole("button", { name, exact: true });

test.each([
  ["leads to a new one", ["READ_STUDIO", "WRITE_STUDIO"], 2],
  ["offers none to whoever may only read", ["READ_STUDIO"], 0],
])("without actions the list says what they are for and %s", async (_, permissions, links) => {
  answer = ({ path }) => (path === "/custom-actions" ? Response.json({ actions: [] }) : undefined);
  openAt("/sync-studio/actions", permissions);
  await expect.element(page.getByText("No actions yet")).toBeVisible();
  expect(page.getByRole("link", { name: "New action" }).elements()).toHaveLength(links);
});

test("the list says who made an action, which pipelines use it and how it ended last, and is searched by any word", async () => {
  const entityId = "5".repeat(24);
  const usage = {
    actionId: ACTION_ID,
    pipelines: [{ entityId, name: "Account", isPublished: true }],
    lastResult: {
      state: "FAILED",
      endedAt: "2026-11-02T10:00:00.000Z",
      message: "The receiver answered 500.",
      entityId,
    },
  };
  answer = ({ path }) => (path === "/custom-action-uses" ? Response.json({ actions: [usage] }) : undefined);
  openAt("/sync-studio/actions");
  const row = page.getByRole("row", { name: /Rate/ });
  for (const text of ["Ada Byron", "Account", "Failed", "POST api.example.com"])
    await expect.element(row.getByText(text, { exact: true })).toBeVisible();
  await page.getByRole("searchbox").fill("nothing like it");
  await expect.element(page.getByText("No action matches “nothing like it”")).toBeVisible();
  await page.getByRole("searchbox").fill("example rate");
  await expect.element(row).toBeVisible();
});

test("a list that can't be read says so with the server's words", async () => {
  answer = ({ path }) =>
    path === "/custom-actions" ? refusal("internal_error", 500, { message: "The disk is full." }) : undefined;
  openAt("/sync-studio/actions");
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
});

test.each([
  ["/sync-studio/actions", ["READ_DASHBOARD"]],
  ["/sync-studio/actions/new", ["READ_STUDIO"]],
])("%s says so where the permission is lacking, and reads nothing", async (address, permissions) => {
  openAt(address, permissions);
  await expect.element(page.getByText("You don't have access to this")).toBeVisible();
  expect(calls).toEqual([]);
});

test("each field says what is wrong while it is typed; a name that is taken is said after a pause", async () => {
  answer = ({ path, body }) =>
    path.endsWith("/validate") && body["apiName"] === "rate"
      ? Response.json({ problems: [{ path: "apiName", message: "is used by another action" }] })
      : undefined;
  openAt("/sync-studio/actions/new");
  await textbox("Address").fill("example.com");
  await expect.element(page.getByText(/^must begin with https/)).toBeVisible();
  await textbox("Address").fill("https://example.com/");
  await expect.element(page.getByText(/^must begin with https/)).not.toBeInTheDocument();
  await textbox("Name").fill("Rate");
  await expect.element(textbox("API name")).toHaveValue("rate");
  await expect.element(page.getByText("is used by another action")).toBeVisible();
  await textbox("API name").fill("rate_2");
  await expect.element(page.getByText("is used by another action")).not.toBeInTheDocument();
});

test("[SYN-152] a save that is refused keeps what was typed and shows the server's message at its field, or above the form", async () => {
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await textbox("Name").fill("Rate better");
  answer = (call) => (isWrite(call) ? refusal("internal_error", 500, { message: "The disk is full." }) : undefined);
  await button("Save").click();
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
  await expect.element(textbox("Name")).toHaveValue("Rate better");
  const errors = [{ path: "displayName", message: "is a name that the server refuses" }];
  answer = (call) => (isWrite(call) ? refusal("validation_failed", 400, { errors }) : undefined);
  await button("Save").click();
  await expect.element(page.getByText("is a name that the server refuses")).toBeVisible();
  await expect.element(textbox("Name")).toHaveValue("Rate better");
});

test("[T15] a stored secret is not shown and not sent; another host asks for it again", async () => {
  answer = (call) => (isWrite(call) ? Response.json(storedAction({ revision: 4, displayName: "Rate 2" })) : undefined);
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await expect.element(page.getByText(/^Stored, never shown again/)).toBeVisible();
  await textbox("Name").fill("Rate 2");
  await button("Save").click();
  await expect.poll(() => calls.filter(isWrite)).toHaveLength(1);
  expect(calls.find(isWrite)?.body).not.toHaveProperty("secret");
  expect(calls.find(isWrite)?.body).toMatchObject({ displayName: "Rate 2", revision: 3 });
  await textbox("Address").fill("https://else.example/{{who}}");
  await button("Save").click();
  await expect.element(page.getByText(/^The stored one was entered for https:\/\/api.example.com/)).toBeVisible();
  expect(calls.filter(isWrite)).toHaveLength(1);
});

test("somebody else saved meanwhile: nothing is overwritten until one of both versions is chosen", async () => {
  const newest = storedAction({
    revision: 4,
    description: "Of somebody else",
    updatedBy: { firstName: "Bo", lastName: "Lind" },
  });
  answer = (call) =>
    isWrite(call) && call.body["revision"] === 3 ? refusal("stale_version", 409, { details: { newest } }) : undefined;
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await textbox("Name").fill("Mine");
  await button("Save").click();
  await expect.element(page.getByText("Bo Lind saved this action in the meantime.")).toBeVisible();
  await expect.element(page.getByText("Different there: Name, Description.")).toBeVisible();
  await expect.element(textbox("Name")).toHaveValue("Mine");
  answer = (call) =>
    isWrite(call) && call.body["revision"] === 4
      ? Response.json(storedAction({ revision: 5, displayName: "Mine" }))
      : undefined;
  await button("Save mine over it").click();
  await expect.poll(() => calls.filter(isWrite).at(-1)?.body["revision"]).toBe(4);
  await expect.element(page.getByText("Bo Lind saved this action in the meantime.")).not.toBeInTheDocument();
});

test("nothing is sent before the press; a value of another type keeps the test from being sent", async () => {
  answer = ({ path }) =>
    path.endsWith("/test")
      ? Response.json({
          succeeded: false,
          body: { reason: "closed" },
          code: "http_403",
          message: "The receiver answered 403.",
          durationMs: 12,
          request: { method: "POST", url: "https://api.example.com/Ann", headers: {}, body: null },
          response: {
            status: 403,
            headers: { "content-type": "application/json" },
            body: '{"reason":"closed"}',
            isCut: false,
          },
        })
      : undefined;
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await button("Send test request").click();
  await expect.element(page.getByText("needs a value")).toBeVisible();
  expect(calls.filter(({ path }) => path.endsWith("/test"))).toEqual([]);
  await textbox("who").fill("Ann");
  const preview = page.getByRole("region", { name: "What will be sent" });
  await expect.poll(() => preview.element().textContent).toContain("https://api.example.com/Ann");
  await button("Send test request").click();
  const result = page.getByRole("region", { name: "Answer", exact: true });
  await expect.element(result.getByText("Status 403")).toBeVisible();
  await expect.element(result.getByText("The receiver answered 403.")).toBeVisible();
  await expect.element(result.getByText(/"reason": "closed"/)).toBeVisible();
});

test("a test that the server's own guard held back says that nothing was sent, and what allows it", async () => {
  const request = { method: "POST", url: "http://127.0.0.1:7000/", headers: {}, body: null };
  const held = {
    succeeded: false,
    body: null,
    code: "http_refused",
    message: "The server may not connect to 127.0.0.1.",
  };
  answer = ({ path }) =>
    path.endsWith("/test") ? Response.json({ ...held, durationMs: 1, request, response: null }) : undefined;
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await textbox("who").fill("Ann");
  await button("Send test request").click();
  const result = page.getByRole("region", { name: "Answer", exact: true });
  await expect.element(result.getByText("The server may not connect to 127.0.0.1.")).toBeVisible();
  await expect.element(result.getByText(/Nothing was sent.*ACCORD_OUTBOUND_ALLOW/)).toBeVisible();
  expect(result.getByText("What was sent").elements()).toHaveLength(0);
});

test("braces offer the variables, and make one of a name that is none yet, with the keyboard alone", async () => {
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  const body = textbox("Body");
  await body.click();
  await userEvent.keyboard("Dear {{{{w{Enter}, {{{{size{Enter}");
  await expect.element(body).toHaveValue("Dear {{who}}, {{size}}");
  await expect.element(textbox("Name of variable 2")).toHaveValue("size");
});

test("what is typed at once after a variable was chosen stands after it, at the end of a text and within one", async () => {
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  const body = textbox("Body");
  await body.fill("Dear {{w");
  await expect.element(page.getByRole("option", { name: "who" })).toBeVisible();
  const input = body.element();
  if (!(input instanceof HTMLTextAreaElement)) throw new Error("The body is no text area");
  /** Keys that are pressed before the page gets to anything else. */
  const chooseAndType = async (text: string) => {
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    await Promise.resolve();
    for (const letter of text) document.execCommand("insertText", false, letter);
  };
  await chooseAndType(",");
  await nextTurn();
  document.execCommand("insertText", false, " hello");
  await expect.element(body).toHaveValue("Dear {{who}}, hello");
  input.setSelectionRange(5, 5);
  document.execCommand("insertText", false, "Ms {{w");
  await expect.element(page.getByRole("option", { name: "who" })).toBeVisible();
  await chooseAndType(" and ");
  await expect.element(body).toHaveValue("Dear Ms {{who}} and {{who}}, hello");
});

test("a variable that is added is named by what one types next", async () => {
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await button("Add variable").click();
  await expect.element(textbox("Name of variable 2")).toHaveFocus();
  await userEvent.keyboard("size");
  await expect.element(textbox("Name of variable 2")).toHaveValue("size");
});

test("a changed variable says which nodes no longer fit", async () => {
  const use = {
    entityId: "5".repeat(24),
    pipeline: "Account",
    graphVersion: "published",
    scope: "entity",
    nodeId: "n",
    label: "Rate it",
    variables: { who: "{{previous.values.Name}}" },
  };
  answer = ({ path }) => (path.endsWith("/uses") ? Response.json({ uses: [use] }) : undefined);
  openAt(`/sync-studio/actions/${ACTION_ID}`);
  await expect.element(page.getByRole("link", { name: "Account" })).toBeVisible();
  expect(page.getByText(/no longer fit/).elements()).toHaveLength(0);
  await textbox("Name of variable 1").fill("name");
  await expect.element(page.getByText("One node no longer fits these variables once they are saved.")).toBeVisible();
  await expect.element(page.getByText("Gives no value for “name”, which is required")).toBeVisible();
  await button("Delete").click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog.getByText("Account, published: node Rate it")).toBeVisible();
  await dialog.getByRole("button", { name: "Delete anyway" }).click();
  await expect.poll(() => calls.some(({ method }) => method === "DELETE")).toBe(true);
});

test("who may only read sees everything and changes nothing", async () => {
  openAt(`/sync-studio/actions/${ACTION_ID}`, ["READ_STUDIO"]);
  await expect.element(page.getByText(/^You can look at this action/)).toBeVisible();
  await expect.element(textbox("Name")).toHaveAttribute("readonly");
  expect(button("Save").elements()).toHaveLength(0);
  expect(button("Send test request").elements()).toHaveLength(0);
});
