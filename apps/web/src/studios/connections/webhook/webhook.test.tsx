/** A webhook's page in its states, and its steps: what is typed is checked where it stands and sent as a whole. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { words } from "../../../app/words.ts";
import { ADDRESS, entry, HOOK, hook, post } from "./webhook.fixtures.ts";
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
  signIn,
  TRIED,
  serveWebhook,
} from "./webhook-server.fixtures.tsx";

serveWebhook();

test("[PLT-130] the page shows address, commands and an empty log", async () => {
  await openPage();
  await expect.element(page.getByText(ADDRESS, { exact: true })).toBeVisible();
  await expect.element(page.getByText(/Give it the same secret/)).toBeVisible();
  await expect.element(page.getByText("Nothing was posted yet")).toBeVisible();
  await page.getByText("Post a sample from a terminal", { exact: true }).click();
  await expect.element(page.getByText(/--data-binary/)).toBeVisible();
  await expect.element(button("Replace address…")).toBeVisible();
});

test("a reader of synapses sees the log, and nothing that changes it", async () => {
  signIn(["READ_CONNECTOR"]);
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry()]);
  await openPage("?post=post-3");
  await expect.element(page.getByRole("heading", { name: "Post 3" })).toBeVisible();
  await expect.element(page.getByText("content-type")).toBeVisible();
  await expect.element(button("Replay")).not.toBeInTheDocument();
  await expect.element(button("Replace address…")).not.toBeInTheDocument();
  await expect.element(page.getByRole("link", { name: "Use as test payload" })).not.toBeInTheDocument();
});

test("without an address one is made; while not active that is said", async () => {
  answers[`GET /connectors/${HOOK}/webhook-address`] = () => Response.json({ url: null });
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook({ status: "INACTIVE" }));
  answers[`POST /connectors/${HOOK}/webhook-address`] = () => {
    answers[`GET /connectors/${HOOK}/webhook-address`] = () => Response.json({ url: ADDRESS });
    return Response.json({ url: ADDRESS });
  };
  await openPage();
  await button("Make the address").click();
  await expect.element(page.getByText(ADDRESS, { exact: true })).toBeVisible();
  await expect.element(page.getByText(/refused with 404 while/)).toBeVisible();
});

test("posts are listed with what became of them, what was cut is said, and a failed log is asked for again", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () =>
    Response.json({ code: "internal_error", message: "The disk is full." }, { status: 500 });
  await openPage();
  await expect.element(page.getByText("The disk is full.")).toBeVisible();
  answers[`GET /connectors/${HOOK}/webhook-log`] = () =>
    logOf(
      [
        entry({
          number: 9,
          kind: "refusal",
          outcome: "refused",
          code: "too_many_posts",
          status: 429,
          times: 40,
          body: null,
        }),
        entry({
          number: 8,
          kind: "refusal",
          outcome: "refused",
          code: "signature_wrong",
          status: 401,
          recordCount: null,
        }),
        entry({ number: 4, outcome: "noRecords", recordCount: 0 }),
        entry({ number: 5, replayOf: 3 }),
        entry(),
      ],
      { cut: 12 },
    );
  await button("Try again").click();
  await expect.element(page.getByText("Wrong signature or secret")).toBeVisible();
  await expect.element(page.getByText("40 posts")).toBeVisible();
  await expect.element(page.getByText("Again: post 3")).toBeVisible();
  await expect.element(page.getByRole("row").getByText("No record found")).toBeVisible();
  await expect.element(page.getByText(/12 older ones were left out/)).toBeVisible();
});

test("older posts stand still; back at the newest ones the page is live again", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () =>
    logOf([entry()], { page: { nextCursor: null, previousCursor: "newer" } });
  await openPage("?cursor=older");
  await expect.element(page.getByText(/does not change by itself/)).toBeVisible();
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry()]);
  await button("Newer").click();
  await expect.element(page.getByText("New posts appear by themselves")).toBeVisible();
});

test("a post is replayed, and what happened is said", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry()]);
  answers[`POST /connectors/${HOOK}/webhook-log/post/3/replay`] = () =>
    Response.json({ number: 11, status: 202, answer: '{"received": 1}', recordCount: 1, pipelineCount: 2 });
  await openPage();
  await page.getByRole("row").filter({ hasText: "Accepted" }).click();
  await expect.element(page.getByRole("cell", { name: "Ada" })).toBeVisible();
  await expect.element(page.getByText("not kept", { exact: true })).toBeVisible();
  await button("Replay").click();
  await expect.element(page.getByText(/Taken as post 11, answered with 202\./)).toBeVisible();
  await expect.element(page.getByText(/2 pipelines read it now/)).toBeVisible();
});

test("where values are secret neither body nor records are shown", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry({ body: null })]);
  answers[`GET /connectors/${HOOK}/webhook-log/post/3`] = () =>
    Response.json(post({ body: null, isHidden: true, picked: null }));
  await openPage("?post=post-3");
  await expect.element(page.getByText(/shown to nobody/)).toBeVisible();
  await expect.element(page.getByText("Hidden: it may hold secret values")).toBeVisible();
});

test.each([
  ["another kind of synapse", "fax", {}],
  ["a connection that is no webhook", "webhook", { webhook: false }],
])("[PLT-024] %s is not found", async (_name, type, more) => {
  answers[`GET /connectors/${HOOK}`] = () => Response.json(hook(more));
  await openSteps(HOOK, "", type);
  await expect.element(page.getByRole("heading", { name: words.t("shell:error.notFoundTitle") })).toBeVisible();
});

test("an address that names a step ahead opens the first one that is not filled in", async () => {
  await openSteps("new", "?step=review");
  await expect.element(input("Display name")).toBeVisible();
  await button("Next").click();
  await expect.element(page.getByText("Display name is needed.")).toBeVisible();
});

test("[PLT-039] a webhook is made step by step; what is wrong is said at its input", async () => {
  answers["POST /connectors"] = () => Response.json(hook());
  answers[`POST /connectors/${HOOK}/webhook-address`] = () => Response.json({ url: ADDRESS });
  answers[`POST /connectors/${HOOK}/activate`] = () => Response.json(hook({ status: "ACTIVATING" }));
  await openSteps("new");
  await button("Next").click();
  await expect.element(page.getByText("Display name is needed.")).toBeVisible();
  await input("Display name").fill("Shop orders");
  await button("Generate a secret").click();
  await expect.element(page.getByText(/Copy it into the sender now/)).toBeVisible();
  await button("Next").click();

  await input("Example of a payload (JSON)").fill("{");
  await button("Next").click();
  await expect.element(page.getByText(/^This is not JSON/)).toBeVisible();
  await input("Example of a payload (JSON)").fill('{"orders":[{"id":"7"}]}');
  answers["POST /connectors/try-webhook-payload"] = () =>
    refused("config.recordSelector", "is no path like data.items");
  await input("Path to the records").fill("a[");
  await button("Next").click();
  await expect.element(page.getByText("Is no path like data.items")).toBeVisible();
  answers["POST /connectors/try-webhook-payload"] = () => Response.json({ ...TRIED, count: 0, records: [] });
  await button("Next").click();
  await expect.element(page.getByText("Nothing is at this path in the example.")).toBeVisible();
  answers["POST /connectors/try-webhook-payload"] = () => Response.json(TRIED);
  await input("Path to the records").fill("orders");
  await button("Next").click();

  await expect.element(input("Answer (JSON)")).toHaveValue('{"received": {{count}}}');
  await button("Next").click();
  await expect.element(input("Test payload (JSON)")).toHaveValue('{"orders":[{"id":"7"}]}');
  await button("Try it").click();
  await expect.element(page.getByText('202 {"received": 1}')).toBeVisible();
  await button("Next").click();
  await button("Create synapse").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(sent.find(({ call }) => call === "POST /connectors")?.body).toMatchObject({
    name: "Shop orders",
    typeId: "webhook",
    authType: "apiSecretKey",
    credentials: { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    config: { recordSelector: "orders", signature: "standard", fields: [] },
  });
});

test("a stored webhook is changed by its version, a received post becomes the test payload, secrets stay", async () => {
  answers[`GET /connectors/${HOOK}/webhook-log`] = () => logOf([entry()]);
  await openSteps(HOOK, "?step=test&post=3");
  await expect.element(input("Test payload (JSON)")).toHaveValue('{"orders":[{"id":"7"}]}');
  await input("Test payload (JSON)").fill('{"typed": "later"}');
  await button("Response").click();
  await button("Test payload").click();
  await expect.element(input("Test payload (JSON)")).toHaveValue('{"typed": "later"}');
  await button("Response").click();
  await input("Answer (JSON)").fill('{"taken": {{count}}}');
  await button("Review & submit").click();
  await button("Publish changes").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(sent.find(({ call }) => call.endsWith("/publish"))?.body).toEqual({
    ...{ version: 4, credentials: {}, seenSavedAt: DRAFT.savedAt },
  });
  expect(sent.find(({ call }) => call.startsWith("PUT"))?.body).toMatchObject({
    name: "Shop orders",
    config: { responseTemplate: '{"taken": {{count}}}', recordSelector: "orders" },
  });
});

test("[PLT-073] a draft goes on where it was left, and is saved without publishing", async () => {
  answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: DRAFT });
  await openSteps(HOOK);
  await expect.element(input("Display name")).toHaveValue("Renamed");
  await expect.element(button("Save as draft")).toBeDisabled();
  await input("Display name").fill("Renamed again");
  await button("Save as draft").click();
  await expect.element(page.getByText("The page of the synapse")).toBeVisible();
  expect(sent).toMatchObject([{ body: { name: "Renamed again", config: { recordSelector: "items" } } }]);
  expect(sent.some(({ call }) => call.endsWith("/publish"))).toBe(false);
});

test("[PLT-073] a draft is discarded from the page of the webhook", async () => {
  answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: DRAFT });
  answers[`DELETE /connectors/${HOOK}/webhook-draft`] = () => {
    answers[`GET /connectors/${HOOK}/webhook-draft`] = () => Response.json({ draft: null });
    return Response.json({ draft: null });
  };
  await openPage("?tab=settings");
  await expect.element(page.getByText(/does not count before it is published/)).toBeVisible();
  await button("Discard draft…").click();
  await expect.element(page.getByText(/The webhook stays as it is published/)).toBeVisible();
  await expect.element(page.getByText(/What you typed here/)).not.toBeInTheDocument();
  await button("Discard draft").click();
  await expect.element(button("Discard draft…")).not.toBeInTheDocument();
});
