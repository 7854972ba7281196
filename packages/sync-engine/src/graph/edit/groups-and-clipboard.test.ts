/** Grouping nodes, and copying them within and between pipelines. */
import { describe, expect, test } from "vitest";
import { copySelection, danglingLogic, pastableNodes, paste, type Clipboard } from "./clipboard.ts";
import { addGroup, setGroup, ungroup } from "./edits.ts";
import { whyGroupRefused } from "./groups.ts";
import { core, fn, graphOf, sink, source } from "../graph.fixtures.ts";

const HERE = { instanceId: "one", scope: "entity" } as const;
let counter = 0;
const newId = () => `made-id-${String(++counter).padStart(8, "0")}`;

const graph = () =>
  graphOf(
    [source("crm"), fn("a"), fn("b"), core(), fn("c"), sink("billing")],
    ["crm>a", "a>b", "b>core", "core>c", "c>billing"],
  );
const group = (id: string, name: string) => ({ ...graphOf([], [], [{ id, name }]).groups[0]! });

function copied(from: ReturnType<typeof graph>, ids: string[]): Clipboard {
  const result = copySelection(from, new Set(ids), HERE);
  if (!result.ok) throw new Error(result.reason);
  return result.clipboard;
}

describe("groups", () => {
  test("[SYN-087] no groups in groups, no core nodes, one group a node", () => {
    const grouped = addGroup(graph(), group("g1", "Clean"), ["a"]);
    if (!grouped.ok) throw new Error(grouped.reason);
    expect(whyGroupRefused(grouped.graph, ["b", "g1"])).toBe("group_in_group");
    expect(whyGroupRefused(graph(), ["b", "core"])).toBe("group_has_core");
    expect(whyGroupRefused(grouped.graph, ["a", "b"])).toBe("node_in_other_group");
  });

  test("[SYN-088] members stand on one side and are connected alike", () => {
    expect(whyGroupRefused(graph(), ["a", "c"])).toBe("multiple_sides");
    expect(whyGroupRefused(graph(), ["a", "b"])).toBeNull();
    const fan = graphOf([source("x"), source("y"), fn("a"), fn("b"), core()], ["x>a", "y>b", "a>core", "b>core"]);
    expect(whyGroupRefused(fan, ["a", "b"])).toBe("source_mismatch");
    const split = graphOf([source("x"), fn("a"), fn("b"), fn("d"), core()], ["x>a", "x>b", "a>core", "b>d", "d>core"]);
    expect(whyGroupRefused(split, ["a", "b"])).toBe("destination_mismatch");
    const both = graphOf(
      [source("x"), source("y"), fn("a"), fn("b"), fn("d"), core()],
      ["x>a", "y>b", "a>core", "b>d", "d>core"],
    );
    expect(whyGroupRefused(both, ["a", "b"])).toBe("invalid_connections");
  });

  test("a group lists its members, and loses them when ungrouped or moved out", () => {
    const grouped = addGroup(graph(), group("g1", "Clean"), ["a", "b"]);
    if (!grouped.ok) throw new Error(grouped.reason);
    expect(grouped.graph.groups[0]).toMatchObject({ name: "Clean", childNodeSummary: "a, b", collapsed: false });
    const out = setGroup(grouped.graph, ["b"], null);
    if (!out.ok) throw new Error(out.reason);
    expect(out.graph.groups[0]?.childNodeSummary).toBe("a");
    expect(ungroup(out.graph, "g1").nodes.every((node) => !node.groupId)).toBe(true);
  });
});

describe("joining and leaving groups", () => {
  const made = (from: ReturnType<typeof graph>, id: string, members: string[]) => {
    const grouped = addGroup(from, group(id, id), members);
    if (!grouped.ok) throw new Error(grouped.reason);
    return grouped.graph;
  };
  const chain = () =>
    graphOf(
      [source("crm"), fn("a"), fn("b"), fn("c"), fn("d"), core(), fn("after"), sink("billing")],
      ["crm>a", "a>b", "b>c", "c>d", "d>core", "core>after", "after>billing"],
    );
  const groupsOf = (edited: ReturnType<typeof setGroup>) =>
    edited.ok ? edited.graph.nodes.flatMap(({ id, groupId }) => (groupId ? [`${id} ${groupId}`] : [])) : edited.reason;

  test("[SYN-072] nodes join a group, also out of another one, and leave it", () => {
    const two = made(made(chain(), "g1", ["a"]), "g2", ["c", "d"]);
    expect(groupsOf(setGroup(two, ["b"], "g1"))).toEqual(["a g1", "b g1", "c g2", "d g2"]);
    const moved = setGroup(two, ["b", "c"], "g1");
    expect(groupsOf(moved)).toEqual(["a g1", "b g1", "c g1", "d g2"]);
    expect(moved.ok && moved.graph.groups.map(({ childNodeSummary }) => childNodeSummary)).toEqual(["a, b, c", "d"]);
    expect(groupsOf(setGroup(two, ["d"], null))).toEqual(["a g1", "c g2"]);
    const emptied = setGroup(two, ["a"], null);
    expect(emptied.ok && emptied.graph.groups.map(({ id }) => id)).toEqual(["g2"]);
  });

  test("[SYN-087] [SYN-088] what can't be grouped can't join either: the core entity, the other side, a whole group", () => {
    const two = made(made(chain(), "g1", ["a", "b"]), "g2", ["c", "d"]);
    expect(groupsOf(setGroup(two, ["core"], "g1"))).toBe("group_has_core");
    expect(groupsOf(setGroup(two, ["after"], "g1"))).toBe("multiple_sides");
    expect(groupsOf(setGroup(two, ["c", "d"], "g1"))).toBe("group_in_group");
    const fan = graphOf([source("x"), source("y"), fn("a"), fn("b"), core()], ["x>a", "y>b", "a>core", "b>core"]);
    expect(groupsOf(setGroup(made(fan, "g1", ["a"]), ["b"], "g1"))).toBe("source_mismatch");
  });
});

describe("copy and paste", () => {
  test("[SYN-082] only functions and actions are copied, with the edges among them", () => {
    const clipboard = copied(graph(), ["crm", "a", "b"]);
    expect([clipboard.copyNodes.length, clipboard.copyEdges.length]).toEqual([2, 1]);
    expect(copySelection(graph(), new Set(["crm", "core"]), HERE)).toEqual({ ok: false, reason: "invalid_selection" });
  });

  test("[SYN-083] a decision is not copied away from what it is connected to", () => {
    const decided = graphOf(
      [source("crm"), fn("big", "predicate"), fn("a"), core()],
      ["crm>big", "big>a:true", "a>core"],
    );
    expect(danglingLogic(decided, new Set(["big", "a"]))?.id).toBe("big");
    expect(copySelection(decided, new Set(["big"]), HERE)).toEqual({
      ok: false,
      reason: "action_dangling_not_allowed",
    });
  });

  test("[SYN-084] pasting needs a clipboard of the same instance and the same kind of pipeline", () => {
    const clipboard = copied(graph(), ["a"]);
    expect(paste(graph(), null, HERE, newId)).toEqual({ ok: false, reason: "no_clipboard_data_found" });
    expect(paste(graph(), clipboard, { ...HERE, instanceId: "two" }, newId)).toEqual({
      ok: false,
      reason: "invalid_paste_scope_instance",
    });
    expect(paste(graph(), clipboard, { ...HERE, scope: "field" }, newId)).toEqual({
      ok: false,
      reason: "invalid_paste_scope_pipeline_entity",
    });
  });

  test("what may be removed once it was cut is what pasting brings back, and nothing else", () => {
    const whole = graphOf(
      [source("crm"), fn("a"), fn("each", "forEach"), fn("b"), fn("end", "endLoop"), core(), sink("billing")],
      ["crm>a", "a>each", "each>b", "b>end", "end>each", "each>core", "core>billing"],
    );
    const clipboard = copied(
      whole,
      whole.nodes.map(({ id }) => id),
    );
    const pasted = paste(whole, clipboard, HERE, newId);
    expect(pastableNodes(clipboard).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(pasted).toMatchObject({ ok: true, skipped: 2 });
  });

  test("[SYN-085] loops stay behind; the rest lands beside the originals", () => {
    const looped = graphOf([fn("each", "forEach"), fn("a"), fn("end", "endLoop")], ["each>a", "a>end", "end>each"]);
    const result = paste(looped, copied(looped, ["each", "a", "end"]), HERE, newId);
    if (!result.ok) throw new Error(result.reason);
    expect([result.pasted.length, result.skipped]).toEqual([1, 2]);
    const [original, copy] = [looped.nodes[1]!, result.graph.nodes.at(-1)!];
    expect(copy.location).toEqual({ x: original.location.x + 40, y: original.location.y + 40 });
    expect(copy.label).toBe("a 1");
  });

  test("tokens that name a copied node name its copy, each once; others stay", () => {
    const reading = (id: string, label: string, value: string) => ({ ...fn(id, "upperCase", { value }), label });
    const chained = graphOf(
      [
        source("crm"),
        fn("a"),
        reading("b", "a 1", "{{Value From a}}"),
        reading("z", "z", "{{Value From a 1}} {{crm.name}}"),
        core(),
      ],
      ["crm>a", "a>b", "b>z", "z>core"],
    );
    const result = paste(chained, copied(chained, ["a", "b", "z"]), HERE, newId);
    if (!result.ok) throw new Error(result.reason);
    const copies = result.graph.nodes.filter(({ id }) => result.pasted.includes(id));
    expect(copies.map(({ label, configuration }) => [label, configuration["value"]])).toEqual([
      ["a 2", undefined],
      ["a 3", "{{Value From a 2}}"],
      ["z 1", "{{Value From a 3}} {{crm.name}}"],
    ]);
    const lone = paste(chained, copied(chained, ["z"]), HERE, newId);
    expect(lone.ok && lone.graph.nodes.at(-1)?.configuration["value"]).toBe("{{Value From a 1}} {{crm.name}}");
  });

  test("[SYN-086] groups come along with their members, under a name of their own", () => {
    const grouped = addGroup(graph(), group("g1", "G"), ["a", "b"]);
    if (!grouped.ok) throw new Error(grouped.reason);
    const result = paste(grouped.graph, copied(grouped.graph, ["a", "b"]), HERE, newId);
    if (!result.ok) throw new Error(result.reason);
    expect(result.graph.groups.map((item) => item.name)).toEqual(["G", "G 1"]);
    expect(result.graph.groups[1]?.childNodeSummary).toBe("a 1, b 1");
    const without = copied(grouped.graph, ["a", "b"]);
    without.copyNodes = without.copyNodes.map((node) => ({ ...node, groupId: null }));
    const alone = paste(grouped.graph, without, HERE, newId);
    expect(alone.ok && alone.graph.groups).toHaveLength(1);
  });
});
