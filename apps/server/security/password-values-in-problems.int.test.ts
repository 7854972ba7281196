/** T27: what pipelines say is wrong with a record names its secret values nowhere, nor what functions made of them. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { listWebhookLog } from "@accord/contracts/connections/webhooks";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { deletePublishedPipeline } from "@accord/contracts/sync/pipelines";
import { listCycles } from "@accord/contracts/sync/monitoring/runs";
import { listQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { beforeAll, expect, test } from "vitest";
import { validInput } from "../test-kit/generated/inputs.ts";
import { node } from "../test-kit/graphs.ts";
import { testApp, type TestApp } from "../test-kit/index.ts";
import { passwordWebhook, type PasswordWebhook } from "../test-kit/systems/password-webhook.ts";
import { storedRows } from "../test-kit/database/stored-rows.ts";
import { eventually } from "../test-kit/sync-world/working-world.ts";

const CANARY = "kanarienvogel";
const NUMBER = 471_147_114;
const isShown = (text = ""): boolean => text.toLowerCase().includes(CANARY) || text.includes(String(NUMBER));
let t: TestApp;
let logins: PasswordWebhook;

const set = (variable: string, value: string) => ({ target: "variable", variable, dataType: "boolean", value });
const WAY = [
  node("flag", "FUNCTION", set("flag", "{{Desk.payload.pin}}"), "setValue"),
  node("formula", "FUNCTION", { expression: "concat([pin], '?')" }, "evaluateExpression"),
  node("again", "FUNCTION", set("again", "{{Value From formula}}"), "setValue"),
  node("upper", "FUNCTION", { value: "{{Desk.payload.pin}}" }, "upperCase"),
  node("whole", "FUNCTION", {}, "toInteger"),
];

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true, listen: true });
  logins = await passwordWebhook(t, WAY);
  const rows = [
    { id: "1", name: "Failed", pin: `${CANARY} “quoted” one` },
    { id: "2", name: "Long", pin: `${CANARY} ${"x".repeat(100)}` },
    { id: "3", name: "Number", pin: String(NUMBER) },
  ];
  for (const row of rows) await logins.post(JSON.stringify({ logins: [row] }));
  const params = { entityId: logins.entityId };
  await eventually("two logins in quarantine, and one that went on without something", async () => {
    const { entries } = await t.as("VIEWER").call(listQuarantine, { params, query: {} });
    const { cycles } = await t.as("VIEWER").call(listCycles, { params, query: {} });
    const warned = cycles.flatMap(({ warnings }) => warnings.map(({ code }) => code));
    return entries.length === 2 && warned.includes("not_a_boolean") ? true : undefined;
  });
}, 60_000);

test("[T27] the reason is told with the mask for the value, whatever was made of it before", async () => {
  const params = { entityId: logins.entityId };
  const { entries, causes } = await t.as("VIEWER").call(listQuarantine, { params, query: {} });
  const reason = `“${PASSWORD_MASK}” is not a whole number.`;
  expect(entries.map(({ message }) => message)).toEqual([reason, reason]);
  expect(causes.map(({ message }) => message)).toEqual([reason]);
  const { cycles } = await t.as("VIEWER").call(listCycles, { params, query: {} });
  const left = `“${PASSWORD_MASK}” is neither true nor false.`;
  const said = cycles.flatMap(({ warnings }) => warnings.map(({ errorMessage }) => errorMessage));
  expect(said).toEqual(expect.arrayContaining([`flag: ${left}`, `again: ${left}`]));
});

test("[T27] no reading call shows one, and no table holds one", async () => {
  const at = { organisationId: t.organisationId, instanceId: t.instanceId };
  const own: Record<string, string> = { entityId: logins.entityId, connectorId: logins.connectorId };
  const shown: string[] = [];
  const userId = await t.build.user({ superAdmin: true });
  for (const endpoint of ENDPOINTS.filter(({ method }) => method === "GET")) {
    const input = await validInput(t, endpoint, at);
    const given = (input.params ?? {}) as Record<string, string>;
    const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, own[name] ?? value]));
    const answer = await (await t.asUser(userId)).send(endpoint, { params, query: {} });
    if (isShown(JSON.stringify(answer.body))) shown.push(endpoint.name);
  }
  expect(shown).toEqual([]);
  const held = (await storedRows(t)).filter(({ text }) => isShown(text));
  expect(held).toEqual([]);
}, 120_000);

test("[T27] posts stay hidden when the pipeline that took their secrets is deleted", async () => {
  const shown = async () => {
    const params = { connectorId: logins.connectorId };
    const { entries } = await t.as("VIEWER").call(listWebhookLog, { params, query: {} });
    return entries.map(({ body }) => body);
  };
  expect(await shown()).toEqual([null, null, null]);
  await t.as("SYNC_MANAGER").call(deletePublishedPipeline, { params: { entityId: logins.entityId } });
  expect(await shown()).toEqual([null, null, null]);
});
