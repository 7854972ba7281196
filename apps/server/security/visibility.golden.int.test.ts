/** T2: the list of who sees what, as a file that is read in reviews: the permission matrix can't see rules on rows. */
import { API_PREFIX, type AnyEndpoint, type EventSpec } from "@accord/contracts";
import * as connectors from "@accord/contracts/connections/connectors";
import * as coreSchema from "@accord/contracts/data/core-schema";
import * as records from "@accord/contracts/data/records";
import * as dashboards from "@accord/contracts/insights/dashboards";
import * as notifications from "@accord/contracts/operations/notifications";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as reconciliation from "@accord/contracts/sync/reconciliation";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { READS } from "../test-kit/generated/isolation.ts";
import { sampleOf } from "../test-kit/generated/schema-walk.ts";
import { visibilityWorld, type VisibilityWorld } from "../test-kit/generated/visibility.ts";
import { testApp, type TestApp } from "../test-kit/index.ts";
import { openWindow, type StreamWindow } from "../test-kit/stream-window.ts";

let t: TestApp;
let world: VisibilityWorld;
const windows = new Map<string, StreamWindow>();
afterAll(() => windows.forEach(({ socket }) => socket.disconnect()));
beforeAll(async () => {
  t = await testApp({ roles: ["web"], listen: true });
  world = await visibilityWorld(t);
}, 120_000);

/** One line for those who see the same. */
async function linesOf(endpoint: AnyEndpoint, subject: Parameters<VisibilityWorld["look"]>[2]): Promise<string[]> {
  const byWords = new Map<string, string[]>();
  for (const caller of world.callers.keys()) {
    const words = await world.look(endpoint, caller, subject);
    byWords.set(words, [...(byWords.get(words) ?? []), caller]);
  }
  return [...byWords].map(([words, callers]) => `  ${callers.join(" ")}: ${words}`);
}

test("[T2] the list of who sees what is the reviewed one", { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  for (const endpoint of READS) {
    lines.push(
      `${endpoint.method} ${API_PREFIX}${endpoint.path}  ${endpoint.name}`,
      ...(await linesOf(endpoint, null)),
    );
    for (const subject of world.subjects.filter((one) => world.isAbout(endpoint, one)))
      lines.push(` of the ${subject.name}`, ...(await linesOf(endpoint, subject)));
  }
  const text = lines.join("\n");
  expect(text, "secrets show to nobody").not.toMatch(/SECRET|PASSWORD/);
  const seers = (of: string): string[] =>
    lines.filter((line) => line.includes(`${of}'s`)).flatMap((line) => line.trim().split(": ")[0]?.split(" ") ?? []);
  expect(new Set(seers("stranger")), "nobody else sees another organisation").toEqual(new Set(["stranger"]));
  expect(new Set(seers("sibling")), "administrators see the organisation").toEqual(
    new Set(["super", "org", "sibling"]),
  );
  const head =
    "# Every reading call and what its answers name, by caller. Made by visibility.golden.int.test.ts; renew with npm run golden -- --update.";
  await expect(`${head}\n${text}\n${(await messages()).join("\n")}\n`).toMatchFileSnapshot("../visibility.golden.txt");
});

const MODULES: readonly object[] = [
  connectors,
  coreSchema,
  records,
  dashboards,
  notifications,
  pipelines,
  reconciliation,
  runs,
];
const isEvent = (value: unknown): value is EventSpec =>
  typeof value === "object" && value !== null && "channel" in value && "payload" in value;

/** Who hears each message that is pushed to the instance. */
async function messages(): Promise<string[]> {
  const events = MODULES.flatMap((module) => Object.values(module).filter(isEvent));
  for (const [caller, token] of world.tokens) windows.set(caller, await openWindow(t.address, token));
  for (const event of events) {
    const payload = sampleOf(event.payload, { idOf: () => "0".repeat(24) });
    await t.deps.realtime.publish(t.instanceId, event, payload as never);
  }
  // Messages arrive in order: what is not there before this one never comes.
  const last = notifications.notificationsChanged;
  for (const place of world.instanceIds) await t.deps.realtime.publish(place, last, {});
  const heardBy = (caller: string, event: EventSpec): number =>
    (windows.get(caller)?.heard.filter(({ name }) => name === event.name).length ?? 0) - (event === last ? 1 : 0);
  for (const caller of windows.keys())
    await expect.poll(() => heardBy(caller, last)).toBe(caller === "sibling" || caller === "stranger" ? 0 : 1);
  return events.flatMap((event) => {
    const hearing = [...windows.keys()].filter((caller) => heardBy(caller, event) > 0);
    return [`message ${event.name}  ${event.access}`, `  heard by ${hearing.join(" ")}`];
  });
}
