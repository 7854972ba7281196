/** Every example of docs/custom-code.md does what the page says. */
import { readFileSync } from "node:fs";
import type { Value } from "@accord/contracts/data/values";
import { afterAll, expect, test } from "vitest";
import { makeLog } from "../log/log.ts";
import { codeSandbox } from "./code-sandbox.ts";
import { decodeResult, encodeArguments } from "./code-values.ts";
import { ENTRIES } from "./protocol.ts";

const sandbox = codeSandbox({ log: makeLog({ logLevel: "silent" }) });
afterAll(() => sandbox.close());

const page = readFileSync(new URL("../../../../../docs/custom-code.md", import.meta.url), "utf8");
const EXAMPLE = /```js\n([\s\S]*?)```\n\nGiven `(.*?)`, (gives|fails with) `(.*)`\.\n/g;
const examples = [...page.matchAll(EXAMPLE)].map(([, program = "", given = "", verb = "", expected = ""]) => ({
  ...{ program, given, expected, fails: verb === "fails with" },
}));

/** Numbers as they are written: the product reads them so from systems. */
const exactly = (text: string): Value =>
  JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  );

test("the page has an example for each block of code", () => {
  expect(examples).toHaveLength(page.split("```js").length - 1);
  expect(examples.length).toBeGreaterThan(5);
});

test.each(examples)("example: given $given", async ({ program, given, fails, expected }) => {
  const entry = ENTRIES.find((name) => program.includes(`function ${name}(`)) ?? "run";
  const one: Value = exactly(given);
  const input = encodeArguments(entry === "run" || !Array.isArray(one) ? [one] : one);
  const [result] = await sandbox.run(
    { instanceId: "page", pipelineId: "page" },
    { program, entry, timeoutMs: 10_000, now: Date.UTC(2026, 10, 29, 12), inputs: [input] },
  );
  if (fails) return expect(result).toMatchObject({ ok: false, message: expected });
  const decoded = result?.ok ? decodeResult(result.output) : result;
  return expect(decoded?.ok ? JSON.stringify(decoded.value) : decoded).toEqual(expected);
});
