/** How the description of a JSON API's entity is edited. */
import { HttpField } from "@accord/contracts/connections/http-entity";
import { describe, expect, test } from "vitest";
import {
  apiNameFrom,
  draftProblems,
  entitiesOf,
  NEW_ENTITY,
  PAGING_DEFAULTS,
  shownPartOf,
  takeProposal,
  withEntity,
  withoutField,
  withoutEntity,
} from "./http-entity.model.ts";

const field = (apiName: string, more = {}) => HttpField.parse({ apiName, displayName: apiName, ...more });
const complete = {
  ...NEW_ENTITY,
  apiName: "orders",
  displayName: "Orders",
  idField: "id",
  fields: [field("id")],
  list: { path: "/orders", paging: PAGING_DEFAULTS.page },
};

describe("the description of an entity", () => {
  test("a version that the API compares needs the call that reads one record, and one of the fields", () => {
    const getById = { path: "/orders/{{id}}" };
    const versionField = { kind: "versionField" as const, field: "version" };
    expect(draftProblems({ ...complete, concurrency: { kind: "etag" } }, [])).toHaveProperty("concurrency");
    expect(draftProblems({ ...complete, getById, concurrency: { kind: "etag" } }, [])).toEqual({});
    expect(draftProblems({ ...complete, getById, concurrency: versionField }, [])).toHaveProperty("concurrency.field");
    const fields = [...complete.fields, field("version")];
    expect(draftProblems({ ...complete, fields, getById, concurrency: versionField }, [])).toEqual({});
  });

  test("what no input shows is not saved: the end of a list that is one answer", () => {
    const stop = { maxRecords: 5, hasMoreSelector: "more" };
    const paged = { ...complete.list, stop };
    expect(shownPartOf({ ...complete, list: paged }).list).toMatchObject({ stop });
    const single = { path: "/orders", paging: PAGING_DEFAULTS.none, stop };
    const saved = withEntity({}, shownPartOf({ ...complete, list: { ...paged, changes: single } }), undefined);
    expect(entitiesOf(saved)[0]?.list.changes).toEqual({ path: "/orders", paging: { kind: "none" } });
    const none = withEntity({}, shownPartOf({ ...complete, list: single }), undefined);
    expect(entitiesOf(none)[0]?.list).toEqual({ path: "/orders", paging: { kind: "none" } });
  });

  test("names that point at no field are problems, and go with the field", () => {
    const lookup = { field: "note", path: "/orders?q={{value}}" };
    const marked = { ...complete, watermarkField: "note", deletedField: "note", lookup };
    expect(Object.keys(draftProblems(marked, []))).toEqual(["watermarkField", "deletedField", "lookup.field"]);
    const whole = { ...marked, fields: [field("id"), field("note")] };
    expect(draftProblems(whole, [])).toEqual({});
    const { draft, uses } = withoutField(whole, "note");
    expect(uses).toEqual(["watermarkField", "deletedField", "lookup"]);
    expect(draft).toEqual({ ...complete, watermarkField: null, deletedField: null, lookup: null });
    expect(withoutField(whole, "id")).toMatchObject({ uses: ["idField"], draft: { idField: "" } });
  });

  test("makes an API name from words", () => {
    expect(apiNameFrom("Kunden & Aufträge 2024")).toBe("kunden_auftrage_2024");
    expect(apiNameFrom("  9 lives ")).toBe("lives");
  });

  test("says what is missing, by place", () => {
    expect(Object.keys(draftProblems(NEW_ENTITY, []))).toEqual(
      expect.arrayContaining(["apiName", "displayName", "idField", "list.path"]),
    );
    expect(draftProblems(complete, [])).toEqual({});
    expect(draftProblems({ ...complete, idField: "gone" }, [])).toHaveProperty("idField");
    expect(draftProblems(complete, ["orders"])).toHaveProperty("apiName");
    expect(draftProblems({ ...complete, list: { path: "/o", paging: PAGING_DEFAULTS.cursor } }, [])).toHaveProperty(
      "list.paging.cursorSelector",
    );
  });

  test("takes a proposal without losing what a person changed", () => {
    const draft = { ...complete, idField: "", fields: [field("id", { displayName: "Order number" }), field("note")] };
    const proposed = [
      field("id", { isIdField: true }),
      field("changed", { dataType: "datetime", isWatermarkField: true }),
    ];
    const taken = takeProposal(draft, proposed, "data.items");
    expect(taken.fields?.map(({ displayName }) => displayName)).toEqual(["Order number", "changed", "note"]);
    expect(taken).toMatchObject({ idField: "id", watermarkField: "changed", list: { recordSelector: "data.items" } });
    expect(takeProposal({ ...draft, idField: "note" }, proposed, "$")).toMatchObject({
      idField: "note",
      list: { recordSelector: "" },
    });
  });

  test("takes its own place among the entities, also under a new name", () => {
    const config = withEntity(
      withEntity({ baseUrl: "x" }, complete, undefined),
      { ...complete, apiName: "other" },
      undefined,
    );
    const renamed = withEntity(config, { ...complete, apiName: "sales" }, "orders");
    expect(entitiesOf(renamed).map(({ apiName }) => apiName)).toEqual(["sales", "other"]);
    expect(entitiesOf(withoutEntity(renamed, "sales")).map(({ apiName }) => apiName)).toEqual(["other"]);
    expect(renamed["baseUrl"]).toBe("x");
  });
});
