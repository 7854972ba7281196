/** What messages for people say of a record with a secret: everything but that, by whichever way it comes into the text. */
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { compileNode } from "../functions/compile.ts";
import { compileContext } from "../functions/context.ts";
import { type FlowRecord, newFlowRecord, setResult } from "../functions/flow.ts";
import { graphOf, source } from "../graph/graph.fixtures.ts";
import type { ActionPayload } from "./call.ts";
import { compileAction } from "./compile.ts";
import { secretResults } from "./secret-results.ts";

const SECRET = "kanarienvogel";
const ENV = { now: 0, random: () => 0.5 };
const field = (apiName: string, dataType = "string") => FieldSchema.parse({ apiName, displayName: apiName, dataType });
const byName = (fields: FieldSchema[]) => new Map(fields.map((one) => [one.apiName, one]));
const step = (id: string, apiName: string, configuration: object) => ({
  id,
  label: id,
  nodeType: "FUNCTION",
  apiName,
  configuration,
});

interface Way {
  /** Functions on the record's way, in a row. */
  steps?: ReturnType<typeof step>[];
  /** Results of nodes that ask the world. */
  found?: Record<string, Value>;
}

/** What an action does with this text. */
function workOf(apiName: string, text: object, { steps = [], found = {} }: Way = {}): ActionPayload | undefined {
  const act = { id: "act", label: "act", nodeType: "ACTION", apiName, configuration: text };
  const nodes = [source("shop"), ...steps, act];
  const edges = nodes.slice(1).map(({ id }, index) => `${nodes[index]!.id}>${id}`);
  const graph = graphOf(nodes, edges);
  const open = compileContext(graph, {
    coreFields: byName([field("name"), field("pin", "password"), field("extra", "object")]),
    sources: [
      { connector: "Shop", entity: "login", fields: byName([field("code"), field("mail"), field("whole", "object")]) },
    ],
    timeZone: "UTC",
    pipelineName: "Login",
    instanceName: "Test",
  });
  const names = { mapped: ["code"], elsewhere: new Map([["Key", ["opens"]]]) };
  const context = { ...open, secrets: secretResults(graph, open, names) };
  const record: FlowRecord = newFlowRecord({
    values: { name: "Ada", pin: SECRET, extra: { inside: `it is ${SECRET}.` } },
    source: { externalId: "1", values: { code: SECRET, mail: `${SECRET}@example.com`, whole: { code: SECRET, n: 1 } } },
  });
  for (const node of graph.nodes.filter(({ nodeType }) => nodeType === "FUNCTION")) {
    const known = found[node.id];
    if (known === undefined) compileNode(node, context)([record], ENV);
    else setResult(record, context.slots.get(node.id)!, known);
  }
  const run = compileAction(graph.nodes.at(-1)!, context, { side: "source", isAwaited: false });
  expect(record.failure).toBeNull();
  return run.deferredActions?.([record], ENV)[0]?.work;
}

const told = (text: string, way?: Way): string => {
  const work = workOf("sendNotification", { text }, way);
  return work?.kind === "notify" ? work.text : "";
};
const upper = (value?: string) => step("upper", "upperCase", value === undefined ? {} : { value });

test.each<[string, string, Way?]>([
  ["a core field", "{{previous.values.pin}}"],
  ["a field of a source", "{{source.code}}"],
  ["a field of a source by its system", "{{Shop.login.code}}"],
  ["a field of the whole record", "{{shop.code}}"],
  ["what a function made of it", "{{Value From upper}}", { steps: [upper("{{previous.values.pin}}")] }],
  ["the same as the step before", "{{previousValue}}", { steps: [upper("{{source.code}}")] }],
  [
    "what two functions in a row made of it",
    "{{Value From second}}",
    { steps: [upper("{{previous.values.pin}}"), step("second", "lowerCase", {})] },
  ],
  [
    "a variable",
    "{{kept}}",
    {
      steps: [step("set", "setValue", { target: "variable", variable: "kept", value: "x{{previous.values.pin}}" })],
    },
  ],
  [
    "what a formula made of a field in brackets",
    "{{Value From formula}}",
    { steps: [step("formula", "evaluateExpression", { expression: "concat([pin], '?')" })] },
  ],
  [
    "the key that was made of several fields",
    "{{Value From key}}",
    { steps: [step("key", "computeHash", { fields: ["name", "pin"], algorithm: "md5" })] },
  ],
  [
    "a secret field of a record that was looked up",
    "{{Value From look.opens}}",
    { steps: [step("look", "lookupRecord", { entity: "Key" })], found: { look: { opens: SECRET } } },
  ],
  [
    "what a function made of that",
    "{{Value From upper}}",
    {
      steps: [step("look", "lookupRecord", { entity: "Key" }), upper("{{Value From look.opens}}")],
      found: { look: { opens: SECRET } },
    },
  ],
])("%s is masked", (_, token, way) => {
  expect(told(`Its pin: ${token}!`, way)).toBe(`Its pin: ${PASSWORD_MASK}!`);
});

test("within objects and lists it is masked as well, and the rest is shown", () => {
  expect(told("{{previous.values.extra}}")).toBe(JSON.stringify({ inside: `it is ${PASSWORD_MASK}.` }));
  expect(told("{{source.whole}}")).toBe(JSON.stringify({ code: PASSWORD_MASK, n: 1 }));
  const way = { steps: [step("look", "lookupRecord", { entity: "Key" })], found: { look: [{ opens: "x", n: 1 }] } };
  expect(told("{{Value From look}}", way)).not.toContain('"x"');
});

test("what is no secret is shown, also what functions make of it", () => {
  expect(told("{{previous.values.name}} {{source.mail}}")).toBe(`Ada ${SECRET}@example.com`);
  const steps = [upper("{{previous.values.name}}")];
  expect(told("{{Value From upper}} {{previousValue}}", { steps })).toBe("ADA ADA");
});

test("a secret that is missing is not masked: that it is missing is none", () => {
  const look = { steps: [step("look", "lookupRecord", { entity: "Key" })], found: { look: { opens: null } } };
  expect(told("none:{{Value From look.opens}}", look)).toBe("none:");
});

const PIN = "{{previous.values.pin}}";
test.each([
  ["sendEmail", { to: "a@example.com", subject: PIN, body: PIN, format: "text" }],
  ["sendEmail", { to: "a@example.com", subject: PIN, body: `<b>${PIN}</b>` }],
  ["sendNotification", { text: PIN }],
  ["logMessage", { text: PIN }],
  ["sendSlackMessage", { text: PIN }],
  ["sendTeamsMessage", { text: PIN }],
])("%s tells people the mask", (action, configuration) => {
  const work = JSON.stringify(workOf(action, configuration));
  expect(work).toContain(PASSWORD_MASK);
  expect(work).not.toContain(SECRET);
});

test.each([
  ["httpRequest", { url: "https://example.com", body: PIN }],
  ["customAction", { actionId: "0123456789abcdef01234567", variables: { pin: PIN } }],
  ["createExternalRecord", { connectorId: "crm", entity: "login", pairs: [{ from: PIN, to: "pin" }] }],
  ["updateExternalRecord", { connectorId: "crm", entity: "login", externalId: "1", pairs: [{ from: PIN, to: "pin" }] }],
  ["createCoreRecord", { entity: "Login", pairs: [{ from: PIN, to: "pin" }] }],
])("%s sends the value to a system as it is", (action, configuration) => {
  expect(JSON.stringify(workOf(action, configuration))).toContain(SECRET);
});
