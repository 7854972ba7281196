/** `npm start` on a copy of the checkout, as a person runs it: progress, one ready line, clear refusals, a clean stop. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "./kit/admin.ts";

const ROOT = resolve(import.meta.dirname, "..");
/** On the same disk as the checkout, so that the installed packages can be linked instead of copied. */
let checkout = "";
let port = 0;
const started: ChildProcess[] = [];

beforeAll(async () => {
  mkdirSync(join(ROOT, "test-results"), { recursive: true });
  checkout = mkdtempSync(join(ROOT, "test-results/checkout-"));
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: ROOT });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    cpSync(join(ROOT, file), join(checkout, file), { recursive: true });
  }
  // Without what tools keep for themselves: tests beside this one write there meanwhile.
  const packages = readdirSync(join(ROOT, "node_modules")).filter((name) => !name.startsWith(".vite"));
  mkdirSync(join(checkout, "node_modules"));
  execFileSync("cp", [
    "-al",
    ...packages.map((name) => join(ROOT, "node_modules", name)),
    join(checkout, "node_modules"),
  ]);
  port = await freePort();
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(checkout, { recursive: true, force: true });
});

/** Runs `npm start`; `output` grows, `ended` gives the exit code. */
function npmStart(settings: Record<string, string>) {
  const child = spawn("npm", ["start", "--silent"], {
    cwd: checkout,
    env: { ...process.env, ACCORD_DEMO: "0", NO_COLOR: "1", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    // Its own group, so that Ctrl-C can be sent to all of it as a terminal does.
    detached: true,
  });
  started.push(child);
  let output = "";
  const ended = new Promise<number>((done) => child.on("exit", (code) => done(code ?? -1)));
  const ready = new Promise<void>((done) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part: Buffer) => {
        output += part.toString();
        if (output.includes("Accord is ready")) done();
      });
    }
  });
  return {
    ready: () =>
      Promise.race([ready, ended.then((code) => Promise.reject(new Error(`ended with ${code}:\n${output}`)))]),
    ended,
    output: () => output,
    interrupt: () => process.kill(-(child.pid ?? 0), "SIGINT"),
  };
}

test("from a checkout to a page in the browser, twice, with every refusal on the way", async () => {
  const first = npmStart({ PORT: String(port) });
  await first.ready();
  const lines = first.output().trim().split("\n");
  expect(lines.filter((line) => line.includes("Accord is ready"))).toHaveLength(1);
  expect(lines.at(-1)).toMatch(
    new RegExp(
      `^Accord is ready: open http://localhost:${port} and sign in as admin@accord.local with the password \\S{12,} `,
    ),
  );
  const health = await fetch(`http://localhost:${port}/api/v1/health`);
  expect(await health.json()).toEqual({ status: "ok" });
  const page = await (await fetch(`http://localhost:${port}/`)).text();
  expect(await gzippedKbOfScripts(page), "kB of script that the page asks for before any screen").toBeLessThan(230);

  const samePort = npmStart({ PORT: String(port) });
  expect(await samePort.ended).toBe(1);
  expect(samePort.output()).toContain(`Port ${port} is taken`);

  const sameHome = npmStart({ PORT: String(await freePort()) });
  expect(await sameHome.ended).toBe(1);
  expect(sameHome.output()).toMatch(/Accord already runs in .*\.accord \(process \d+\)/);

  // As after any crash: the database was left running, and is taken over.
  const before = serverPid();
  process.kill(before, "SIGKILL");
  await expect.poll(() => first.output(), { timeout: 120_000 }).toContain("Accord is ready again.");
  expect(first.output()).toContain("The server ended unexpectedly (SIGKILL). Starting it again in 1 s (1 of 5) …");
  expect(serverPid()).not.toBe(before);
  expect(await (await fetch(`http://localhost:${port}/api/v1/health`)).json()).toEqual({ status: "ok" });

  first.interrupt();
  await untilStopped();

  const again = npmStart({ PORT: String(port) });
  await again.ready();
  expect(again.output()).not.toContain("Building");
  expect(again.output()).not.toContain("shown only this once");
  again.interrupt();
  await untilStopped();
});

test("bad settings are named, without a stack", async () => {
  const start = npmStart({ PORT: "abc", ACCORD_DEMO: "perhaps" });
  expect(await start.ended).toBe(1);
  expect(start.output()).toContain("PORT must be a port number");
  expect(start.output()).toContain("ACCORD_DEMO must be 0 or 1");
  expect(start.output()).not.toContain("    at ");
});

async function gzippedKbOfScripts(page: string): Promise<number> {
  const paths = [...page.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(1);
  const scripts = await Promise.all(
    paths.map(async (path) => (await fetch(`http://localhost:${port}${path}`)).bytes()),
  );
  return scripts.reduce((sum, script) => sum + gzipSync(script).length / 1_000, 0);
}

/** The process that holds the home folder. */
const serverPid = (): number => Number(JSON.parse(readFileSync(join(checkout, ".accord/server.lock"), "utf8")).pid);

/** npm itself ends at once; what it started takes a moment to close the database and to give the home folder free. */
async function untilStopped(): Promise<void> {
  const database = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(`${checkout}/.accord`);
  const left = () => database() || existsSync(join(checkout, ".accord/server.lock"));
  await expect.poll(left, { timeout: 120_000 }).toBe(false);
}
