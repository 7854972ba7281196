/**
 * Every operation with the largest input that can be sent: the process stays alive, nothing fails inside, the answer is
 * bounded, and nobody else waits long. Time is that of this process's processor, compared with reading a large body.
 */
import { setTimeout } from "node:timers/promises";
import type { AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { checkSignIn } from "@accord/contracts/identity/sign-in";
import { listEntities } from "@accord/contracts/data/core-schema";
import { getHealth } from "@accord/contracts/operations/health";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_ANSWER_BYTES } from "../src/platform/http/serve.ts";
import { HOSTILE, hostileInput } from "../test-kit/generated/hostile-inputs.ts";
import { isRead } from "../test-kit/generated/isolation.ts";
import { validInput, type Made } from "../test-kit/generated/inputs.ts";
import { testApp, type Answer, type Caller, type TestApp } from "../test-kit/index.ts";

/** A call may take as much as reading this many bodies of the largest size. */
const MAX_BODIES = 60;
/** While it is at work others wait for no more than this: 200 ms where reading one takes 10. */
const MAX_WAIT_BODIES = 20;
/** The least of several counts: a machine that is busy with something else needs more of them. */
const MAX_TIMES = 6;
/** Somebody else asks this often: without a pause the asking itself would be most of the work of a call that waits. */
const PAUSE_MS = 5;
const READINGS = 9;
const LARGEST = JSON.stringify({ none: Array.from({ length: 65_000 }, (_, index) => `value ${index}`) });

const made: Made = new Map();
let t: TestApp;

const cpuMs = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

beforeAll(async () => {
  t = await testApp();
  await t.as("SUPER_ADMIN").call(checkSignIn);
  for (let times = 0; times < READINGS; times++) await readLargestBody();
});

const withInput = ENDPOINTS.filter(({ body, query }) => body !== undefined || query !== undefined);

describe("the largest inputs", () => {
  test.each(withInput.map((endpoint) => [endpoint.name, endpoint] as const))("of %s", async (_, endpoint) => {
    const caller = await callerFor(endpoint);
    for (const kind of HOSTILE) {
      let cost: Cost = { bodies: Infinity, waitBodies: Infinity };
      // Whatever else the machine does only adds to what is measured.
      for (let times = 0; times < MAX_TIMES && !isWithinBudget(cost); times++) {
        // What a call changes, its next one would find changed.
        const valid = await validInput(t, endpoint, t, isRead(endpoint) ? { made } : {});
        const input = hostileInput(endpoint, valid, kind);
        const bodyMs = await readLargestBody();
        const { answer, spentMs, longestWaitMs } = await whileOthersAsk(() => caller.send(endpoint, input));
        cost = {
          bodies: Math.min(cost.bodies, spentMs / bodyMs),
          waitBodies: Math.min(cost.waitBodies, longestWaitMs / bodyMs),
        };
        const told = `${endpoint.name} with ${kind} answered ${answer.status} ${textOf(answer).slice(0, 300)}`;
        expect([500, 502, 504], told).not.toContain(answer.status);
        expect(Buffer.byteLength(textOf(answer)), told).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      }
      const told = `${endpoint.name} with ${kind} takes as much as reading so many bodies of the largest size`;
      expect(cost.bodies, told).toBeLessThanOrEqual(MAX_BODIES);
      expect(cost.waitBodies, `${told}, while somebody else waits`).toBeLessThanOrEqual(MAX_WAIT_BODIES);
    }
    expect((await t.as("VIEWER").send(listEntities)).status).toBe(200);
  });
});

interface Cost {
  /** Work of the whole call, in bodies of the largest size that could have been read. */
  bodies: number;
  /** Work that somebody else had to wait for, likewise. */
  waitBodies: number;
}

const isWithinBudget = ({ bodies, waitBodies }: Cost): boolean => waitBodies <= MAX_WAIT_BODIES && bodies <= MAX_BODIES;

const readings: number[] = [];

/** Milliseconds of processor that the server takes to read a body of the largest size, as it was lately. */
async function readLargestBody(): Promise<number> {
  const before = process.cpuUsage();
  const { status } = await t.as("SUPER_ADMIN").raw({
    method: "POST",
    url: "/api/v1/datasets/preview",
    payload: LARGEST,
    headers: { "content-type": "application/json" },
  });
  expect(status, "the body is read, and then refused").toBe(400);
  readings.unshift(cpuMs(before));
  readings.splice(READINGS);
  return readings.toSorted((a, b) => a - b)[Math.floor(readings.length / 2)] ?? 0;
}

/** The work of the process while somebody else's smallest call waits for its answer, at the longest. */
async function whileOthersAsk(work: () => Promise<Answer>) {
  const startedAt = process.cpuUsage();
  let isOver = false;
  let longestWaitMs = 0;
  const asking = (async () => {
    do {
      const before = process.cpuUsage();
      await setTimeout(PAUSE_MS);
      await t.anonymous.send(getHealth);
      longestWaitMs = Math.max(longestWaitMs, cpuMs(before));
    } while (!isOver);
  })();
  const answer = await work().finally(() => {
    isOver = true;
  });
  const spentMs = cpuMs(startedAt);
  await asking;
  return { answer, spentMs, longestWaitMs };
}

/** Sessions may end by what is called: each operation is called by somebody of its own. */
async function callerFor(endpoint: AnyEndpoint): Promise<Caller> {
  if (endpoint.access === "public" || endpoint.access === "shareViewer") return t.anonymous;
  return t.asUser(await t.build.user({ roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }));
}

const textOf = ({ body }: Answer): string => (typeof body === "string" ? body : JSON.stringify(body));
