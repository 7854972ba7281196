/** A real process that supervises real processes: crashes, ends, signals and kill -9 of either. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

const FIXTURE = join(import.meta.dirname, "supervised.fixture.ts");
const running: ChildProcess[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function start(way: string) {
  const folder = mkdtempSync(join(tmpdir(), "accord-supervise-"));
  folders.push(folder);
  const file = join(folder, "starts");
  const child = spawn(process.execPath, [FIXTURE, "supervisor", way, file], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const code = new Promise<number | null>((done) => child.on("close", done));
  const lines = (): string[] => {
    try {
      return readFileSync(file, "utf8").trim().split("\n");
    } catch {
      return [];
    }
  };
  return { child, code, lines, output: () => output };
}

test.each([
  ["throws", "thrown on purpose", 1],
  ["rejects", "rejected on purpose", 1],
  ["is killed", "SIGKILL", 137],
])("a server that %s is started again, ever later, and not for ever", async (way, reason, code) => {
  const server = start(way);
  expect(await server.code).toBe(code);
  expect(server.lines()).toHaveLength(4);
  expect(server.lines().map((line) => line.endsWith("--again"))).toEqual([false, true, true, true]);
  expect(server.output()).toContain(reason);
  const said = server.output().match(/Starting it again in .*|4 times in a row\. It is not started again/g);
  expect(said).toEqual([
    "Starting it again in 0.01 s (1 of 3) …",
    "Starting it again in 0.02 s (2 of 3) …",
    "Starting it again in 0.02 s (3 of 3) …",
    "4 times in a row. It is not started again",
  ]);
});

test("a server that fails to start, or ends, is not started again", async () => {
  const failed = start("fails to start");
  expect(await failed.code).toBe(3);
  expect(failed.lines()).toHaveLength(1);
  const ended = start("ends");
  expect(await ended.code).toBe(0);
  expect(ended.lines()).toHaveLength(1);
  expect(failed.output() + ended.output()).toBe("");
});

test("a signal to the supervisor stops the server, and ends both well", async () => {
  const server = start("stays");
  await expect.poll(() => server.lines().length).toBe(1);
  server.child.kill("SIGTERM");
  expect(await server.code).toBe(0);
  expect(server.lines().at(-1)).toBe("stopped by SIGTERM");
});

test("a supervisor that is killed leaves no server behind", async () => {
  const server = start("stays");
  await expect.poll(() => server.lines().length).toBe(1);
  server.child.kill("SIGKILL");
  await expect.poll(() => server.lines().at(-1)).toBe("stopped by disconnect");
});
