/** Programs that try to get out, each in a sandbox of its own beside one that has to stay unharmed. */
import { createServer, type Server } from "node:http";
import { entryOf, GUEST_ENTRY, guestFiles, SYNAPSE_FOLDER, toWire } from "@accord/connector-sdk/guest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOSTILE, type Hostile } from "./hostile-programs.fixtures.ts";
import type { Bounds } from "./sandbox.ts";
import type { SandboxedProcess } from "./sandboxed-process.ts";
import { isAvailable, sandbox, whereAvailable } from "./where-available.fixtures.ts";

let canary: Server;
let visits = 0;
let bystander: SandboxedProcess;

const MODULES = `
import fs from "node:fs"; import net from "node:net"; import dgram from "node:dgram"; import dns from "node:dns";
import child from "node:child_process"; import workers from "node:worker_threads"; import module from "node:module";
`;

const sourceOf = (code: string, port: number): string => `${MODULES}
const canary = ${port}; const serverPid = ${process.pid};
const leaked = [];
const leak = (what) => { if (what) leaked.push(String(what).slice(0, 200)) };
const note = () => {};
export const synapse = { displayName: "x", capabilities: ["read"], origins: [], connect: () => ({
  async check() {
    const answer = await (async () => { ${code} })();
    if (leaked.length > 0) throw new Error("LEAKED " + leaked.join(", "));
    return answer ?? "nothing";
  },
}) };
`;

async function start(code: string, bounds: Partial<Bounds> = {}): Promise<SandboxedProcess> {
  const address = canary.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  const main = new TextEncoder().encode(sourceOf(code, port));
  const program = await sandbox.start({
    instanceId: "a",
    files: new Map([...guestFiles(), [`${SYNAPSE_FOLDER}/main.mjs`, main]]),
    entry: GUEST_ENTRY,
    describeError: toWire,
    bounds,
  });
  await program.call("load", { entry: entryOf("main.mjs") });
  await program.call("open", { config: {}, authType: "none", credentials: {} });
  return program;
}

beforeAll(async () => {
  canary = createServer((_, response) => {
    visits += 1;
    response.end("visited");
  }).listen(0, "127.0.0.1");
  if (isAvailable) bystander = await start("return 'unharmed'");
});
afterAll(async () => {
  canary.close();
  await bystander?.close();
});

/** What the caller saw in the end. */
async function outcome(
  { code, callMs = 30_000 }: Pick<Hostile, "code" | "callMs">,
  bounds: Partial<Bounds> = {},
): Promise<string> {
  const program = await start(code, { cpuSeconds: 4, memoryMb: 700, ...bounds, callMs });
  const big = "x".repeat(5_000_000);
  try {
    const result = await program.call("check", {}, { ask: async (name) => (name === "big" ? big : null) });
    return result === "nothing" ? "none" : String(result);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await program.close();
  }
}

test("the corpus is there", () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  expect(new Set(HOSTILE.map(({ name }) => name)).size).toBe(HOSTILE.length);
});

test.each(HOSTILE)(
  "$name",
  whereAvailable(async (hostile: Hostile) => {
    const answer = await outcome(hostile);
    expect(answer).not.toContain("LEAKED");
    expect(answer).toMatch(hostile.fails ?? /^none$/);
    expect(visits).toBe(0);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(await bystander.call("check", {})).toBe("unharmed");
  }),
);

/** The walls themselves: what only Node's permissions refuse would be open to whoever gets around them. */
const WALLS = HOSTILE.filter(({ name }) =>
  /passwd|environment|root|disk|database|addresses|fetches|connects|metadata|listens|datagram|name server|shell|Node again|binding|server|rights|forks|\/tmp|inspector|WASI|symlink|own folder/.test(
    name,
  ),
);

test.each(WALLS)(
  "without Node's permissions: $name",
  whereAvailable(async (hostile: Hostile) => {
    const answer = await outcome(hostile, { hasNodePermissions: false });
    expect(answer).not.toContain("LEAKED");
    expect(answer).toMatch(hostile.fails ?? /^none$/);
    expect(visits).toBe(0);
    expect(await bystander.call("check", {})).toBe("unharmed");
  }),
);
