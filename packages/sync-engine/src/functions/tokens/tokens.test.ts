/** What tokens mean on a record in flight, in every form there is. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import { describe, expect, test } from "vitest";
import { compileNode, nodeContext } from "../compile.ts";
import { compileContext } from "../context.ts";
import { type FlowRecord, newFlowRecord, setActionResult, setResult, setVariable } from "../flow.ts";
import { tokensFor, unknownTokensOf } from "./token-list.ts";
import { compileText } from "../kinds/value-function.ts";

const field = (apiName: string, dataType = "string") => FieldSchema.parse({ apiName, displayName: apiName, dataType });
const idOf = (label: string): string => label.replaceAll(/\W/g, "");
const node = (label: string, nodeType: string, apiName = "", configuration = {}) => ({
  id: idOf(label),
  nodeType,
  apiName,
  label,
  configuration,
});
const edge = (from: string, to: string) => ({
  id: `edge-${idOf(from)}-${idOf(to)}-x`,
  source: { nodeId: idOf(from) },
  destination: { nodeId: idOf(to) },
});
const labels = ["crm", "Upper", "Get. Company", "Mail", "Set name", "Look"];

const graph = Graph.parse({
  nodes: [
    node("crm", "ENTITY_SOURCE"),
    node("Upper", "FUNCTION", "upperCase"),
    node("Get. Company", "FUNCTION", "parseJson"),
    node("Mail", "ACTION", "httpRequest"),
    node("Set name", "FUNCTION", "setValue", { field: "Name", value: "set" }),
    node("Look", "FUNCTION", "concatenate", { parts: ["{{Set name.Name}}"] }),
    node("core", "CORE_ENTITY"),
    node("After", "FUNCTION", "upperCase", { value: "{{Value From Upper}} {{CRM.company.country}}" }),
    node("out", "ENTITY_SINK"),
  ],
  edges: [
    ...labels.slice(1).map((label, index) => edge(labels[index]!, label)),
    edge("Look", "core"),
    edge("core", "After"),
    edge("After", "out"),
  ],
});
const context = compileContext(graph, {
  coreFields: new Map([field("Name"), field("extra", "object")].map((one) => [one.apiName, one])),
  sources: [{ connector: "CRM", entity: "company", fields: new Map([["country", field("country")]]) }],
  timeZone: "UTC",
  pipelineName: "Account",
  instanceName: "Harbor",
});
const slotOf = (label: string) => context.slots.get(idOf(label))!;

function example(): FlowRecord {
  const record = newFlowRecord({
    values: { Name: "Acme", extra: { a: [1, { b: "deep" }] } },
    source: { externalId: "c-1", values: { country: "NO" } },
    recordId: "0123456789abcdef01234567",
  });
  setResult(record, slotOf("Upper"), "ACME");
  setResult(record, slotOf("Get. Company"), { address: { city: "Oslo" }, tags: ["a", "b"] });
  setActionResult(record, slotOf("Mail"), true, { id: 7, items: [{ sku: "x" }] });
  setVariable(record, "region", "north");
  return record;
}
const env = { now: Date.parse("2026-11-21T10:00:00Z"), random: () => 0 };
const nodeNamed = (label: string): GraphNode => graph.nodes.find((one) => one.label === label)!;

function fill(text: string, record = example()): { value: Value; warnings: string[] } {
  const withVariable = { ...context, variables: new Set(["region"]) };
  const value = compileText(text, nodeContext(nodeNamed("Look"), withVariable), "value")(record, env);
  return { value, warnings: record.warnings.map((warning) => warning.code) };
}
const valueOf = (text: string) => fill(text).value;

describe("every form of token", () => {
  test("fields, results, variables, the record and its surroundings", () => {
    expect(valueOf("{{previous.values.Name}}")).toBe("Acme");
    expect(valueOf("{{previousValue.tags[1]}}")).toBe("b");
    expect(valueOf("{{previous}}")).toEqual({ address: { city: "Oslo" }, tags: ["a", "b"] });
    expect(valueOf("{{Value From Upper}}")).toBe("ACME");
    expect(valueOf("{{CRM.company.country}}/{{source.country}}")).toBe("NO/NO");
    expect(valueOf("{{region}}")).toBe("north");
    expect(valueOf("{{record.id}} {{record.change}}")).toBe("0123456789abcdef01234567 insert");
    expect(valueOf("{{system.now}} {{system.instance.name}} {{pipeline.name}}")).toBe(
      "2026-11-21T10:00:00.000Z Harbor Account",
    );
  });
  test("paths lead into objects and lists, also behind a label that holds a dot", () => {
    expect(valueOf("{{Value From Get. Company.address.city}}")).toBe("Oslo");
    expect(valueOf("{{previous.values.extra.a[1].b}}")).toBe("deep");
    expect(valueOf("{{Action Result From Mail.items[0].sku}}")).toBe("x");
    expect(valueOf("{{Action Result From Mail}}")).toEqual({ id: 7, items: [{ sku: "x" }] });
    expect(valueOf("{{Status of Action Mail}}")).toBe(true);
    expect(valueOf("{{crm.country}}")).toBe("NO");
  });
  test("a label alone is the whole record as it left that node, whatever became of it since", () => {
    const record = example();
    compileNode(nodeNamed("Set name"), context)([record], env);
    record.values = { ...record.values, Name: "later" };
    expect(fill("{{Set name.Name}}", record).value).toBe("set");
    expect(fill("{{Set name}}", record).value).toMatchObject({ Name: "set" });
  });
  test("the result of an action is not the previous value", () => {
    expect(valueOf("{{previousValue.address.city}}")).toBe("Oslo");
  });
});

describe("what a token gives", () => {
  test("exactly one token keeps its type, anything more is text", () => {
    expect(valueOf("{{Action Result From Mail.id}}")).toBe(7);
    expect(valueOf("{{Action Result From Mail.id}}!")).toBe("7!");
    expect(valueOf("{{Value From Get. Company.tags}}")).toEqual(["a", "b"]);
    expect(valueOf("tags: {{Value From Get. Company.tags}}")).toBe("tags: a;b");
  });
  test("an unknown token is left empty with a warning, and so is one without a value on this path", () => {
    expect(fill("a{{nobody}}b")).toEqual({ value: "ab", warnings: ["token_unknown"] });
    expect(fill("{{Value From Look}}")).toEqual({ value: null, warnings: ["token_empty"] });
    expect(fill("{{Value From Upper.nowhere}}").warnings).toEqual(["token_empty"]);
    expect(fill("{{Value From upper}}").warnings, "case matters").toEqual(["token_unknown"]);
    expect(fill("{{previous.values.Name}}", newFlowRecord({ values: {} })), "a blank field is no surprise").toEqual({
      value: null,
      warnings: [],
    });
  });
  test("on the destination side the source's values and results are out of reach", () => {
    const record = newFlowRecord({ values: { Name: "Acme" } });
    expect(fill("{{CRM.company.country}}{{Value From Upper}}{{crm}}", record)).toEqual({
      value: "",
      warnings: ["token_empty", "token_empty", "token_empty"],
    });
    const world = { coreFields: [field("Name")], sources: [] };
    expect(unknownTokensOf(graph, nodeNamed("After"), world)).toEqual(["Value From Upper", "CRM.company.country"]);
  });
  test("[SYN-066] actions, whole records and unknown tokens have groups of their own", () => {
    const world = { coreFields: [], sources: [] };
    const groups = (token: string) => tokensFor(graph, "Look", world).find((one) => one.token === token);
    expect(groups("Action Result From Mail")).toMatchObject({ group: "Actions", datatype: "object" });
    expect(groups("Status of Action Mail")).toMatchObject({ group: "Actions", datatype: "boolean" });
    expect(groups("Set name")).toMatchObject({ group: "Records at nodes", datatype: "object" });
    const strange = Graph.parse({
      ...graph,
      nodes: [...graph.nodes, node("Odd", "FUNCTION", "append", { text: "{{who}}" })],
    });
    expect(tokensFor(strange, "Odd", world).at(-1)).toMatchObject({
      token: "who",
      group: "Others",
      datatype: "object",
    });
  });
});

/** Shapes that ended in code execution in other products: here they are names that name nothing. */
const HOSTILE = [
  "constructor.constructor('return process')()",
  "this.process.mainModule.require('child_process').execSync('id')",
  "$json.__proto__.polluted = 1",
  "(() => { throw 1 })()",
  "=1+1",
  "1+1",
  "process.env",
  "globalThis",
  "import('fs')",
  "__proto__",
  "constructor",
  "prototype",
  "previous.values.__proto__",
  "previous.values.constructor.name",
  "previous.__proto__.polluted",
  "previousValue.constructor.constructor",
  "Value From Upper.constructor",
  "Value From Get. Company.__proto__.toString",
  "Value From Get. Company.tags.constructor",
  "Action Result From Mail.__proto__",
  "Action Result From Mail.items.map.constructor",
  "crm.__proto__",
  "source.constructor",
  "#{7*7}",
  "${7*7}",
  "<%= 7*7 %>",
  "7*7|safe",
  "request.application.__globals__",
];

test("[T22] hostile tokens are never evaluated: each gives nothing and changes nothing", () => {
  for (const token of HOSTILE) {
    const record = example();
    const before = structuredClone({ ...record, warnings: [] });
    const { value } = fill(`{{${token}}}`, record);
    // Braces end a token: what then is no token at all stays the text it is.
    expect([null, `{{${token}}}`], token).toContainEqual(value);
    expect({ ...record, warnings: [] }, token).toEqual(before);
  }
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("[T22] what a token brings is text, also when it looks like a token", () => {
  const record = example();
  record.values = { ...record.values, Name: "{{system.instance.name}}" };
  expect(fill("<{{previous.values.Name}}>", record).value).toBe("<{{system.instance.name}}>");
  expect(fill("{{previous.values.Name}}", record).value).toBe("{{system.instance.name}}");
});
