/** What a plan says of a graph's nodes: their settings, what stands for what is left out, and what the graph does not allow. */
import { describe, expect, test } from "vitest";
import { BILLING, core, CRM, fn, graphOf } from "../../graph/graph.fixtures.ts";
import { placesOf } from "./endpoints.ts";
import { ConversionError, type Plan } from "./plan.ts";
import { schema, rows, at, from, into, planOf, straight, sinkOf } from "./fixtures/compile.ts";

const sourceOf = (more: object = {}, node: object = {}) => planOf(straight(from(more, node))).sources[0]!;

const plainSchedule = { kind: "minute" };

describe("a source", () => {
  test("is what its node says, with what is usual for what that leaves out", () => {
    expect(sourceOf()).toMatchObject({
      nodeId: "crm",
      label: "crm",
      place: { id: 1, connectorId: CRM, entity: "company", readFields: ["name"], writeFields: [], shared: [] },
      attach: [],
      acceptDeletes: true,
      schedule: plainSchedule,
      readMode: "drain",
      isAlsoSink: false,
      readDelayMs: 30,
      canGetById: true,
      listsAll: false,
    });
    expect(
      sourceOf({ acceptDeletes: false, readMode: "single", schedule: { kind: "interval", every: 5, unit: "hours" } }),
    ).toMatchObject({
      acceptDeletes: false,
      readMode: "single",
      schedule: { kind: "interval", every: 5, unit: "hours" },
    });
    expect(sourceOf({ scheduleSeconds: 90 }).schedule).toEqual({ kind: "interval", every: 90, unit: "seconds" });
  });

  test("is called by its label, else its name, else what it reads", () => {
    expect(sourceOf({}, { label: "Our CRM", name: "crm-1" }).label).toBe("Our CRM");
    expect(sourceOf({}, { label: "", name: "crm-1" }).label).toBe("crm-1");
    expect(sourceOf({}, { label: "", name: "" }).label).toBe("company");
    expect(sinkOf({}, { label: "Books", name: "b" }).label).toBe("Books");
    expect(sinkOf({}, { label: "", name: "b" }).label).toBe("b");
    expect(sinkOf({}, { label: "", name: "" }).label).toBe("company");
  });

  test("maps the fields that both sides know, references by the places that they name", () => {
    const { mappings } = sourceOf({
      fieldMappings: rows(
        "size>Size",
        "name>Name",
        "parent>Parent",
        "nobody>Name",
        "name>Nobody",
        "group>Parent",
        "parent>Name",
      ),
    });
    expect(
      mappings.map(({ connectorField, coreField, readIndex, reference, isProvisional }) => [
        `${connectorField}>${coreField}`,
        readIndex,
        reference && `${reference.connectorId}/${reference.entity}`,
        isProvisional,
      ]),
    ).toEqual([
      ["size>Size", 0, null, false],
      ["name>Name", 1, null, false],
      ["parent>Parent", 2, `${CRM}/company`, false],
      ["group>Parent", 4, null, false],
      ["parent>Name", 2, null, false],
    ]);
    const [size] = mappings;
    expect(size?.convert("5")).toBe(5);
    expect(size?.convert("five")).toBeInstanceOf(ConversionError);
  });

  test("attaches by the rules that lie behind it, not by those of others", () => {
    const rule = (id: string) =>
      fn(id, "advancedAttachRecord", {
        attachPredicate: {
          type: "condition",
          left: { kind: "field", field: "Name" },
          operator: "equals",
          right: [{ kind: "token", token: "previous.values.Name" }],
        },
      });
    const other = { ...from(), id: "other", configuration: at(BILLING, { fieldMappings: rows("name>Name") }) };
    const plan = planOf(
      graphOf(
        [from(), rule("mine"), other, rule("theirs"), core()],
        ["crm>mine", "mine>core", "other>theirs", "theirs>core"],
      ),
    );
    expect(plan.sources.map(({ nodeId, attach }) => [nodeId, attach.map((one) => one.nodeId)])).toEqual([
      ["crm", ["mine"]],
      ["other", ["theirs"]],
    ]);
    expect(plan.sources.map(({ isAlsoSink }) => isAlsoSink)).toEqual([false, false]);
  });
});

describe("a destination", () => {
  test("names what its fields are given and take: the same for the same, another where a field takes something else", () => {
    const { fits } = sinkOf();
    expect(sinkOf({}, {}, { writeBatchSize: 1, readDelayMs: 9 }).fits).toBe(fits);
    expect(sinkOf({ fieldMappings: rows("name>Size") }).fits).not.toBe(fits);
    const fields = schema.fields.map((field) => ({ ...field, length: 20 }));
    expect(sinkOf({}, {}, { schema: { ...schema, fields } }).fits).not.toBe(fits);
  });

  test("is what its node and its connector say", () => {
    expect(sinkOf()).toMatchObject({
      nodeId: "billing",
      place: { id: 2, connectorId: BILLING, writeFields: ["name"], readFields: [] },
      isActionsOnly: false,
      isPlain: true,
      create: true,
      update: true,
      delete: false,
      recreate: false,
      onlyChangedFields: true,
      matchOn: null,
      writeBatchSize: 10,
      readDelayMs: 30,
      idempotentCreate: true,
      canLookup: true,
    });
    expect(sinkOf().reads).toEqual(new Set(["Name"]));
    const other = { create: false, update: false, delete: true, recreate: true, onlyChangedFields: false };
    expect(sinkOf({ ...other, matchOn: "name" }, {}, { idempotentCreate: false, canLookup: false })).toMatchObject({
      ...other,
      matchOn: "name",
      idempotentCreate: false,
      canLookup: false,
    });
    expect(sinkOf({ matchOn: "" }).matchOn).toBeNull();
  });

  test("is written the fields that may be, some of them on creation only", () => {
    const { mappings } = sinkOf({
      fieldMappings: rows(
        "size>Size",
        "made>Name",
        "born>Name",
        "total>Name",
        "code>Name",
        "fixed>Name",
        "name>Nobody",
        "nobody>Name",
        "parent>Parent",
      ),
    });
    expect(
      mappings.map(({ connectorField, writeIndex, createOnly, isComputed, reference }) => [
        connectorField,
        writeIndex,
        createOnly,
        isComputed,
        reference?.connectorId ?? null,
      ]),
    ).toEqual([
      ["size", 0, false, false, null],
      ["made", 1, true, false, null],
      ["born", 2, true, false, null],
      ["code", 4, false, false, null],
      ["parent", 8, false, false, BILLING],
    ]);
    expect(mappings[0]?.convert("x")).toBeInstanceOf(ConversionError);
  });

  test("behind nodes that change values or may look at anything is notified of every change", () => {
    const behind = (...node: Parameters<typeof fn>) =>
      planOf(graphOf([from(), core(), fn(...node), into()], ["crm>core", "core>n", "n>billing"])).sinks[0]!;
    expect(behind("n", "upperCase")).toMatchObject({ isPlain: false, reads: null });
    const filter = {
      condition: {
        type: "condition",
        left: { kind: "field", field: "Size" },
        operator: "equals",
        right: [{ kind: "literal", value: 1 }],
      },
    };
    const { isPlain, reads } = behind("n", "filter", filter);
    expect([isPlain, reads]).toEqual([false, new Set(["Size", "Name"])]);
  });
});

describe("actions behind the core", () => {
  const log = { id: "log", label: "log", nodeType: "ACTION", apiName: "logMessage", configuration: { text: "x" } };

  test("that lead to no destination make one that nothing is written to", () => {
    const plan = planOf(graphOf([from(), core(), log], ["crm>core", "core>log"]));
    const [{ path: _road, ...only }, ...others] = plan.sinks as [Plan["sinks"][number]];
    expect(others).toEqual([]);
    expect(only).toEqual({
      nodeId: "core",
      label: "Account",
      place: { id: 2, connectorId: "actions", entity: "actions", readFields: [], writeFields: [], shared: [] },
      mappings: [],
      isActionsOnly: true,
      isPlain: false,
      reads: null,
      fits: "",
      create: false,
      update: false,
      delete: false,
      recreate: false,
      onlyChangedFields: true,
      matchOn: null,
      writeBatchSize: 200,
      readDelayMs: 0,
      idempotentCreate: true,
      canLookup: false,
    });
    const unnamed = { ...core(), label: "", name: "core-1" };
    expect(planOf(graphOf([from(), unnamed, log], ["crm>core", "core>log"])).sinks[0]?.label).toBe("core-1");
  });

  test("make none where there are none, or storage knows no place for them", () => {
    expect(planOf(straight(from())).sinks).toHaveLength(1);
    const graph = graphOf([from(), core(), log], ["crm>core", "core>log"]);
    const places = placesOf(graph).filter(({ connectorId }) => connectorId === CRM);
    const known = places.map((need, index) => ({
      ...need,
      id: index + 1,
      connectorName: "",
      schema: { ...schema, apiName: need.entity },
      writeBatchSize: 1,
      readDelayMs: 0,
      idempotentCreate: true,
      canLookup: false,
      canGetById: true,
      listsAll: false,
    }));
    expect(planOf(graph, { places: known }).sinks).toEqual([]);
  });
});

test("a text that is mapped to a reference column arrives as the id that it is, and what names no record is refused, not blanked", () => {
  const [text, reference] = [rows("parent>Name"), rows("name>Parent")];
  const plan = planOf(straight(from({ fieldMappings: reference }), into({ fieldMappings: text })));
  expect(
    plan.sinks[0]?.mappings.map(({ convert, reference: of }) => [
      of,
      convert("b1"),
      convert(7),
      convert(" "),
      convert(true),
    ]),
  ).toEqual([[null, "b1", "7", null, new ConversionError("not_a_reference")]]);
  const [read] = plan.sources[0]?.mappings ?? [];
  expect(read?.convert("b1")).toEqual(new ConversionError("not_a_reference"));
  expect(read?.convert(null)).toBe(null);
});
