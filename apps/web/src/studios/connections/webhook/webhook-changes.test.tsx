/** Changing a webhook: nothing of others is covered, every step is checked, and what is said is what happens. */
import { listWebhookDrafts } from "@accord/contracts/connections/webhook-drafts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { endpointQuery, keyOf, queryClient } from "../../../app/queries.ts";
import { entry, HOOK, hook } from "./webhook.fixtures.ts";
import {
  answers,
  button,
  DRAFT,
  input,
  logOf,
  openPage,
  openSteps,
  refused,
  sent,
  TRIED,
  serveWebhook,
} from "./webhook-server.fixtures.tsx";

serveWebhook();

const SAVED_BY_ANOTHER = { version: 5, config: { recordSelector: "theirs", signature: "standard" } };
const stale = () =>
  Response.json({ code: "stale_version", message: "Somebody else changed this in the meantime." }, { status: 409 });
const readAgain = () => queryClient.invalidateQueries();

test("what somebody else saved meanwhile is not covered: it is said, and theirs is loaded after a question", async () => {
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook(SAVED_BY_ANOTHER));
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText(/Somebody else changed this webhook/)).toBeVisible();
  await expect.element(button("Publish changes")).toBeDisabled();
  await expect.element(button("Save as draft")).toBeDisabled();
  expect(sent.filter(({ call }) => call.includes("webhook-draft"))).toEqual([]);
  await button("Load theirs…").click();
  await button("Load").click();
  await expect.element(page.getByText("theirs", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Somebody else changed this webhook/)).not.toBeInTheDocument();
});

test("a draft that somebody else saved meanwhile is not covered; one may go on with one's own", async () => {
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: DRAFT });
  await button("Save as draft").click();
  await expect.element(page.getByText(/Somebody else changed this webhook/)).toBeVisible();
  expect(sent).toEqual([]);
  await button("Go on with mine").click();
  await expect.element(input("Display name")).toHaveValue("Mine");
  await button("Save as draft").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(sent).toMatchObject([{ body: { name: "Mine" } }]);
});

test("discarding a draft names what was typed, and is refused where a newer one is stored, which is shown then", async () => {
  answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: DRAFT });
  let seen: string | null = null;
  answers[`DELETE /connectors/${HOOK}/webhook-draft`] = (query) => {
    seen = query.get("seenSavedAt");
    answers[`GET /connectors/${HOOK}/webhook-draft`] = () =>
      Response.json({ draft: { ...DRAFT, savedAt: "2026-11-01T11:00:00.000Z" } });
    return stale();
  };
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  await button("Discard draft…").click();
  await expect.element(page.getByText(/What you typed here since it was saved is lost as well/)).toBeVisible();
  await button("Discard draft").click();
  await expect.element(page.getByText(/Somebody else changed this in the meantime/)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await expect.element(page.getByText(/Somebody else changed this webhook/)).toBeVisible();
  await expect.element(input("Display name")).toHaveValue("Mine");
  expect(seen).toBe(DRAFT.savedAt);
});

test("a draft that somebody else saved in the same moment is neither replaced nor published", async () => {
  answers[`PUT /connectors/${HOOK}/webhook-draft`] = () => {
    answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: DRAFT });
    return stale();
  };
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText(/Somebody else changed this webhook/)).toBeVisible();
  expect(sent.filter(({ call }) => call.includes("webhook-draft"))).toMatchObject([{ body: { seenSavedAt: null } }]);
});

test("a refused publishing leaves no draft that was not there before", async () => {
  const deleted: (string | null)[] = [];
  answers[`POST /connectors/${HOOK}/webhook-draft/publish`] = () => refused("name", "is taken");
  answers[`DELETE /connectors/${HOOK}/webhook-draft`] = (query) => {
    deleted.push(query.get("seenSavedAt"));
    return Response.json({ draft: null });
  };
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText("Is taken")).toBeVisible();
  await expect.element(input("Display name")).toHaveValue("Mine");
  expect(deleted).toEqual([DRAFT.savedAt]);
  await expect.element(button("Discard draft…")).not.toBeInTheDocument();
});

test("a draft that is saved makes the list of drafts old", async () => {
  const list = endpointQuery(listWebhookDrafts);
  queryClient.setQueryData(keyOf(listWebhookDrafts, {}), { drafts: [] });
  await openSteps(HOOK);
  await input("Display name").fill("Mine");
  await button("Save as draft").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(queryClient.getQueryState(list.queryKey)?.isInvalidated).toBe(true);
});

test("saving a draft says that a typed secret is not kept in it", async () => {
  await openSteps(HOOK);
  await button("Generate a secret").click();
  await button("Save as draft").click();
  await expect.element(page.getByText(/without the secret you typed/)).toBeVisible();
});

test("a form in which nothing was typed shows what is stored now, and sends that version", async () => {
  await openSteps(HOOK);
  await expect.element(input("Display name")).toHaveValue("Shop orders");
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook({ ...SAVED_BY_ANOTHER, name: "Theirs" }));
  await readAgain();
  await expect.element(input("Display name")).toHaveValue("Theirs");
  await input("Display name").fill("Mine after theirs");
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(sent.find(({ call }) => call.endsWith("/publish"))?.body).toMatchObject({ version: 5 });
});

test("a step that is left with an error in it is checked before anything is submitted", async () => {
  await openSteps(HOOK, "?step=response");
  await input("Answer (JSON)").fill("no JSON");
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText(/^Must be JSON/)).toBeVisible();
  await input("Answer (JSON)").fill("{}");
  answers["POST /connectors/try-webhook-payload"] = () => Response.json({ ...TRIED, count: 0, records: [] });
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText("Nothing is at this path in the example.")).toBeVisible();
  expect(sent.some(({ call }) => call.includes("webhook-draft"))).toBe(false);
});

test("what is wrong where no input shows it is said in a box", async () => {
  await openSteps(HOOK, "?step=payload");
  answers["POST /connectors/try-webhook-payload"] = () => refused("config.fields", "at most 500");
  await button("Next").click();
  await expect.element(page.getByText(/These settings are not right:/)).toBeVisible();
  await expect.element(page.getByText(/At most 500/)).toBeVisible();
});

test("lists are offered before fields are filled in, and a wrong path is said at its input", async () => {
  answers[`GET /connectors/${HOOK}`] = () =>
    Response.json(hook({ config: { sample: '{"has_more":false,"data":{"items":[{"id":1}]}}' } }));
  const field = (apiName: string) => ({ apiName, displayName: apiName, dataType: "string" });
  const read = (names: string[]) => () =>
    Response.json({ ...TRIED, recordSelectors: ["data.items"], inferred: names.map(field) });
  answers["POST /connectors/try-webhook-payload"] = read(["has_more", "data"]);
  await openSteps(HOOK, "?step=payload");
  await button("Read fields from the example").click();
  await expect.element(page.getByText(/^Choose where the records are/)).toBeVisible();
  await expect.element(input("Name in the payload has_more")).not.toBeInTheDocument();
  answers["POST /connectors/try-webhook-payload"] = read(["id"]);
  await button("data.items").click();
  await expect.element(input("Name in the payload id")).toBeVisible();
  answers["POST /connectors/try-webhook-payload"] = () => refused("config.recordSelector", "is no path");
  await input("Path to the records").fill("a[");
  await button("Read fields from the example").click();
  await expect.element(page.getByText("Is no path")).toBeVisible();
});

test("records that are no objects are refused where fields are read from them, and before the next step", async () => {
  answers["POST /connectors/try-webhook-payload"] = () => Response.json({ ...TRIED, records: [] });
  await openSteps(HOOK, "?step=payload");
  await button("Read fields from the example").click();
  await expect.element(page.getByText(/^No JSON object is at this path/)).toBeVisible();
  await input("Path to the records").fill("names");
  answers["POST /connectors/try-webhook-payload"] = () => refused("config.recordSelector", "leads to no JSON object");
  await button("Next").click();
  await expect.element(page.getByText("Leads to no JSON object")).toBeVisible();
  await expect.element(input("Path to the records")).toBeVisible();
});

test("received posts are offered though the newest ones were refused; a failure is said and read again", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () =>
    Response.json({ code: "internal_error", message: "The disk is full." }, { status: 500 });
  await openSteps(HOOK, "?step=payload");
  await expect.element(page.getByText(/Received posts could not be read/)).toBeVisible();
  answers[`GET /connectors/${HOOK}/webhook-log`] = (query) =>
    logOf(
      query.get("outcome") === "accepted"
        ? [entry()]
        : query.get("outcome") === "noRecords"
          ? []
          : [entry({ number: 9, kind: "refusal", outcome: "refused", code: "signature_wrong", status: 401 })],
    );
  await button("Read them again").click();
  await button("Take a received post").click();
  await expect.element(page.getByRole("menuitem", { name: /Post 3/ })).toBeVisible();
});

test("a made secret stays to be copied between steps", async () => {
  await openSteps(HOOK);
  await button("Generate a secret").click();
  await button("Review & submit").click();
  await button("Configure").click();
  await expect.element(page.getByText(/Copy it into the sender now/)).toBeVisible();
});

test("a made secret is a key of Standard Webhooks where that signs, and plain characters elsewhere", async () => {
  await openSteps(HOOK);
  await button("Generate a secret").click();
  await expect.element(button(/^whsec_[A-Za-z0-9+/]{43}=/)).toBeVisible();
  await page.getByRole("combobox", { name: "Who signs" }).click();
  await page.getByRole("option", { name: "GitHub" }).click();
  await button("Generate a secret").click();
  await expect.element(button(/^[0-9a-f]{64}/)).toBeVisible();
});

test("code 204 is shown without a body", async () => {
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook({ config: { responseCode: 204 } }));
  await openSteps(HOOK, "?step=response");
  await expect.element(page.getByText(/^204 \(no body/)).toBeVisible();
});

test("an emptied answer is reviewed as the one that is sent instead", async () => {
  await openSteps(HOOK, "?step=response");
  await input("Answer (JSON)").fill("");
  await button("Review & submit").click();
  await expect.element(page.getByText('{"received": {{count}}}')).toBeVisible();
});

test("a post is not replayed while the synapse is not active, and it is said why", async () => {
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook({ status: "ERROR" }));
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry()]);
  await openPage("?post=post-3");
  await expect.element(page.getByText(/Only while the synapse is active/)).toBeVisible();
  await expect.element(button("Replay")).toBeDisabled();
});
