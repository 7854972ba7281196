/** Messages that a bot posts to a simulated Slack, which follows the reference of its Web API: pages, limits and refusals. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as contract from "@accord/contracts/sync/providers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";
import type { Module } from "../../../../platform/module.ts";
import type { ActionsService } from "../index.ts";

const TOKEN = "xoxb-2345-abcdef";
type Reply = { status?: number; headers?: Record<string, string>; body?: object } | "silence";

let t: TestApp;
let server: Server;
let calls: { method: string; form: URLSearchParams; authorization: string }[] = [];
let posted: { channel: string; text: string }[] = [];
/** What the next calls of a method are answered in place of being carried out. */
let instead: Record<string, Reply[]> = {};

/** Slack answers with some 900 bytes for each channel. */
const TOPIC = { value: "About the work of this team. ".repeat(15), creator: "U024BE7LH", last_set: 1449709364 };
/** As many on a page at most, whatever is asked for. */
const PAGE = 200;
/** 450 channels; the bot is in the last ten. One has a name that looks like an id. */
const CHANNELS = Array.from({ length: 450 }, (_, at) => ({
  ...{ id: `C${String(at).padStart(8, "0")}`, name: at === 448 ? "clients2026" : `team-${at}` },
  ...{ is_private: false, is_member: at >= 440, topic: TOPIC, purpose: TOPIC },
}));

function answer(method: string, form: URLSearchParams, authorization: string): object {
  if (authorization !== `Bearer ${TOKEN}`) return { ok: false, error: "invalid_auth" };
  if (method === "conversations.list") {
    const from = Number(form.get("cursor") || "0");
    const size = Math.min(PAGE, Number(form.get("limit")));
    const next = from + size < CHANNELS.length ? String(from + size) : "";
    return { ok: true, channels: CHANNELS.slice(from, from + size), response_metadata: { next_cursor: next } };
  }
  if (method !== "chat.postMessage") return { ok: false, error: "unknown_method" };
  const [channel, text] = [form.get("channel") ?? "", form.get("text") ?? ""];
  const found = CHANNELS.find(({ id }) => id === channel);
  if (!found) return { ok: false, error: "channel_not_found" };
  if (!found.is_member) return { ok: false, error: "not_in_channel" };
  if (text === "") return { ok: false, error: "no_text" };
  posted.push({ channel: found.name, text });
  return { ok: true, channel, ts: "1503435956.000247", message: { text, blocks: [{ type: "rich_text", text }] } };
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += String(part);
    const method = (request.url ?? "").replace("/api/", "");
    const call = { method, form: new URLSearchParams(text), authorization: request.headers.authorization ?? "" };
    calls.push(call);
    const other = instead[method]?.shift();
    if (other === "silence") return void request.socket.destroy();
    const { status = 200, headers = {}, body = answer(method, call.form, call.authorization) } = other ?? {};
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t = await testApp();
  t.deps.outbound.allow(`127.0.0.1:${(server.address() as AddressInfo).port}`);
});
beforeEach(async () => {
  [calls, posted, instead] = [[], [], {}];
  // Channels are kept for the settings that were saved at one moment.
  t.clock.advance(1_000);
  await save({ secret: TOKEN });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const params = { service: "slack" } as const;
const settings = (more: object) => {
  const { port } = server.address() as AddressInfo;
  return { protocol: "slackApi" as const, endpoint: `http://127.0.0.1:${port}/api`, ...more };
};
const save = (more: object) =>
  t.as("INSTANCE_ADMIN").call(contract.saveServiceProvider, { params, body: settings(more) });

let sent = 0;
async function post(channel: string, text = "Acme is new") {
  const { service } = t.module<Module & { service: ActionsService }>("sync/actions");
  const pipeline = {
    ...{ instanceId: t.instanceId, pipelineId: t.deps.newId<"entity">(), versionNumber: 1 },
    connect: () => Promise.reject(new Error("no system is asked")),
  };
  const call = {
    ...{ key: `node ${(sent += 1)}`, nodeId: "node", label: "Write", action: "sendSlackMessage" },
    ...{ externalId: "1", recordId: null, work: { kind: "chat", service: "slack", channel, text } as const },
  };
  const [result] = await service.answer(pipeline, [{ kind: "action", call, later: false }]);
  const [outcome] = result?.ok ? result.found : [];
  return outcome as { succeeded: boolean; code: string | null; message: string | null };
}
const methods = () => calls.map(({ method }) => method);

describe("a message of a bot", () => {
  test("goes to the channel that is named, found on a later page, and once more without looking for it", async () => {
    expect(await post("#team-449")).toMatchObject({ succeeded: true });
    expect(await post("Team-449", "Again")).toMatchObject({ succeeded: true });
    expect(posted).toEqual([
      { channel: "team-449", text: "Acme is new" },
      { channel: "team-449", text: "Again" },
    ]);
    const lists = ["conversations.list", "conversations.list", "conversations.list"];
    expect(methods()).toEqual([...lists, "chat.postMessage", "chat.postMessage"]);
    expect(calls[0]?.form.get("types")).toBe("public_channel,private_channel");
  });

  test("goes to the channel whose id is entered, and a value in it calls nobody", async () => {
    expect(await post("C00000445", "<!channel> & co")).toMatchObject({ succeeded: true });
    expect(posted).toEqual([{ channel: "team-445", text: "&lt;!channel&gt; &amp; co" }]);
    expect(methods()).toEqual(["chat.postMessage"]);
  });
});

describe("what is long or often asked for", () => {
  test("a message as long as Slack takes, which comes back twice as long, counts as posted", async () => {
    expect(await post("C00000445", "x".repeat(40_000))).toMatchObject({ succeeded: true });
    expect(posted).toHaveLength(1);
  });

  test("a name in capitals that looks like an id is looked for as a name as well", async () => {
    expect(await post("CLIENTS2026")).toMatchObject({ succeeded: true });
    expect(posted).toEqual([{ channel: "clients2026", text: "Acme is new" }]);
    expect(methods().slice(-1)).toEqual(["chat.postMessage"]);
    expect(await post("CNOWHERE1")).toMatchObject({ message: expect.stringContaining("sees no channel CNOWHERE1.") });
  });

  test("all who wait share one look-up, and a name that is nobody's is not looked for again at once", async () => {
    const names = ["#team-440", "#nowhere", "#team-449", "#nowhere-else"];
    const outcomes = await Promise.all(names.map((name) => post(name)));
    expect(outcomes.map(({ succeeded }) => succeeded)).toEqual([true, false, true, false]);
    expect(await post("#nowhere")).toMatchObject({ code: "slack_channel_not_found" });
    const lists = () => methods().filter((method) => method === "conversations.list").length;
    expect(lists()).toBe(3);
    t.clock.advance(61_000);
    expect(await post("#team-440")).toMatchObject({ succeeded: true });
    expect(lists()).toBe(3);
    expect(await post("#nowhere")).toMatchObject({ code: "slack_channel_not_found" });
    expect(lists()).toBe(6);
  });

  test("a list that fails is asked for again by the next message", async () => {
    const failed = { body: { ok: false, error: "missing_scope", needed: "groups:read" } };
    instead = { "conversations.list": [failed] };
    expect(await post("#team-449")).toMatchObject({ code: "slack_missing_scope" });
    expect(await post("#team-449")).toMatchObject({ succeeded: true });
    expect(methods().filter((method) => method === "conversations.list")).toHaveLength(4);
  });
});

describe("what Slack refuses", () => {
  test.each([
    ["#nowhere", "slack_channel_not_found", "The bot sees no channel #nowhere."],
    ["#team-3", "slack_not_in_channel", "invite it there"],
    ["", "slack_channel_missing", "Enter a channel"],
  ])("channel %s: %s", async (channel, code, words) => {
    expect(await post(channel)).toMatchObject({ succeeded: false, code, message: expect.stringContaining(words) });
    expect(posted).toEqual([]);
  });

  test("a token that counts no longer, a scope that is missing, and an error that nobody knows", async () => {
    for (const [body, words] of [
      [{ ok: false, error: "token_revoked" }, "counts no longer"],
      [{ ok: false, error: "missing_scope", needed: "chat:write" }, "lacks the scope chat:write"],
      [{ ok: false, error: "some_new_error" }, "Slack refused it: some_new_error."],
      [{ hello: "world" }, "not Slack's Web API"],
    ] as const) {
      instead = { "chat.postMessage": [{ body }] };
      expect(await post("C00000445")).toMatchObject({ succeeded: false, message: expect.stringContaining(words) });
    }
    await save({ secret: "xoxb-other" });
    expect(await post("C00000445")).toMatchObject({ code: "slack_invalid_auth" });
  });

  test("too many calls: the same message once more after Retry-After", async () => {
    instead = { "chat.postMessage": [{ status: 429, headers: { "retry-after": "1" }, body: { ok: false } }] };
    const began = Date.now();
    expect(await post("C00000445")).toMatchObject({ succeeded: true });
    expect(Date.now() - began).toBeGreaterThanOrEqual(950);
    expect(posted).toHaveLength(1);
  });

  test("a message without an answer, or with an error inside of Slack, is not sent again", async () => {
    for (const reply of ["silence", { status: 500 }, { body: { ok: false, error: "internal_error" } }] as const) {
      [calls, instead] = [[], { "chat.postMessage": [reply] }];
      expect(await post("C00000445")).toMatchObject({ succeeded: false });
      expect(methods()).toEqual(["chat.postMessage"]);
    }
  });
});

describe("the token", () => {
  test("is never shown, and has to be a bot's", async () => {
    const { providers } = await t.as("VIEWER").call(contract.listServiceProviders);
    expect(JSON.stringify(providers)).not.toContain(TOKEN);
    expect(providers.find(({ service }) => service === "slack")).toMatchObject({
      ...{ configured: true, protocol: "slackApi", hasSecret: true },
    });
    for (const secret of ["https://hooks.slack.com/services/T/B/x", "xoxp-1-2", "token"]) {
      const { status, body } = await t
        .as("INSTANCE_ADMIN")
        .send(contract.saveServiceProvider, { params, body: settings({ secret }) });
      expect([status, body]).toMatchObject([400, { errors: [{ path: "secret" }] }]);
    }
  });

  test("[T15] does not become an incoming address, nor the other way round, and stays with its host", async () => {
    const send = (body: object) => t.as("INSTANCE_ADMIN").send(contract.saveServiceProvider, { params, body });
    expect((await send({ protocol: "incomingWebhook" })).status).toBe(400);
    expect((await send(settings({ endpoint: "https://attacker.example/api" }))).status).toBe(403);
    expect((await send(settings({}))).status).toBe(200);
    const { endpoint } = settings({});
    expect((await send({ protocol: "incomingWebhook", secret: `${endpoint}/hook` })).status).toBe(200);
    expect((await send(settings({}))).status).toBe(400);
  });
});
