/** A core field for a field of the system: proposed, created once, published, and mapped when that is done. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { coreEntity, fieldOf, SHOP } from "../../new-pipeline/new-pipeline.fixtures.ts";
import { CreateFieldDialog } from "./create-field-dialog.tsx";

const network = globalThis.fetch;
const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const ENTITY = coreEntity([fieldOf("name")], { displayName: "Account", revision: 3 });
let sent: { call: string; key: string | null; body: Record<string, unknown> }[] = [];
/** Answers, by the end of the address; each once. */
let answers: Map<string, Response | Promise<Response>>;
/** The entity as it is read. */
let newest: typeof ENTITY;

beforeEach(() => {
  sent = [];
  answers = new Map();
  newest = ENTITY;
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    const address = String(path).split("?")[0] ?? "";
    if (!address.includes("/api/v1/")) return network(path, init);
    if ((init?.method ?? "GET") === "GET")
      return reply(address.endsWith("/entities") ? { entities: [newest] } : newest);
    sent.push({
      call: address,
      key: new Headers(init?.headers).get("idempotency-key"),
      body: typeof init?.body === "string" ? JSON.parse(init.body) : {},
    });
    const prepared = [...answers].find(([end]) => address.endsWith(end));
    if (prepared) answers.delete(prepared[0]);
    return prepared?.[1] ?? reply({ ...ENTITY, hasDraft: true, revision: 4 });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const LIMIT = fieldOf("credit-limit", { displayName: "Credit limit", dataType: "decimal" });

function open(entity = ENTITY, source = LIMIT, onClose = () => {}): string[] {
  const created: string[] = [];
  show(
    <QueryClientProvider client={queryClient}>
      <CreateFieldDialog
        entity={entity}
        connectorId={SHOP}
        entityApiName="Account"
        source={source}
        onClose={onClose}
        onCreated={(apiName) => created.push(apiName)}
      />
    </QueryClientProvider>,
  );
  return created;
}
const submit = page.getByRole("button", { name: "Create and map" });
const calls = (end: string) => sent.filter(({ call }) => call.endsWith(end));

const draftWithLimit = (revision: number) =>
  coreEntity([fieldOf("name"), fieldOf("credit_limit")], { displayName: "Account", hasDraft: true, revision });

test("name and type are proposed, and the field is mapped once it is published", async () => {
  const created = open();
  await expect.element(page.getByRole("textbox", { name: "API name" })).toHaveValue("credit_limit");
  await expect.element(page.getByRole("textbox", { name: "Type" })).toHaveValue("Exact number");
  await page.getByRole("textbox", { name: "Label" }).fill("Limit");
  await submit.click();
  await expect.poll(() => created).toEqual(["credit_limit"]);
  expect(calls("/fields")[0]?.body).toMatchObject({
    apiName: "credit_limit",
    displayName: "Limit",
    dataType: "decimal",
  });
  expect(calls("/publish")[0]?.body).toEqual({ revision: 4 });
});

test("where only publishing fails, the next try creates no second field", async () => {
  const created = open();
  newest = draftWithLimit(4);
  answers.set("/publish", reply({ code: "server_busy", message: "The database is busy." }, 503));
  await submit.click();
  await expect.element(page.getByText("The database is busy.", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/The field exists in the draft of Account/)).toBeVisible();
  expect(created).toEqual([]);
  await submit.click();
  await expect.poll(() => created).toEqual(["credit_limit"]);
  expect(calls("/fields")).toHaveLength(1);
});

test("where the answer of creating is lost, the next try sends the same creation with the same key, and nothing else", async () => {
  const created = open();
  await page.getByRole("textbox", { name: "Label" }).fill("Limit");
  answers.set("/fields", reply({ code: "server_busy", message: "The database is busy." }, 503));
  await submit.click();
  await expect.element(page.getByText(/It is not known whether the field was created/)).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Label" })).toHaveAttribute("readonly");
  await submit.click();
  await expect.poll(() => created).toEqual(["credit_limit"]);
  const [first, second] = calls("/fields");
  expect(second).toEqual(first);
});

test("a creation that is refused is sent anew with another key", async () => {
  const created = open();
  answers.set("/fields", reply({ code: "name_taken", message: "The name is taken." }, 409));
  await submit.click();
  await expect.element(page.getByText(/The name is taken/)).toBeVisible();
  await page.getByRole("textbox", { name: "API name" }).fill("credit");
  await submit.click();
  await expect.poll(() => created).toEqual(["credit"]);
  const [first, second] = calls("/fields").map(({ key }) => key);
  expect(second).not.toBe(first);
});

test("where somebody else changes the draft meanwhile, the next try publishes it as it is now, after saying so", async () => {
  const created = open();
  answers.set("/publish", reply({ code: "stale_version", message: "Somebody else changed this." }, 409));
  await submit.click();
  await expect.element(page.getByText("Somebody else changed this.", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/The field exists in the draft/)).toBeVisible();
  await expect.element(page.getByText(/Account has other changes that are not published yet/)).toBeVisible();
  newest = draftWithLimit(7);
  await submit.click();
  await expect.poll(() => created).toEqual(["credit_limit"]);
  expect(calls("/publish").map(({ body }) => body["revision"])).toEqual([4, 7]);
  expect(calls("/fields")).toHaveLength(1);
});

test("where somebody else published the draft meanwhile, the field is mapped without publishing again", async () => {
  const created = open();
  answers.set("/publish", reply({ code: "server_busy", message: "The database is busy." }, 503));
  await submit.click();
  await expect.element(page.getByText(/The field exists in the draft/)).toBeVisible();
  newest = { ...draftWithLimit(4), hasDraft: false };
  await submit.click();
  await expect.poll(() => created).toEqual(["credit_limit"]);
  expect(calls("/publish")).toHaveLength(1);
});

test("while the field is being created, the dialog stays open", async () => {
  let isClosed = false;
  const created = open(ENTITY, LIMIT, () => (isClosed = true));
  const publishing = Promise.withResolvers<Response>();
  answers.set("/publish", publishing.promise);
  await submit.click();
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(isClosed).toBe(false);
  publishing.resolve(reply(ENTITY));
  await expect.poll(() => created).toEqual(["credit_limit"]);
});

test("a reference of an entity to itself stays one, also where both sides have the same name", async () => {
  newest = coreEntity([], { apiName: "Account", displayName: "Account" });
  const created = open(newest, fieldOf("parent", { dataType: "reference", referenceTo: "Account" }));
  await submit.click();
  await expect.poll(() => created).toEqual(["parent"]);
  expect(calls("/fields")[0]?.body).toMatchObject({ dataType: "reference", referenceTo: "Account" });
});

test("other changes that would be published with it are announced, and a wrong name is refused here", async () => {
  open({ ...ENTITY, hasDraft: true });
  await expect.element(page.getByText(/Account has other changes that are not published yet/)).toBeVisible();
  await page.getByRole("textbox", { name: "API name" }).fill("1 wrong");
  await expect.element(submit).toBeDisabled();
  await expect.element(page.getByText(/A letter, then letters, digits/)).toBeVisible();
});
