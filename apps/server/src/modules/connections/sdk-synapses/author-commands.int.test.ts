/** `npm run synapse` as authors use it, with the template and a system of its form. */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { whereAvailable } from "../../../platform/sandbox/where-available.fixtures.ts";
import { readCode } from "./archive.ts";

const ROOT = resolve(import.meta.dirname, "../../../../../..");
const TASKS = [1, 2, 3].map((id) => ({
  id,
  title: `Task ${id}`,
  done: id === 2,
  updatedAt: `2026-01-0${id}T00:00:00.000Z`,
}));
const system = createServer((request, response) => {
  if (request.headers.authorization !== "Bearer right") return response.writeHead(401).end();
  const query = new URL(request.url ?? "", "http://x").searchParams;
  const offset = Number(query.get("offset") ?? 0);
  return response.end(JSON.stringify(TASKS.slice(offset, offset + Number(query.get("limit")))));
});
/** Each command starts Node and a sandbox. */
const PATIENT = { timeout: 240_000 };
let folder: string;
let inputs: string;

interface Ran {
  code: number;
  out: string;
  errors: string;
}

const run = (...words: string[]): Promise<Ran> =>
  new Promise((done) => {
    const env = { ...process.env, ACCORD_OUTBOUND_ALLOW: "127.0.0.1" };
    execFile(process.execPath, ["scripts/commands/synapse.ts", ...words], { cwd: ROOT, env }, (error, out, errors) =>
      done({ code: error ? Number(error.code) : 0, out, errors }),
    );
  });

beforeAll(async () => {
  await new Promise<void>((done) => system.listen(0, "127.0.0.1", done));
  const parent = await mkdtemp(join(tmpdir(), "accord-authors-"));
  folder = join(parent, "tasks");
  inputs = join(parent, "inputs.json");
  const config = { baseUrl: `http://127.0.0.1:${(system.address() as AddressInfo).port}` };
  writeFileSync(inputs, JSON.stringify({ config, authType: "bearerToken", credentials: { token: "right" } }));
  const { code, errors } = await run("new", folder);
  if (code !== 0) throw new Error(errors);
});
afterAll(() => {
  system.close();
  rmSync(resolve(folder, ".."), { recursive: true, force: true });
});

test("[PLT-056] the template is packed as it is uploaded", async () => {
  expect((await run("pack", folder)).out).toContain("Upload it with package.json");
  const { main, files } = readCode("tasks.tgz", readFileSync(`${folder}.tgz`));
  expect([main, [...files.keys()].toSorted()]).toEqual(["synapse.mjs", ["package.json", "synapse.mjs"]]);
});

test(
  "[PLT-056] the template is described, checked, discovered and read in the sandbox",
  PATIENT,
  whereAvailable(async () => {
    expect(JSON.parse((await run("describe", folder)).out)).toMatchObject({
      displayName: "Tasks",
      origins: ["{baseUrl}"],
    });
    expect((await run("check", folder, "--inputs", inputs)).out).toBe("It connects.\n");
    expect((await run("discover", folder, "--inputs", inputs)).out).toContain(
      "task: id string, title string, done boolean",
    );
    const { out } = await run("read", folder, "--inputs", inputs, "--count", "2");
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: "1", title: "Task 1", done: false, updatedAt: "2026-01-01T00:00:00.000Z" },
      { id: "2", title: "Task 2", done: true, updatedAt: "2026-01-02T00:00:00.000Z" },
    ]);
  }),
);

test(
  "[PLT-056] what is wrong is printed with its hint, and the command fails",
  PATIENT,
  whereAvailable(async () => {
    writeFileSync(inputs, readFileSync(inputs, "utf8").replace("right", "wrong-token"));
    const { code, errors } = await run("check", folder, "--inputs", inputs);
    expect(code).toBe(1);
    expect(errors).toContain("The token is not accepted.\nEnter another token.");
    expect((await run("dance", folder)).code).toBe(2);
  }),
);
