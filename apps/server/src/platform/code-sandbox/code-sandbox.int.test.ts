/** The sandbox holds what hostile programs do, and honest programs are right before, between and after them. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { makeLog } from "../log/log.ts";
import { codeSandbox, type CodeResult } from "./code-sandbox.ts";

/** `gives`: what it gives, nothing of the machine or of other runs. `fails`: several codes where it depends on what ends first. */
const HostilePrograms = z.array(
  z.strictObject({
    says: z.string(),
    program: z.string(),
    gives: z.unknown().optional(),
    fails: z.union([z.string(), z.array(z.string())]).optional(),
  }),
);
const HOSTILE_PROGRAMS = HostilePrograms.parse(
  JSON.parse(readFileSync(new URL("hostile-programs.json", import.meta.url), "utf8")),
);

const sandbox = codeSandbox({ log: makeLog({ logLevel: "silent" }) });
afterAll(() => sandbox.close());

const HONEST = "function run(record) { return { Name: record.Name.toUpperCase() }; }";
const NOW = Date.UTC(2026, 10, 29, 12);
const at = (instanceId: string) => ({ instanceId, pipelineId: "pipeline" });

const runs = (
  program: string,
  records: readonly unknown[],
  timeoutMs = 10_000,
  instance = "a",
): Promise<CodeResult[]> =>
  sandbox.run(at(instance), {
    ...{ program, entry: "run", timeoutMs, now: NOW },
    inputs: records.map((record) => JSON.stringify([record])),
  });
const given = (result: CodeResult | undefined): unknown =>
  result?.ok ? JSON.parse(result.output) : { failed: result?.code, message: result?.message };
const one = async (program: string, record: unknown = { Name: "acme" }, timeoutMs?: number): Promise<unknown> =>
  given((await runs(program, [record], timeoutMs))[0]);

/** Most memory that a process ever had, in MB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test.each(HOSTILE_PROGRAMS)("hostile: $says", { timeout: 60_000 }, async ({ program, gives, fails }) => {
  const [found] = await runs(program, [{ Name: "acme" }], 400);
  if (found?.ok) expect({ gives: JSON.parse(found.output) }).toEqual({ gives });
  else expect([fails].flat()).toContain(found?.code);
  if (found?.ok === false) expect(found.message.length).toBeLessThan(700);
  expect(await one(HONEST)).toEqual({ Name: "ACME" });
  for (const pid of sandbox.pids.filter((each) => existsSync(`/proc/${each}/status`)))
    expect(peakOf(pid)).toBeLessThan(450);
});

test("nothing of a run is there in the next one", async () => {
  const program = "var count = (globalThis.count ?? 0) + 1; function run() { return { count }; }";
  expect((await runs(program, [{}, {}, {}])).map(given)).toEqual([{ count: 1 }, { count: 1 }, { count: 1 }]);
});

test("the same run gives the same twice: the time is the cycle's, random numbers depend on the record", async () => {
  const program =
    "function run() { return { now: new Date(), hours: new Date().getHours(), same: Date.now() === +new Date(), random: Math.random() }; }";
  const [first, second, other] = (await runs(program, [{ id: 1 }, { id: 1 }, { id: 2 }])).map(given);
  expect(first).toEqual({
    now: "2026-11-29T12:00:00.000Z",
    hours: 12,
    same: true,
    random: expect.toSatisfy((x: number) => x >= 0 && x < 1),
  });
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});

test("errors name their line", async () => {
  expect(await one("function run(record) {\n  const name = record.Name;\n  return name.first.last;\n}")).toEqual({
    failed: "code_failed",
    message: "Line 3: “TypeError: cannot read property 'last' of undefined”",
  });
  expect(await one("function run(record) {\n  throw new Error('No country.');\n}")).toEqual({
    failed: "code_failed",
    message: "Line 2: “No country.”",
  });
});

test("what is wrong with a program is found without a record", async () => {
  const check = (program: string) => sandbox.check(at("a"), { program, entry: "run" });
  expect(await check(HONEST)).toBeNull();
  expect(await check("const run = ({ Name }) => ({ Name });")).toBeNull();
  expect(await check("function run(record) {\n  return {;\n}")).toMatchObject({
    code: "code_syntax",
    message: expect.stringMatching(/^Line 2: “SyntaxError: /),
  });
  expect(await check("function other() {}")).toEqual({
    ...{ ok: false, code: "code_without_function", message: "The code has no function called run." },
  });
  expect(await check("for (;;);")).toMatchObject({ code: "code_timed_out" });
  expect(await check("x".repeat(50_001))).toMatchObject({ code: "code_syntax" });
});

test("a record that is too large is not handed to the code", async () => {
  expect(await one(HONEST, { Name: "x".repeat(2_000_000) })).toMatchObject({ failed: "code_input_too_large" });
});

test("a program that never ends stops after some records of a page, and the rest says why", async () => {
  const program = "function run(record) { if (record.loops) for (;;); return { id: record.id }; }";
  const records = [1, 2, 3, 4, 5].map((id) => ({ id, loops: id !== 2 }));
  expect((await runs(program, records, 200)).map((result) => (result.ok ? given(result) : result.code))).toEqual([
    ...["code_timed_out", { id: 2 }, "code_timed_out", "code_timed_out", "code_not_run"],
  ]);
});

test(
  "a page whose results are too much together is not run on, and the rest says why",
  { timeout: 60_000 },
  async () => {
    const bounded = codeSandbox({ log: makeLog({ logLevel: "silent" }), requestOutput: 5_000_000 });
    // A slice ends after four million characters: the second one is the last.
    const program = "function run({ id }) { return { id, text: 'x'.repeat(900000) }; }";
    const inputs = Array.from({ length: 30 }, (_, id) => JSON.stringify([{ id }]));
    const results = await bounded.run(at("a"), { program, entry: "run", timeoutMs: 10_000, now: NOW, inputs });
    await bounded.close();
    const sum = results.reduce((total, result) => total + (result.ok ? result.output.length : 0), 0);
    expect(sum).toBeGreaterThanOrEqual(5_000_000);
    expect(sum).toBeLessThan(5_000_000 + 4_000_000 + 1_000_000);
    const rest = results.slice(results.findIndex(({ ok }) => !ok));
    expect(rest.length).toBeGreaterThan(15);
    for (const result of rest)
      expect(result).toMatchObject({
        ok: false,
        code: "code_not_run",
        message: expect.stringContaining("too much for one page"),
      });
  },
);

// Twenty-four seconds of loops, and up to sixteen new processes for them on a machine that has other work.
test("programs of one instance that never end do not delay another instance", { timeout: 180_000 }, async () => {
  let isOver = false;
  const loops = Promise.all(
    Array.from({ length: 8 }, () => runs("function run() { for (;;); }", [{}, {}, {}], 1_000, "loops")),
  ).then(() => (isOver = true));
  for (let round = 0; round < 5; round += 1) {
    const [result] = await runs(HONEST, [{ Name: "acme" }], 10_000, "honest");
    expect(given(result)).toEqual({ Name: "ACME" });
    expect(isOver).toBe(false);
  }
  await loops;
});

test("a process that is ended from outside in a run is replaced, and the run is repeated", async () => {
  const program = "function run(record) { let n = 0; while (n < 3e6) n += 1; return { n }; }";
  await one(HONEST);
  const running = runs(program, [{}]);
  for (const pid of sandbox.pids) process.kill(pid, "SIGKILL");
  expect((await running).map(given)).toEqual([{ n: 3e6 }]);
});

test("a run whose process ends twice fails, and the next one does not", { timeout: 60_000 }, async () => {
  let isOver = false;
  const running = runs("function run() { for (;;); }", [{}]).finally(() => (isOver = true));
  while (!isOver) {
    for (const pid of sandbox.pids) process.kill(pid, "SIGKILL");
    await new Promise((done) => setTimeout(done, 20));
  }
  expect((await running).map((result) => !result.ok && result.code)).toEqual(["code_failed"]);
  expect(await one(HONEST)).toEqual({ Name: "ACME" });
});

test("a sandbox process has no environment, no files and no programs", async () => {
  await one(HONEST);
  for (const pid of sandbox.pids) {
    expect(readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean).toSorted()).toEqual([
      ...["NODE_CHANNEL_FD=3", "NODE_CHANNEL_SERIALIZATION_MODE=json", "TZ=UTC"],
    ]);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain("--permission");
  }
});
