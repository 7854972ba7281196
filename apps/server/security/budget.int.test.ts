/**
 * Every operation with the largest input that can be sent: the process stays alive, nothing fails inside, the answer is
 * bounded, and nobody else waits long. Time is that of this process's processor, compared with a call that does nothing.
 */
import type { AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { checkSignIn } from "@accord/contracts/identity/sign-in";
import { listEntities } from "@accord/contracts/data/core-schema";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_ANSWER_BYTES } from "../src/platform/http/serve.ts";
import { HOSTILE, hostileInput } from "../test-kit/generated/hostile-inputs.ts";
import { validInput, type Made } from "../test-kit/generated/inputs.ts";
import { testApp, type Answer, type Caller, type TestApp } from "../test-kit/index.ts";

/** A call may take as much as reading this many bodies of the largest size. */
const MAX_BODIES = 120;

const made: Made = new Map();
let t: TestApp;
let baselineMs = 0;

const cpuMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

beforeAll(async () => {
  t = await testApp();
  await t.as("SUPER_ADMIN").call(checkSignIn);
  const largest = JSON.stringify({ none: Array.from({ length: 80_000 }, (_, index) => `value ${index}`) });
  const before = process.cpuUsage();
  for (let times = 0; times < 10; times++)
    await t.as("SUPER_ADMIN").raw({
      method: "POST",
      url: "/api/v1/datasets/preview",
      payload: largest,
      headers: { "content-type": "application/json" },
    });
  baselineMs = cpuMs(before) / 10;
});

const withInput = ENDPOINTS.filter(({ body, query }) => body !== undefined || query !== undefined);

describe("the largest inputs", () => {
  test.each(withInput.map((endpoint) => [endpoint.name, endpoint] as const))("of %s", async (_, endpoint) => {
    const caller = await callerFor(endpoint);
    const valid = await validInput(t, endpoint, t, { made });
    for (const kind of HOSTILE) {
      const input = hostileInput(endpoint, valid, kind);
      const before = process.cpuUsage();
      const answer = await caller.send(endpoint, input);
      const spent = cpuMs(before);
      const told = `${endpoint.name} with ${kind} answered ${answer.status} ${textOf(answer).slice(0, 300)}`;
      expect([500, 502, 504], told).not.toContain(answer.status);
      expect(Buffer.byteLength(textOf(answer)), told).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      expect(spent / baselineMs, `${told}, ${Math.round(spent)} ms`).toBeLessThan(MAX_BODIES);
    }
    expect((await t.as("VIEWER").send(listEntities)).status).toBe(200);
  });
});

/** Sessions may end by what is called: each operation is called by somebody of its own. */
async function callerFor(endpoint: AnyEndpoint): Promise<Caller> {
  if (endpoint.access === "public" || endpoint.access === "shareViewer") return t.anonymous;
  return t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }));
}

const textOf = ({ body }: Answer): string => (typeof body === "string" ? body : JSON.stringify(body));
