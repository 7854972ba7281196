/** Setting Slack up: a token is entered once, kept, replaced, refused with words, and switched off. */
import { listServiceProviders } from "@accord/contracts/sync/providers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import { showInRouter } from "../../../../app/show-in-router.fixtures.tsx";
import "../../../../app/words.ts";
import { SlackSettings } from "./slack-settings.tsx";

const OFF = {
  ...{ service: "slack", configured: false, protocol: "incomingWebhook", endpoint: "", model: "" },
  ...{ authentication: { type: "none" }, hasSecret: false, host: "", updatedAt: null },
};
const BOT = {
  ...OFF,
  ...{ configured: true, protocol: "slackApi", endpoint: "https://slack.com/api", hasSecret: true, host: "slack.com" },
};
const network = globalThis.fetch;
let sent: { method: string; body: unknown }[] = [];
let refusal: object | null = null;
let closed = 0;

beforeEach(() => {
  [sent, refusal, closed] = [[], null, 0];
  globalThis.fetch = async (path, init) => {
    if (typeof path !== "string" || !path.includes("/service-providers/")) return network(path, init);
    sent.push({ method: init?.method ?? "GET", body: init?.body ? JSON.parse(String(init.body)) : null });
    return refusal ? Response.json(refusal, { status: 400 }) : Response.json(BOT);
  };
});
afterEach(() => {
  globalThis.fetch = network;
  queryClient.clear();
});

function show(stored: object) {
  queryClient.setQueryDefaults(keyOf(listServiceProviders, {}), { staleTime: Infinity });
  queryClient.setQueryData(keyOf(listServiceProviders, {}), { providers: [stored] });
  showInRouter(() => <SlackSettings onClose={() => (closed += 1)} />);
}

test("a token is entered, sent once, and the window closes", async () => {
  show(OFF);
  await expect.element(page.getByText("Slack is not set up.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Switch off" })).not.toBeInTheDocument();
  await page.getByLabelText(/^Bot token/).fill("xoxb-1-2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => closed).toBe(1);
  expect(sent).toEqual([{ method: "PUT", body: { protocol: "slackApi", endpoint: "", secret: "xoxb-1-2" } }]);
});

test("a stored token stays where none is entered, and Slack is switched off by a button", async () => {
  show(BOT);
  await expect.element(page.getByText("Messages go out as a bot, by slack.com.")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => sent)
    .toEqual([{ method: "PUT", body: { protocol: "slackApi", endpoint: "https://slack.com/api" } }]);
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect.poll(() => sent.at(1)?.method).toBe("DELETE");
});

test("what the server refuses stands at the token, and what was typed stays", async () => {
  const errors = [{ path: "secret", message: "is required: the bot token of an app" }];
  refusal = { code: "validation_failed", message: "Invalid", errors };
  show(OFF);
  await page.getByLabelText(/^Bot token/).fill("nonsense");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByText(/is required: the bot token of an app/)).toBeVisible();
  await expect.element(page.getByLabelText(/^Bot token/)).toHaveValue("nonsense");
  expect(closed).toBe(0);
});
