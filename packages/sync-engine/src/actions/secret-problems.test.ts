/** What nodes say of records whose secrets they read: why, and never which value. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { compileNode } from "../functions/compile.ts";
import { compileContext } from "../functions/context.ts";
import { addWarning, type FlowRecord, newFlowRecord } from "../functions/flow.ts";
import type { CompiledNode } from "../functions/define.ts";
import { graphOf, source } from "../graph/graph.fixtures.ts";
import { secretResults } from "./secret-results.ts";
import { withoutSecretProblems } from "./secret-problems.ts";

const SECRET = "kanarienvogel “A” 1";
const ENV = { now: 0, random: () => 0.5 };
const field = (apiName: string, dataType = "string") => FieldSchema.parse({ apiName, displayName: apiName, dataType });

interface Step {
  apiName: string;
  configuration: object;
}

/** Nodes in a row, compiled as a pipeline compiles them. `run`: instead of the last one. */
function compiled(steps: readonly Step[], run?: CompiledNode): CompiledNode[] {
  const nodes = steps.map((one, index) => ({ ...one, id: `n${index}`, label: `n${index}`, nodeType: "FUNCTION" }));
  const row = [source("shop"), ...nodes];
  const graph = graphOf(
    row,
    row.slice(1).map(({ id }, index) => `${row[index]?.id}>${id}`),
  );
  const coreFields = new Map([field("name"), field("pin", "password")].map((one) => [one.apiName, one]));
  const sources = [{ connector: "Shop", entity: "login", fields: new Map([["code", field("code")]]) }];
  const world = { coreFields, sources, timeZone: "UTC", pipelineName: "Login", instanceName: "Test" };
  const open = compileContext(graph, world);
  const context = { ...open, secrets: secretResults(graph, open, { mapped: ["code"], elsewhere: new Map() }) };
  const functions = graph.nodes.filter(({ nodeType }) => nodeType === "FUNCTION");
  return functions.map((node, index) =>
    withoutSecretProblems(node, (index === functions.length - 1 && run) || compileNode(node, context), context),
  );
}

function saidOf(steps: readonly Step[], values: FlowRecord["values"] = { name: "Ada", pin: SECRET }): string[] {
  const record = newFlowRecord({ values, source: { externalId: "1", values: { code: SECRET } } });
  for (const run of compiled(steps)) run([record], ENV);
  return [...record.warnings, ...(record.failure ? [record.failure] : [])].map(({ message }) => message);
}

const upper = { apiName: "upperCase", configuration: { value: "{{previous.values.pin}}" } };
const toNumber = (value?: string): Step => ({
  apiName: "toInteger",
  configuration: value === undefined ? {} : { value },
});
const variable = (value: string): Step => ({
  apiName: "setValue",
  configuration: { target: "variable", variable: "kept", dataType: "integer", value },
});
const REASON = `“${PASSWORD_MASK}” is not a whole number.`;

test.each<[string, Step[], string]>([
  ["the field itself", [toNumber("{{previous.values.pin}}")], REASON],
  ["a field of the source that is mapped to it", [toNumber("{{source.code}}")], REASON],
  ["what the step before made of it", [upper, toNumber()], REASON],
  ["what any step made of it", [upper, toNumber("{{Value From n0}}")], REASON],
  [
    "a formula",
    [{ apiName: "evaluateExpression", configuration: { expression: "concat([pin], '!')" } }, toNumber()],
    REASON,
  ],
  ["a value for a variable", [variable("{{previous.values.pin}}")], `kept: ${REASON}`],
])("%s is quoted as the mask", (_, steps, message) => {
  expect(saidOf(steps)).toEqual([message]);
});

test("of a long one no beginning is shown", () => {
  const pin = `kanarienvogel ${"x".repeat(300)}`;
  expect(saidOf([toNumber("{{previous.values.pin}}")], { name: "Ada", pin })).toEqual([REASON]);
});

test("what is no secret is quoted as it is", () => {
  expect(saidOf([toNumber("{{previous.values.name}}")])).toEqual(["“Ada” is not a whole number."]);
});

test("a secret that a service repeats without quotation marks is masked as well, in questions and deeds too", () => {
  const say = (page: readonly FlowRecord[]) => {
    for (const record of page) addWarning(record, { nodeId: "n0", code: "refused", message: `Not ${SECRET}!` });
  };
  const talking: CompiledNode = Object.assign(
    (page: readonly FlowRecord[]) => {
      say(page);
      return "default" as const;
    },
    {
      requests: (page: readonly FlowRecord[]) => (say(page), []),
      deferredActions: (page: readonly FlowRecord[]) => (say(page), []),
    },
  );
  const [run] = compiled([toNumber("{{previous.values.pin}}")], talking);
  const record = newFlowRecord({ values: { pin: SECRET }, source: null });
  addWarning(record, { nodeId: "before", code: "c", message: "said before" });
  run?.([record], ENV);
  run?.requests?.([record], ENV);
  run?.deferredActions?.([record], ENV);
  const masked = `Not ${PASSWORD_MASK}!`;
  expect(record.warnings.map(({ message }) => message)).toEqual(["said before", masked, masked, masked]);
});

test("what code says of a record with a secret is masked, whatever it names: it gets the whole record", () => {
  const record = newFlowRecord({ values: { name: "Ada", pin: SECRET } });
  const [run] = compiled([
    { apiName: "customCode", configuration: { script: "function run(r) { throw r[[...'nip'].reverse().join('')]; }" } },
  ]);
  const message = `Line 1: “Error: ${SECRET.toUpperCase()} is bad”`;
  run?.([record], { ...ENV, answers: [[{ ok: false, code: "code_failed", message }]] });
  expect(record.failure?.message).toBe(`Line 1: “${PASSWORD_MASK}”`);
});
