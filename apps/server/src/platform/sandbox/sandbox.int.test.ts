/** Sandboxes of this machine: what is answered where there is none, and what is kept of programs that run. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { findProgram } from "./bubblewrap.ts";
import { makeSandbox, SandboxUnavailableError, type Program } from "./sandbox.ts";
import { sandbox, whereAvailable } from "./where-available.fixtures.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Answers each call by running `body` with its arguments. */
const program = (body: string, more: Partial<Program> = {}): Program => ({
  instanceId: "a",
  files: new Map([
    [
      "main.mjs",
      bytes(`
import { Socket } from "node:net";
const pipe = new Socket({ fd: 3, readable: true, writable: true });
const say = (message) => pipe.write(JSON.stringify(message) + "\\n");
pipe.on("data", async (chunk) => {
  for (const line of chunk.toString().split("\\n").filter(Boolean)) {
    const { call, args } = JSON.parse(line);
    if (call === undefined) continue;
    say({ reply: call, result: await (async () => { ${body} })() });
  }
});
say({ ready: true });
`),
    ],
  ]),
  entry: "main.mjs",
  describeError: () => ({ message: "refused" }),
  ...more,
});

test("[PLT-105] without bubblewrap nothing is run, and the operator reads what to install", async () => {
  const without = makeSandbox(systemClock, { find: (name) => (name === "bwrap" ? null : findProgram(name)) });
  expect(await without.availability()).toEqual({
    isAvailable: false,
    reason: "bubblewrap is not installed on this server.",
    fix: "apt-get install bubblewrap",
  });
  await expect(without.start(program("return 1"))).rejects.toThrow(SandboxUnavailableError);
});

test("[PLT-105] where bubblewrap is refused, nothing is run, and the operator reads why", async () => {
  const folder = mkdtempSync(`${tmpdir()}/accord-bwrap-`);
  const refusing = `${folder}/bwrap`;
  writeFileSync(refusing, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const refused = makeSandbox(systemClock, { find: (name) => (name === "bwrap" ? refusing : findProgram(name)) });
  const answer = await refused.availability();
  rmSync(folder, { recursive: true });
  expect(answer).toMatchObject({ isAvailable: false, fix: expect.stringContaining("user namespaces") });
  expect(answer.reason).toContain("(bwrap: No permissions to create new namespace)");
  await expect(refused.start(program("return 1"))).rejects.toThrow("could not make a sandbox");
});

test(
  "[PLT-105] an error of the file system counts while it is there: the machine is asked again",
  whereAvailable(async () => {
    let now = 0;
    const hindered = makeSandbox({ monotonicMs: () => now });
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = "/there-is-no-such-folder";
    try {
      const { isAvailable, reason, fix } = await hindered.availability();
      expect([isAvailable, reason]).toEqual([false, expect.stringContaining("ENOENT")]);
      expect(fix).toContain("/there-is-no-such-folder");
      await expect(hindered.start(program("return 1"))).rejects.toThrow(SandboxUnavailableError);
    } finally {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
    }
    now = 31_000;
    const running = await hindered.start(program("return 1"));
    expect(await running.call("x", {})).toBe(1);
    await running.close();
  }),
);

const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("accord-sandbox-"));

test(
  "a call is answered, and its folder is gone with the process",
  whereAvailable(async () => {
    const before = folders();
    const running = await sandbox.start(program("return args.a + args.b"));
    expect(folders().length).toBe(before.length + 1);
    expect(await running.call("add", { a: 1, b: 2 })).toBe(3);
    await running.close();
    expect(folders()).toEqual(before);
    expect(running.hasEnded).toBe(true);
    await expect(running.call("add", {})).rejects.toThrow("The program was closed.");
  }),
);

test(
  "a second answer to the same call ends the program",
  whereAvailable(async () => {
    const running = await sandbox.start(program("say({ reply: call, result: 1 }); return 2"));
    expect(await running.call("x", {})).toBe(1);
    await expect.poll(() => running.hasEnded).toBe(true);
    await expect(running.call("x", {})).rejects.toThrow("nobody waits for");
  }),
);

test(
  "a call that is given up ends the program",
  whereAvailable(async () => {
    const running = await sandbox.start(program("await new Promise(() => {})"));
    const gone = new AbortController();
    const call = running.call("x", {}, { signal: gone.signal });
    gone.abort();
    await expect(call).rejects.toMatchObject({ reason: "aborted" });
    expect(running.hasEnded).toBe(true);
    await running.close();
  }),
);

test(
  "questions are answered under the call that asks; without somebody to ask they are refused",
  whereAvailable(async () => {
    const body = `say({ ask: 1, call, name: "greet", args: { who: "x" } });
    return await new Promise((done) => pipe.on("data", (chunk) => { const m = JSON.parse(chunk.toString()); if (m.answer === 1) done(m.result ?? m.error) }))`;
    const running = await sandbox.start(program(body));
    expect(await running.call("x", {}, { ask: async (name, args) => ({ name, args }) })).toEqual({
      name: "greet",
      args: { who: "x" },
    });
    expect(await running.call("x", {})).toEqual({ message: "refused" });
    await running.close();
  }),
);

test(
  "more is sent to no program than one message may hold",
  whereAvailable(async () => {
    const running = await sandbox.start(program("return 1", { bounds: { messageBytes: 1_000 } }));
    await expect(running.call("x", "y".repeat(2_000))).rejects.toMatchObject({ reason: "tooMuch" });
    expect(await running.call("x", {})).toBe(1);
    await running.close();
  }),
);

test(
  "all that a program sends during a call is counted",
  whereAvailable(async () => {
    const body = `for (let i = 1; i < 20; i++) say({ ask: i, call, name: "x", args: "y".repeat(1000) }); await new Promise(() => {})`;
    const running = await sandbox.start(program(body, { bounds: { callBytes: 5_000, asksAtOnce: 100 } }));
    await expect(running.call("x", {}, { ask: async () => null })).rejects.toThrow("sent more than a call may");
    await running.close();
  }),
);

test(
  "[PLT-105] what costs time to read is counted, however few bytes it has",
  whereAvailable(async () => {
    const body = `for (let i = 1; i < 20; i++) say({ ask: i, call, name: "x", args: Array(1000).fill(0) }); await new Promise(() => {})`;
    const running = await sandbox.start(program(body, { bounds: { callParts: 5_000, asksAtOnce: 100 } }));
    await expect(running.call("x", {}, { ask: async () => null })).rejects.toThrow("sent more than a call may");
    await running.close();
  }),
);

test(
  "[PLT-105] a program that sends something between calls is ended",
  whereAvailable(async () => {
    const body = `setTimeout(() => say({ ask: 1, call, name: "x", args: "y".repeat(1e6) }), 100); return 1`;
    const running = await sandbox.start(program(body));
    expect(await running.call("x", {}, { ask: async () => null })).toBe(1);
    await expect.poll(() => running.hasEnded).toBe(true);
    await expect(running.call("x", {})).rejects.toThrow("sent something that nobody waits for");
  }),
);

test(
  "its log is passed on, the last of it kept",
  whereAvailable(async () => {
    const passed: string[] = [];
    const running = await sandbox.start(
      program('console.log("a line"); return 1', { onLog: (text) => passed.push(text) }),
    );
    await running.call("x", {});
    await expect.poll(() => running.log()).toBe("a line\n");
    expect(passed.join("")).toBe("a line\n");
    await running.close();
  }),
);

test(
  "files of a program can't be named so that they lead out of their folder",
  whereAvailable(async () => {
    for (const name of ["../x", "/etc/x", "a/../../x", ".hidden", "a//b", "a\0b", "x".repeat(300)]) {
      const files = new Map([[name, bytes("x")]]);
      await expect(sandbox.start({ ...program(""), files })).rejects.toThrow("is no name of a file");
    }
    expect(existsSync(`${tmpdir()}/x`)).toBe(false);
  }),
);

test(
  "programs beyond the number that may run at once wait for their turn",
  whereAvailable(async () => {
    const slowly = "await new Promise((go) => setTimeout(go, 3000)); return 1";
    const running = await Promise.all(
      Array.from({ length: 12 }, (_, index) => sandbox.start(program(slowly, { instanceId: `of${index % 3}` }))),
    );
    let hasStarted = false;
    const thirteenth = sandbox.start(program("return 13")).then((started) => {
      hasStarted = true;
      return started;
    });
    expect(await Promise.all(running.map((one) => one.call("x", {})))).toEqual(Array.from({ length: 12 }, () => 1));
    expect(hasStarted).toBe(false);
    await running[0]?.close();
    expect(await (await thirteenth).call("x", {})).toBe(13);
    await Promise.all([...running, await thirteenth].map((one) => one.close()));
  }),
);

test(
  "[PLT-105] one instance never has all places: another one's program starts while its own wait",
  whereAvailable(async () => {
    const started: string[] = [];
    const starting = ["a", "a", "a", "a", "a", "a", "a", "b"].map(async (instanceId) => {
      const running = await sandbox.start(program("return 1", { instanceId }));
      started.push(instanceId);
      return running;
    });
    await starting[7];
    await Promise.all(starting.slice(0, 6));
    expect(started.toSorted()).toEqual(["a", "a", "a", "a", "a", "a", "b"]);
    await (await starting[0])?.close();
    await starting[6];
    for (const one of starting) await (await one).close();
  }),
);

test(
  "[PLT-105] authors' tests have fewer places, and a program without one was never started",
  whereAvailable(async () => {
    const hurried = makeSandbox(systemClock, { waitMs: 300 });
    const tests = await Promise.all([1, 2].map(() => hurried.start(program("return 1", { isTest: true }))));
    await expect(hurried.start(program("return 1", { isTest: true }))).rejects.toMatchObject({ reason: "tooMuch" });
    const other = await hurried.start(program("return 1"));
    await tests[0]?.close();
    const third = await hurried.start(program("return 1", { isTest: true }));
    await Promise.all([...tests, other, third].map((one) => one.close()));
  }),
);

test(
  "who gives up waiting for a place leaves it to the next",
  whereAvailable(async () => {
    const test = { isTest: true };
    const running = await Promise.all([1, 2].map(() => sandbox.start(program("return 1", test))));
    const gone = new AbortController();
    const waiting = sandbox.start(program("return 1", { ...test, signal: gone.signal }));
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ reason: "aborted" });
    await expect(sandbox.start(program("return 1", { signal: gone.signal }))).rejects.toMatchObject({
      reason: "aborted",
    });
    await running[0]?.close();
    const next = await sandbox.start(program("return 1", test));
    await Promise.all([...running, next].map((one) => one.close()));
  }),
);
