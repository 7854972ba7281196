/** Every action keeps the promises of its examples, and is performed once for each coming of a record. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { describe, expect, test } from "vitest";
import { compileContext } from "../functions/context.ts";
import { newFlowRecord } from "../functions/flow.ts";
import { tokensOf } from "../functions/tokens/token-names.ts";
import { renameLabel } from "../graph/edit/rename.ts";
import { core, graphOf, source } from "../graph/graph.fixtures.ts";
import { nodeContext } from "../functions/compile.ts";
import { compileAction, isResultUsed } from "./compile.ts";
import type { ActionDefinition, ActionExample } from "./define.ts";
import { ActionRefusal } from "./define.ts";
import { decodeBody, encodeBody } from "@accord/contracts/sync/mail-body";
import { ACTIONS } from "./registry.ts";

const FIELDS = ["Name", "size"].map((apiName) => FieldSchema.parse({ apiName, displayName: apiName }));
const ENV = { now: 0, random: () => 0.5 };

function worldOf(apiName: string, configuration: Record<string, unknown>) {
  const node = { id: "act-000000001", label: "Act", nodeType: "ACTION", apiName, configuration };
  const graph = graphOf([source("crm"), core(), node], ["crm>act-000000001"]);
  const context = compileContext(graph, {
    coreFields: new Map(FIELDS.map((field) => [field.apiName, field])),
    sources: [],
    timeZone: "UTC",
    pipelineName: "Account",
    instanceName: "Test",
  });
  return { node: graph.nodes[2]!, context };
}

function workOf(definition: ActionDefinition, { config, record }: ActionExample) {
  const { node, context } = worldOf(definition.name, config);
  const flow = newFlowRecord({ values: record.values });
  return definition.prepare(config, nodeContext(node, context))(flow, ENV);
}

for (const definition of ACTIONS) {
  describe(definition.name, () => {
    for (const example of definition.examples) {
      test(example.says, () => {
        expect(definition.check(example.config)).toEqual([]);
        if (example.fails === undefined) {
          expect(workOf(definition, example)).toEqual(example.work);
          return;
        }
        let refusal: unknown = null;
        try {
          workOf(definition, example);
        } catch (error) {
          refusal = error;
        }
        expect(refusal instanceof ActionRefusal ? refusal.code : refusal).toBe(example.fails);
      });
    }
    test("an empty configuration is refused with the input's name, or needs nothing", () => {
      for (const { input, reason } of definition.check({})) expect(`${input}: ${reason}`).toMatch(/^\w+: .+\.$/);
    });
  });
}

test("every action that does something has at least three examples", () => {
  for (const { name, effect, examples } of ACTIONS)
    if (effect === "work") expect(examples.length, name).toBeGreaterThanOrEqual(3);
});

const coming = (occurrenceKey: string, id = "1") =>
  newFlowRecord({ values: { Name: "Acme" }, source: { externalId: id, values: {} }, occurrenceKey });

test("the same coming of a record has the same key; another one, and another turn of a loop, have others", () => {
  const { node, context } = worldOf("logMessage", { text: "Saw {{previous.values.Name}}" });
  const run = compileAction(node, context, { side: "source", isAwaited: false });
  const keyOf = (occurrenceKey: string, turn?: string) =>
    run.deferredActions?.([coming(occurrenceKey)], { ...ENV, ...(turn ? { turn } : {}) })[0]?.key;
  expect(keyOf("a")).toBe(keyOf("a"));
  expect(new Set([keyOf("a"), keyOf("b"), keyOf("a", ".0"), keyOf("a", ".1")]).size).toBe(4);
});

test("a resync performs only actions that ask for it", () => {
  const env = { ...ENV, isResync: true };
  for (const onResync of [false, true]) {
    const { node, context } = worldOf("logMessage", { text: "x", onResync });
    const run = compileAction(node, context, { side: "source", isAwaited: false });
    expect(run.deferredActions?.([coming("a")], env)[0] !== null).toBe(onResync);
  }
});

test("a failing action is a warning on its record, which goes on with the answer as a token", () => {
  const { node, context } = worldOf("httpRequest", { url: "https://example.com" });
  const run = compileAction(node, context, { side: "source", isAwaited: true });
  const record = coming("a");
  const page = [record];
  expect(run.requests?.(page, ENV)[0]).toHaveLength(1);
  const found = [{ succeeded: false, body: { error: "no" }, code: "http_500", message: "The receiver answered 500." }];
  expect(run(page, { ...ENV, answers: [[{ ok: true, found }]] })).toBe("default");
  expect(record.failure).toBeNull();
  expect(record.warnings.map(({ code }) => code)).toEqual(["http_500"]);
  expect([record.results[2], record.outcomes[2]]).toEqual([{ error: "no" }, false]);
});

test("an action that was skipped, as in a simulated test, leaves no result and no warning", () => {
  const { node, context } = worldOf("httpRequest", { url: "https://example.com" });
  const run = compileAction(node, context, { side: "source", isAwaited: true });
  const record = coming("a");
  run([record], { ...ENV, answers: [[{ ok: true, found: [] }]] });
  expect([record.outcomes[2], record.warnings]).toEqual([undefined, []]);
});

test("[SYN-048] the body of a mail is read from base64; what is none is taken as it is", () => {
  expect(decodeBody("R3LDvMOfZSDwn5iA")).toBe("Grüße 😀");
  expect(decodeBody("Hello {{x}}")).toBe("Hello {{x}}");
  for (const text of ["", "a", "ab", "abc", "Grüße 😀", "Hello {{x}}\n<p>100 %</p>"])
    expect(decodeBody(encodeBody(text))).toBe(text);
});

test("tokens in an encoded body are found: the action they name is waited for, and they follow a renamed node", () => {
  const node = (label: string, configuration: object) => ({
    id: label,
    label,
    nodeType: "ACTION",
    apiName: label === "ask" ? "httpRequest" : "sendEmail",
    configuration,
  });
  const mail = { to: "a@example.com", subject: "x", body: encodeBody("{{Action Result From ask.id}}") };
  const graph = graphOf([node("ask", { url: "https://example.com" }), node("mail", mail)], []);
  expect(isResultUsed(graph.nodes[0]!, [graph])).toBe(true);
  const renamed = renameLabel(graph, "ask", "question");
  expect(decodeBody(String(renamed.nodes[1]?.configuration["body"]))).toBe("{{Action Result From question.id}}");
  expect(tokensOf(renamed.nodes[1]!)).toEqual(["Action Result From question.id"]);
});
