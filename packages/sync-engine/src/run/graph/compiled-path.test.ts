/** Paths: branches, loops, joins, and pages that wait for answers on the way. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { compileNode } from "../../functions/compile.ts";
import { compileContext } from "../../functions/context.ts";
import type { CompiledNode } from "../../functions/define.ts";
import { type FlowRecord, newFlowRecord, setField } from "../../functions/flow.ts";
import type { DataRequest } from "../../functions/data-requests.ts";
import { core, fn, graphOf, source } from "../../graph/graph.fixtures.ts";
import { compilePath, type CompiledPath, type PathExecution } from "./compiled-path.ts";
import { chainPaths } from "./chained-paths.ts";

type Nodes = Parameters<typeof graphOf>[0];

const FIELDS = ["Name", "Tags", "Log"].map((apiName) =>
  FieldSchema.parse({ apiName, displayName: apiName, isMultiValueField: apiName === "Tags" }),
);
const ENV = { now: 0, random: () => 0.5 };

function pathOf(nodes: Nodes, edges: string[], own: Record<string, CompiledNode> = {}): CompiledPath {
  const graph = graphOf([source("crm"), core(), ...nodes], edges);
  const context = compileContext(graph, {
    coreFields: new Map(FIELDS.map((field) => [field.apiName, field])),
    sources: [],
    timeZone: "UTC",
    pipelineName: "Account",
    instanceName: "Test",
  });
  const between = new Set(nodes.map(({ id }) => id));
  const { path } = compilePath(graph, { from: "crm", to: "core" }, between, (nodeId) => {
    const node = graph.nodes.find(({ id }) => id === nodeId);
    return own[nodeId] ?? (node ? compileNode(node, context) : null);
  });
  return path;
}

const recordOf = (values: Values, id = "1"): FlowRecord =>
  newFlowRecord({ values, source: { externalId: id, values } });
const completed = (execution: PathExecution): FlowRecord[] => {
  if (execution.state === "suspended") throw new Error("the page waits for answers");
  return execution.completed;
};
const set = (id: string, value: string, field = "Log") => fn(id, "setValue", { target: "field", field, value });
const isNamed = (value: string) => ({
  type: "condition",
  left: { kind: "field", field: "Name" },
  operator: "equals",
  right: [{ kind: "literal", value }],
});
const loopOf = (body: Nodes, config: { start?: object; end?: object } = {}): Nodes => [
  fn("each", "forEach", { list: "{{previous.values.Tags}}", ...config.start }),
  ...body,
  fn("end", "endLoop", config.end ?? {}),
];

test("[SYN-059] For each runs its body once for each item, and goes on with what End loop collected", () => {
  const nodes = [
    ...loopOf([fn("up", "upperCase", { value: "{{Value From each}}" })]),
    set("keep", "{{Value From end}}", "Tags"),
  ];
  const path = pathOf(nodes, ["crm>each", "each>up", "up>end", "end>each", "end>keep", "keep>core"]);
  const page = [recordOf({ Tags: ["a", "b"] }), recordOf({ Tags: [] }, "2"), recordOf({ Tags: ["c"] }, "3")];
  expect(completed(path(page, ENV)).map(({ values }) => values["Tags"])).toEqual([["A", "B"], [], ["C"]]);
});

test("what the body does to a record is there in the next turn", () => {
  const nodes = loopOf([set("add", "{{previous.values.Log}}{{Value From each}}")]);
  const path = pathOf(nodes, ["crm>each", "each>add", "add>end", "end>each", "end>core"]);
  expect(completed(path([recordOf({ Tags: ["a", "b", "c"], Log: "" })], ENV))[0]?.values["Log"]).toBe("abc");
});

test("where the body divides, what each way adds to the record counts", () => {
  const nodes = loopOf([set("left", "{{Value From each}}"), set("right", "{{Value From each}}", "Name")]);
  const edges = ["crm>each", "each>left", "each>right", "left>end", "right>end", "end>each", "end>core"];
  const records = completed(pathOf(nodes, edges)([recordOf({ Tags: ["a"] })], ENV));
  expect(records.map(({ values }) => values)).toEqual([{ Tags: ["a"], Log: "a", Name: "a" }]);
});

test("a path that ends inside a loop ends that turn alone", () => {
  const condition = {
    type: "condition",
    left: { kind: "token", token: "Value From each" },
    operator: "notEquals",
    right: [{ kind: "literal", value: "b" }],
  };
  const nodes = [
    ...loopOf([fn("only", "filter", { condition }), fn("up", "upperCase", { value: "{{Value From each}}" })]),
    set("keep", "{{Value From end}}", "Tags"),
  ];
  const edges = ["crm>each", "each>only", "only>up", "up>end", "end>each", "end>keep", "keep>core"];
  const path = pathOf(nodes, edges);
  expect(completed(path([recordOf({ Tags: ["a", "b", "c"] })], ENV))[0]?.values["Tags"]).toEqual(["A", "C"]);
});

test("after a loop its item is the record's own last one, however long the lists of others on the page are", () => {
  const nodes = [...loopOf([fn("up")]), set("keep", "{{Value From each}}")];
  const path = pathOf(nodes, ["crm>each", "each>up", "up>end", "end>each", "end>keep", "keep>core"]);
  const page = [recordOf({ Tags: ["a"] }), recordOf({ Tags: ["b", "c", "d"] }, "2")];
  expect(completed(path(page, ENV)).map(({ values }) => values["Log"])).toEqual(["a", "d"]);
});

test("a list longer than the loop allows stops its record alone, and says so", () => {
  const nodes = loopOf([fn("up")], { start: { maxIterations: 2 } });
  const path = pathOf(nodes, ["crm>each", "each>up", "up>end", "end>each", "end>core"]);
  const records = completed(path([recordOf({ Tags: ["a", "b", "c"] }), recordOf({ Tags: ["a"] }, "2")], ENV));
  const failures = new Map(records.map(({ source: from, failure }) => [from?.externalId, failure?.code]));
  expect(failures).toEqual(
    new Map([
      ["1", "too_many_items"],
      ["2", undefined],
    ]),
  );
});

test("an item that fails stops the record, or is a warning where the loop goes on", () => {
  for (const stopOnError of [true, false]) {
    const nodes = [
      ...loopOf([fn("number", "toInteger", { value: "{{Value From each}}" })], { end: { stopOnError } }),
      set("keep", "{{Value From end}}", "Tags"),
    ];
    const path = pathOf(nodes, ["crm>each", "each>number", "number>end", "end>each", "end>keep", "keep>core"]);
    const [record] = completed(path([recordOf({ Tags: ["1", "x", "3"] })], ENV));
    expect(record?.failure?.code).toBe(stopOnError ? "not_an_integer" : undefined);
    if (!stopOnError) {
      expect(record?.warnings.map(({ code }) => code)).toEqual(["not_an_integer"]);
      expect(record?.values["Tags"]).toEqual(["1", "3"]);
    }
  }
});

test("loops nest: the inner one runs whole in each turn of the outer one", () => {
  const nodes: Nodes = [
    fn("outer", "forEach", { list: "{{previous.values.Tags}}" }),
    fn("inner", "forEach", { list: "{{previous.values.Tags}}" }),
    set("add", "{{previous.values.Log}}{{Value From outer}}{{Value From inner}} "),
    fn("innerEnd", "endLoop"),
    fn("outerEnd", "endLoop"),
  ];
  const edges = ["crm>outer", "outer>inner", "inner>add", "add>innerEnd", "innerEnd>inner", "innerEnd>outerEnd"];
  const path = pathOf(nodes, [...edges, "outerEnd>outer", "outerEnd>core"]);
  const page = [recordOf({ Tags: ["a", "b"], Log: "" }), recordOf({ Tags: ["z"], Log: "" }, "2")];
  expect(completed(path(page, ENV)).map(({ values }) => values["Log"])).toEqual(["aa ab ba bb ", "zz "]);
});

test("branches meet again: the node behind them runs once for each copy that arrives", () => {
  const runs: number[] = [];
  const counting: CompiledNode = (page) => {
    runs.push(page.length);
    for (const record of page) setField(record, "Log", `${String(record.values["Log"] ?? "")}+`);
    return "default";
  };
  const nodes = [set("left", "l"), set("right", "r"), fn("meet")];
  const edges = ["crm>left", "crm>right", "left>meet", "right>meet", "meet>core"];
  const records = completed(pathOf(nodes, edges, { meet: counting })([recordOf({ Name: "x" })], ENV));
  expect(runs).toEqual([1, 1]);
  expect(records.map(({ values }) => values["Log"])).toEqual(["l+", "r+"]);
});

test("[SYN-059] a case branch lets records pass whose case held; Any always does", () => {
  const nodes: Nodes = [
    fn("case", "case", { cases: [{ name: "A", filters: isNamed("a"), value: "1" }], default: { value: "0" } }),
    fn("whenA", "caseBranch", { case: "A" }),
    fn("other", "caseBranch", { case: "Default" }),
    fn("always", "caseBranch", { case: "Any" }),
    set("a", "A"),
    set("d", "D"),
    set("n", "yes", "Name"),
  ];
  const edges = ["crm>case", "case>whenA", "case>other", "case>always", "whenA>a", "other>d", "always>n"];
  const path = pathOf(nodes, [...edges, "a>core", "d>core", "n>core"]);
  const records = completed(path([recordOf({ Name: "a" }), recordOf({ Name: "b" }, "2")], ENV));
  expect(records.map(({ source: from, values }) => [from?.externalId, values["Log"] ?? values["Name"]])).toEqual([
    ["1", "A"],
    ["2", "D"],
    ["1", "yes"],
    ["2", "yes"],
  ]);
});

const dataRequest = (value: string): DataRequest => ({
  kind: "referenceData",
  dataset: "countries",
  column: "code",
  value,
  caseSensitive: false,
  limit: 1,
});

function asking(): CompiledNode {
  const node: CompiledNode = (page, env) => {
    for (const [index, record] of page.entries()) {
      const answer = env.answers?.[index]?.[0];
      setField(record, "Log", answer?.ok ? (answer.found[0]?.["name"] ?? null) : "none");
    }
    return "default";
  };
  node.requests = (page) => page.map(({ values }) => (values["Name"] ? [dataRequest(String(values["Name"]))] : []));
  return node;
}

test("a node that asks gets the whole page's answers at once, each different question asked once", () => {
  const path = pathOf([fn("ask")], ["crm>ask", "ask>core"], { ask: asking() });
  const execution = path([recordOf({ Name: "se" }), recordOf({ Name: "no" }, "2"), recordOf({ Name: "se" }, "3")], ENV);
  if (execution.state !== "suspended") throw new Error("nothing was asked");
  expect(execution.dataRequests).toEqual([dataRequest("se"), dataRequest("no")]);
  const records = completed(
    execution.resume([
      { ok: true, found: [{ name: "Sweden" }] },
      { ok: true, found: [{ name: "Norway" }] },
    ]),
  );
  expect(records.map(({ values }) => values["Log"])).toEqual(["Sweden", "Norway", "Sweden"]);
});

const countsOf = (execution: PathExecution) => {
  if (execution.state === "suspended") throw new Error("the page waits for answers");
  return execution.counts;
};
const people = (...names: string[]): FlowRecord[] => names.map((Name, index) => recordOf({ Name }, String(index)));

test("a path says how many records passed each edge, and at which node the others ended", () => {
  const nodes = [fn("only", "filter", { condition: isNamed("Ann") }), set("say", "there")];
  const path = pathOf(nodes, ["crm>only", "only>say", "say>core"]);
  const edges = graphOf([source("crm"), core(), ...nodes], ["crm>only", "only>say", "say>core"]).edges;
  const [toFilter = "", behind = "", toCore = ""] = edges.map(({ id }) => id);
  expect(countsOf(path(people("Ann", "Bob", "Ann", "Cem"), ENV))).toEqual({
    passed: { [toFilter]: 4, [behind]: 2, [toCore]: 2 },
    ended: { only: 2 },
  });
  expect(countsOf(path([], ENV))).toEqual({ passed: {}, ended: {} });
  const [direct = ""] = graphOf([source("crm"), core()], ["crm>core"]).edges.map(({ id }) => id);
  expect(countsOf(pathOf([], ["crm>core"])(people("Ann", "Bob"), ENV))).toEqual({ passed: { [direct]: 2 }, ended: {} });
  const alone = pathOf([], ["crm>core"]);
  expect(countsOf(alone(people("Ann"), ENV))).toEqual({ passed: { [direct]: 1 }, ended: {} });
  expect(countsOf(alone([], ENV)), "a page of nobody passes nothing").toEqual({ passed: {}, ended: {} });
});

test("a path is that of its own destination: what goes on to another one from its nodes is not counted on it", () => {
  const nodes = [set("say", "there"), set("elsewhere", "gone", "Name")];
  const compiledTo = (edges: string[], own: string[]) => {
    const graph = graphOf([source("crm"), core(), ...nodes], edges);
    const ids = graph.edges.map(({ id }) => id);
    return { ids, ...compilePath(graph, { from: "crm", to: "core" }, new Set(own), () => null) };
  };
  const divided = compiledTo(["crm>say", "say>core", "say>elsewhere"], ["say"]);
  const [toNode = "", toCore = ""] = divided.ids;
  const execution = divided.path(people("Ann", "Bob"), ENV);
  expect(countsOf(execution)).toEqual({ passed: { [toNode]: 2, [toCore]: 2 }, ended: {} });
  expect(completed(execution)).toHaveLength(2);
  expect(divided.isPlain).toBe(false);
  expect(compiledTo(["crm>elsewhere", "crm>core"], []).isPlain, "an edge alone leads there").toBe(true);
});

test("a path lets all pass whose nodes are all passed unchanged, and an edge alone", () => {
  const nodes = [set("a", "1"), set("b", "2")];
  const letsAllPass = (edges: string[], changing: readonly string[]) => {
    const graph = graphOf([source("crm"), core(), ...nodes], edges);
    const own = new Set(edges.length > 1 ? ["a", "b"] : []);
    const compiled = (id: string): CompiledNode | null => (changing.includes(id) ? () => "default" : null);
    return compilePath(graph, { from: "crm", to: "core" }, own, compiled).letsAllPass;
  };
  expect(letsAllPass(["crm>core"], [])).toBe(true);
  const both = ["crm>a", "a>b", "b>core"];
  expect([[], ["a"], ["b"], ["a", "b"]].map((changing) => letsAllPass(both, changing))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a record that leaves by a branch which is not drawn has ended at its node", () => {
  const nodes = [fn("is", "predicate", { evaluatesToTrue: isNamed("Ann") }), set("say", "there")];
  const both = [...nodes, set("else", "elsewhere")];
  const ended = (path: CompiledPath) => countsOf(path(people("Ann", "Bob", "Cem"), ENV))?.ended;
  expect(ended(pathOf(nodes, ["crm>is", "is>say:true", "say>core"]))).toEqual({ is: 2 });
  expect(ended(pathOf(both, ["crm>is", "is>say:true", "is>else:false", "say>core", "else>core"]))).toEqual({});
  expect(ended(pathOf(nodes, ["crm>is"])), "a node without any way on ends nothing").toEqual({});
});

test("a page without questions does not wait", () => {
  const path = pathOf([fn("ask")], ["crm>ask", "ask>core"], { ask: asking() });
  expect(completed(path([recordOf({})], ENV))).toHaveLength(1);
});

test("records that failed on the first of two paths, one or several, do not go down the second", () => {
  const failing: CompiledPath = (page) => ({
    state: "completed",
    completed: page.map((record) =>
      record.values["Name"] === "bad" ? { ...record, failure: { nodeId: "n", code: "broken", message: "?" } } : record,
    ),
    deferredActions: [],
    executedActions: [],
  });
  const second: CompiledPath = (page) => ({
    state: "completed",
    completed: page.map((record) => ({ ...record, values: { ...record.values, Log: "there" } })),
    deferredActions: [],
    executedActions: [],
  });
  const through = (...names: string[]) =>
    completed(
      chainPaths(failing, second)(
        names.map((Name) => recordOf({ Name })),
        ENV,
      ),
    ).map(({ values }) => [values["Name"], values["Log"]]);
  expect(through("a", "b")).toEqual([
    ["a", "there"],
    ["b", "there"],
  ]);
  expect(through("bad", "a")).toEqual([
    ["a", "there"],
    ["bad", undefined],
  ]);
  expect(through("bad", "a", "bad")).toEqual([
    ["a", "there"],
    ["bad", undefined],
    ["bad", undefined],
  ]);
});

test("one path behind another carries questions, failures and actions of both", () => {
  const first = pathOf([fn("ask")], ["crm>ask", "ask>core"], { ask: asking() });
  const second = pathOf([fn("up", "upperCase", { value: "{{previous.values.Log}}" })], ["crm>up", "up>core"]);
  const execution = chainPaths(first, second)([recordOf({ Name: "se" })], ENV);
  if (execution.state !== "suspended") throw new Error("nothing was asked");
  const [record] = completed(execution.resume([{ ok: true, found: [{ name: "Sweden" }] }]));
  expect(record?.results.at(-1)).toBe("SWEDEN");
});

test("[SYN-057] a group changes nothing: the same nodes inside one and without it do the same", () => {
  const nodes = [fn("up", "upperCase", { value: "{{previous.values.Name}}" }), set("keep", "{{Value From up}}")];
  const edges = ["crm>up", "up>keep", "keep>core"];
  const grouped = nodes.map((node) => ({ ...node, groupId: "group-000000000001" }));
  const [alone, inGroup] = [nodes, grouped].map((some) =>
    completed(pathOf(some, edges)([recordOf({ Name: "a" })], ENV)),
  );
  expect(inGroup).toEqual(alone);
  expect(alone?.[0]?.values["Log"]).toBe("A");
});

test("loops within loops end: a record for which they would go round without measure is quarantined", () => {
  const tags = Array.from({ length: 400 }, String);
  const inner = [fn("each2", "forEach", { list: "{{previous.values.Tags}}" }), fn("end2", "endLoop", {})];
  const path = pathOf(loopOf(inner), [
    "crm>each",
    "each>each2",
    "each2>end2",
    "end2>each2",
    "end2>end",
    "end>each",
    "end>core",
  ]);
  expect(completed(path([recordOf({ Tags: tags })], ENV)).map(({ failure }) => failure?.code)).toEqual([
    "too_many_turns",
  ]);
  expect(completed(path([recordOf({ Tags: tags.slice(0, 30) })], ENV)).map(({ failure }) => failure)).toEqual([null]);
});

test("a record may take a hundred thousand turns in all its loops together", () => {
  const tags = Array.from({ length: 400 }, String);
  const shorten: CompiledNode = (page) => {
    for (const record of page) setField(record, "Tags", tags.slice(0, 249));
    return "default";
  };
  const inner = [fn("each2", "forEach", { list: "{{previous.values.Tags}}" }), fn("end2", "endLoop", {})];
  const path = pathOf(
    loopOf([fn("shorten"), ...inner]),
    ["crm>each", "each>shorten", "shorten>each2", "each2>end2", "end2>each2", "end2>end", "end>each", "end>core"],
    { shorten },
  );
  const records = completed(path([recordOf({ Tags: tags })], ENV));
  expect(
    records.map(({ failure }) => failure),
    "400 turns, and 249 in each of them",
  ).toEqual([null]);
});

test("a way that divides again and again does not fill the memory: its record is quarantined", () => {
  const steps = Array.from({ length: 30 }, (_, index) => index);
  const nodes = steps.flatMap((step) => ["a", "b", "join"].map((name) => fn(`${name}${step}`, "mergePaths", {})));
  const edges = steps.flatMap((step) => {
    const before = step === 0 ? "crm" : `join${step - 1}`;
    return ["a", "b"].flatMap((name) => [`${before}>${name}${step}`, `${name}${step}>join${step}`]);
  });
  const codes = completed(pathOf(nodes, [...edges, "join29>core"])([recordOf({ Name: "x" })], ENV)).map(
    ({ failure }) => failure?.code,
  );
  expect(codes.length).toBeLessThan(3_000);
  expect(codes).toContain("too_many_copies");
});
