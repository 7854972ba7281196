/** A cycle as it is spoken: `cycle.golden.md` is what the engine says when a contact is entered in one of two systems. */
import { expect, test } from "vitest";
import { PipelineDriver } from "@accord/sync-simulation/testing";
import type { Effect, Input } from "./protocol/protocol.ts";

const MAX_LENGTH = 160;

const LEFT_OUT = new Set(["requestId", "kind", "at", "modifiedAt", "dueForMs", "holdMs", "nextAt"]);

/** What readers need: no numbers of requests, no hashes, nothing that is empty. */
function shortened(key: string, value: unknown): unknown {
  if (LEFT_OUT.has(key)) return undefined;
  if (value === null || value === false || (Array.isArray(value) && value.length === 0)) return undefined;
  if (value instanceof Map || value instanceof Set) return value.size === 0 ? undefined : shortened(key, [...value]);
  if (typeof value === "string" && /^[\w-]{30,}$/.test(value)) return "(fingerprint)";
  return value;
}

function lineOf(spoken: Pick<Input | Effect, "kind">): string {
  const said = (JSON.stringify(spoken, shortened) ?? "").replace(/"(\w+)":/g, "$1: ").replace(/,(?=\S)/g, ", ");
  const facts = said === "{}" ? "" : ` ${said}`;
  return `${spoken.kind}${facts.length > MAX_LENGTH ? `${facts.slice(0, MAX_LENGTH)} …` : facts}`;
}

test("what is said in a cycle in which a contact is entered in one system and written to the other", async () => {
  const driver = new PipelineDriver({ systems: [{}, {}] });
  driver.settle();
  driver.system("A").insert({ email: "ada@example.com", name: "Ada", phone: "1", note: "first" }, driver.now);
  const lines: string[] = [];
  driver.onStep = (input, effects) => {
    // The driver hands an effect back with its answer.
    const { request: _, ...answer } = { request: null, ...input };
    lines.push(lineOf(answer), ...effects.map((effect) => `    → ${lineOf(effect)}`));
  };
  driver.cycle();
  expect(driver.row("B")).toMatchObject({ email: "ada@example.com", name: "Ada" });
  const page = [
    "# A cycle, input by input",
    "",
    "A contact was entered in system A. Each input stands at the margin, below it the effects that the engine asks for then.",
    "",
    "```text",
    ...lines,
    "```",
    "",
  ];
  await expect(page.join("\n")).toMatchFileSnapshot("cycle.golden.md");
});
