/** `npm run manifest` as a person runs it: what a manifest is made of, and records of a stream. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET, startManifestApi, type ManifestApi } from "../../test-systems/manifest-api.ts";
import { PAGES } from "../../test-systems/manifests.ts";

const COMMAND = new URL("../../../../scripts/commands/manifest.ts", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "accord-manifest-"));
let api: ManifestApi;

beforeAll(async () => {
  api = await startManifestApi(25);
  writeFileSync(join(folder, "config.json"), JSON.stringify({ url: api.url, api_key: SECRET }));
  writeFileSync(join(folder, "wrong.json"), JSON.stringify({ url: api.url, api_key: "guess-word-1" }));
  writeFileSync(join(folder, "manifest.yaml"), PAGES);
  const odd = "  - { type: DeclarativeStream, name: odd, retriever: { type: AsyncRetriever } }\nspec:";
  writeFileSync(
    join(folder, "odd.yaml"),
    `# one stream can't run\nlicense: MIT\n${PAGES.replace("\nspec:", `\n${odd}`)}`,
  );
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(words: string[], allow = new URL(api.url).host): Promise<{ code: number; output: string }> {
  const child = fork(COMMAND, words, {
    cwd: folder,
    env: { ...process.env, ACCORD_HOME: folder, ACCORD_OUTBOUND_ALLOW: allow },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), output };
}

test("the table says which component types are used and which are missing, and which streams run", async () => {
  const { code, output } = await run(["odd.yaml"]);
  expect(output).toMatch(/DeclarativeStream\s+3\s+yes/);
  expect(output).toMatch(/AsyncRetriever\s+1\s+missing, needed by odd/);
  expect(output).toContain("Streams: 2 of 3 run.");
  expect(output).toContain("Stream odd needs AsyncRetriever, which is not supported.");
  expect(output).toContain("licence MIT");
  expect(output).toContain("api_key (api_key), secret");
  expect(code).toBe(1);
  expect((await run(["manifest.yaml"])).code).toBe(0);
  expect(await run([])).toMatchObject({ code: 2, output: expect.stringContaining("npm run manifest -- FILE") });
});

test("records of a stream are read and printed, past a wait that the system asks for", async () => {
  api.faults = [{ status: 429, headers: { "retry-after": "1" }, at: "page=2" }];
  const { code, output } = await run(["manifest.yaml", "--config", "config.json", "--stream", "items", "--read", "7"]);
  const records = output
    .split("\n")
    .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as { id: number }] : []));
  expect(records.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(output).toContain("Trying again in 1 s.");
  expect(code).toBe(0);
});

test("what goes wrong is said in a sentence, without the secret", async () => {
  const refused = await run(["manifest.yaml", "--config", "wrong.json", "--read", "1"]);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("refused the credentials");
  expect(refused.output).not.toContain("guess-word-1");
  const inside = await run(["manifest.yaml", "--config", "config.json", "--read", "1"], "");
  expect(inside.output).toContain("The server may not connect to 127.0.0.1");
  expect(inside.output).toContain("ACCORD_OUTBOUND_ALLOW");
});
