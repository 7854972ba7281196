/** What a comparison of two versions says: each setting before and after. */
import { compareGraphs, isSame } from "@accord/sync-engine/graph";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { graphDifferences } from "./graph-differences.ts";
import { inTexas, pipeline, withNode, withSettings, words } from "./graph-words.fixtures.ts";

const before = pipeline();
const found = (after: Graph) => graphDifferences(before, after, words);

test("[SYN-010] a condition that changed is named as it was and as it is, and nothing else is", () => {
  expect(found(withSettings(before, "filter", { condition: inTexas("Ohio") }))).toEqual([
    {
      key: "changed filter",
      mark: "changed",
      kind: "node",
      title: "Texas only",
      nodeId: "filter",
      settings: [{ label: "Condition", before: "State equals TX", after: "State equals Ohio" }],
    },
  ]);
  expect(found(pipeline())).toEqual([]);
});

test("rows of a mapping, times of reading and rules for duplicates are set side by side", () => {
  const changed = withSettings(before, "crm", {
    schedule: { kind: "cron", expression: "0 6 * * 1", timeZone: "Europe/Vienna" },
    fieldMappings: [
      { connectorField: "company_name", coreField: "name" },
      { connectorField: "mobile", coreField: "phone" },
    ],
  });
  expect(found(changed)[0]?.settings).toEqual([
    { label: "Field mapping: mobile", before: null, after: "Phone" },
    { label: "Look for changes", before: "Every 5 minutes", after: "0 6 * * 1 (Europe/Vienna)" },
    { label: "Field mapping: tel", before: "Phone", after: null },
  ]);
  expect(found(withSettings(before, "core", { authority: "SELECTED", selectedSource: "crm" }))[0]?.settings).toEqual([
    {
      label: "When systems disagree",
      before: "Trust systems in this order: Companies",
      after: "Trust one system; others only fill blanks: Companies",
    },
  ]);
  expect(found(withSettings(before, "billing", { delete: false, matchOn: "" }))[0]?.settings).toEqual([
    { label: "Delete records", before: "Yes", after: "No" },
    { label: "Find existing records by", before: "name", after: "Don't look, always create" },
  ]);
});

test("labels, descriptions and groups are named before and after; new and removed parts with what they hold", () => {
  const renamed = withNode(before, "title", { label: "Tidy name", description: "For letters.", groupId: null });
  expect(found(renamed)[0]?.settings).toEqual([
    { label: "Label", before: "Name in title case", after: "Tidy name" },
    { label: "Description", before: null, after: "For letters." },
    { label: "Group", before: "Cleaning", after: null },
  ]);
  const without = Graph.parse({
    ...before,
    nodes: before.nodes.filter(({ id }) => id !== "billing"),
    edges: before.edges.filter(({ destination }) => destination.nodeId !== "billing"),
    groups: [
      { id: "cleaning", name: "Tidying" },
      { id: "new", name: "New" },
    ],
  });
  expect(found(without).map(({ mark, kind, title }) => [mark, kind, title])).toEqual([
    ["removed", "node", "Customers"],
    ["removed", "connection", "Account → Customers"],
    ["added", "group", "New"],
    ["changed", "group", "Tidying"],
  ]);
  const [removed, , , group] = found(without);
  expect(removed?.settings).toContainEqual({ label: "Synapse", before: "Billing", after: null });
  expect(group?.settings).toEqual([
    { label: "Name of the group", before: "Cleaning", after: "Tidying" },
    { label: "Description", before: "Makes values comparable.", after: null },
  ]);
});

/** Keys that hold nothing else. */
const TEXTS = ["connectorId", "entityDefinition"];

test("no change of a setting goes unsaid, whichever it is and whatever it holds", () => {
  const values = [true, false, 7, "other", ["a"], { deep: { er: 1 } }, null];
  for (const node of before.nodes)
    for (const key of [...Object.keys(node.configuration), "somethingNew", "scheduleSeconds", "ranking", "merge"])
      for (const value of TEXTS.includes(key) ? ["other"] : values) {
        const after = withSettings(before, node.id, { [key]: value });
        if (isSame(compareGraphs(before, after))) continue;
        const [difference] = found(after);
        expect(difference?.settings.length, `${node.id}.${key} = ${JSON.stringify(value)}`).toBeGreaterThan(0);
        for (const setting of difference?.settings ?? [])
          expect(setting.before, `${node.id}.${setting.label}`).not.toBe(setting.after);
      }
});

test("no change of a setting goes unsaid beside another change of its node", () => {
  for (const node of before.nodes)
    for (const key of [...Object.keys(node.configuration), "somethingNew", "scheduleSeconds", "ranking", "merge"]) {
      const value = TEXTS.includes(key) ? "other" : { deep: { er: 1 } };
      const alone = withSettings(before, node.id, { [key]: value });
      if (isSame(compareGraphs(before, alone))) continue;
      const [difference] = found(withNode(alone, node.id, { label: "Another label" }));
      const others = difference?.settings.filter(({ after }) => after !== "Another label");
      expect(others?.length, `${node.id}.${key}`).toBeGreaterThan(0);
    }
});

test("an input that is called as the node's group stands beside it", () => {
  const named = {
    ...words,
    definition: () => ({
      label: "Match",
      inputs: [{ name: "group", label: words.t("node.group"), datatype: "string" }],
    }),
  };
  const one = withSettings(before, "title", { group: "1" });
  const two = withNode(withSettings(before, "title", { group: "2" }), "title", { groupId: "elsewhere" });
  const grouped = { ...two, groups: [...two.groups, { ...two.groups[0]!, id: "elsewhere", label: "Elsewhere" }] };
  const [difference] = graphDifferences(one, grouped, named);
  expect(difference?.settings.map((row) => row.after)).toEqual(expect.arrayContaining(["Elsewhere", "2"]));
});

test("a password in a configuration differs without being shown", () => {
  const secretly = {
    ...words,
    definition: () => ({ label: "Call", inputs: [{ name: "key", label: "Key", datatype: "password" }] }),
  };
  const one = withSettings(before, "title", { key: "first-secret" });
  const two = withSettings(before, "title", { key: "second-secret" });
  expect(JSON.stringify(graphDifferences(one, two, secretly))).not.toContain("secret");
  expect(graphDifferences(one, two, secretly)).toHaveLength(1);
});

const withCase = (cases: readonly object[], edges = before.edges): Graph =>
  Graph.parse({
    ...before,
    edges,
    nodes: [
      ...before.nodes,
      { id: "n", label: "Region", nodeType: "FUNCTION", apiName: "case", configuration: { cases } },
    ],
  });
const texas = { name: "South", dataType: "string", value: "S {{previous.values.name}}", filters: inTexas() };
const ohio = { name: "North", dataType: "string", value: "N", filters: inTexas("OH"), doNotMatchOnBlank: true };

test("[SYN-010] a case that changed is one line that says when it holds and what it gives; the others are none, and their order counts", () => {
  const settings = (after: Graph) => graphDifferences(withCase([texas, ohio]), after, words)[0]?.settings;
  expect(settings(withCase([{ ...texas, filters: inTexas("OK") }, ohio]))).toEqual([
    {
      label: "Case 1",
      before: "South: when State equals TX, gives S Name",
      after: "South: when State equals OK, gives S Name",
    },
  ]);
  expect(settings(withCase([texas]))).toEqual([
    { label: "Case 2", before: "North: when State equals OH and nothing of it is blank, gives N", after: null },
  ]);
  expect(settings(withCase([ohio, texas]))?.map(({ label }) => label)).toEqual(["Case 1", "Case 2"]);
});

test("[SYN-010] a connection that leaves by another branch is one line with both branches, and a row of a table reads as a sentence", () => {
  const [first, ...others] = before.edges;
  const moved = { ...before, edges: [{ ...first!, edgeType: "true" }, ...others] };
  expect(
    graphDifferences(moved, { ...before, edges: [{ ...first!, edgeType: "false" }, ...others] }, words),
  ).toMatchObject([
    { mark: "changed", kind: "connection", settings: [{ label: "Branch", before: "true", after: "false" }] },
  ]);
  const table = (pairs: object[]) =>
    Graph.parse({
      nodes: [{ id: "m", label: "Map", nodeType: "FUNCTION", apiName: "mapValues", configuration: { pairs } }],
      edges: [],
    });
  const after = table([
    { from: "AT", to: "Austria" },
    { from: "CH", to: "Switzerland" },
  ]);
  expect(graphDifferences(table([{ from: "AT", to: "Österreich" }]), after, words)[0]?.settings).toEqual([
    { label: "Table", before: "AT becomes Österreich", after: "AT becomes Austria; CH becomes Switzerland" },
  ]);
});

test("[SYN-010] a setting that no form shows is named in words, and nothing stands for what was not there", () => {
  const [difference] = found(withSettings(before, "crm", { scheduleSeconds: 60 }));
  expect(difference?.settings).toEqual([{ label: "Schedule seconds", before: null, after: "60" }]);
});
