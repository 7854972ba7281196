/** What a new pipeline would be by default: nothing left out unsaid, keys first, matched by what is unique. */
import { describe, expect, test } from "vitest";
import { BUYER_FIELDS, buyers, coreEntity, fieldOf, SHOP, shop } from "./new-pipeline.fixtures.ts";
import { previewColumns, previewRows, samplesOf } from "./preview.model.ts";
import {
  firstChoices,
  firstTarget,
  offeredTargets,
  proposalOf,
  type Choices,
  type ProposalOf,
} from "./proposal.model.ts";

const propose = (
  choices: Partial<Choices> = {},
  { entity = buyers(), ...more }: Partial<Omit<ProposalOf, "choices">> = {},
) =>
  proposalOf({
    connector: shop(),
    entity,
    target: undefined,
    existing: [],
    choices: { ...firstChoices(entity.schema), ...choices },
    ...more,
  });
const goesTo = ({ rows }: ReturnType<typeof propose>) =>
  rows.map(({ field, core, leftOut }) => `${field.apiName}: ${core?.apiName ?? leftOut}`);

describe("a new entity", () => {
  test("takes over every field there is, the key first, and says which one is gone", () => {
    expect(goesTo(propose())).toEqual([
      "id: id",
      "number: number",
      "name: name",
      "mail: mail",
      "spent: spent",
      "fax: inactive",
      "changed: changed",
    ]);
  });

  test("has no field for what a person leaves out, and its mapping names exactly the fields it would have", () => {
    const found = propose({ excluded: new Set(["spent"]) });
    expect(goesTo(found)).toContain("spent: excluded");
    expect(found.mappings.map(({ coreField }) => coreField)).toEqual(found.coreFields.map(({ apiName }) => apiName));
  });

  test("leaves out what the connector adds by itself, unless nothing else identifies rows", () => {
    const row = { displayName: "File and line", unique: true, isSystem: true };
    const found = propose({}, { entity: buyers([fieldOf("row", row), ...BUYER_FIELDS]) });
    expect(goesTo(found)).toContain("row: system");
    expect(found.matchOn).toEqual(["number"]);
    const asKey = propose({}, { entity: buyers([fieldOf("name"), fieldOf("row", { ...row, isIdField: true })]) });
    expect(goesTo(asKey)).toEqual(["row: row", "name: name"]);
  });

  test.each([
    ["notInModel", { referenceTo: "sellers" }, []],
    ["unknownTarget", {}, []],
    [undefined, { referenceTo: "sellers" }, [{ connectorId: SHOP, entityApiName: "sellers" }]],
    [undefined, { referenceTo: "buyers" }, []],
    ["notInModel", { referenceTo: "sellers" }, [{ connectorId: "6".repeat(24), entityApiName: "sellers" }]],
  ])("says %s of a reference with %j where %j is held", (why, more, held) => {
    const { rows } = propose(
      {},
      {
        entity: buyers([fieldOf("seller", { dataType: "reference", ...more })]),
        existing: held.map((madeFrom) => coreEntity([], { madeFrom })),
      },
    );
    expect(rows.map(({ lostReference }) => lostReference)).toEqual([why]);
  });

  test("gets legal names, and references to entities made from the same system", () => {
    const fields = [
      fieldOf("invoice-no."),
      fieldOf("seller", { dataType: "reference", referenceTo: "sellers" }),
      fieldOf("region", { dataType: "reference", referenceTo: "regions" }),
    ];
    const sellers = coreEntity([], { apiName: "Seller", madeFrom: { connectorId: SHOP, entityApiName: "sellers" } });
    const { rows } = propose({}, { entity: buyers(fields), existing: [sellers] });
    expect(rows.map(({ core }) => [core?.apiName, core?.dataType, core?.referenceTo])).toEqual([
      ["invoice_no", "string", undefined],
      ["seller", "reference", "Seller"],
      ["region", "string", undefined],
    ]);
  });
});

describe("an existing entity", () => {
  const target = coreEntity([
    fieldOf("fullName", { displayName: "Name" }),
    fieldOf("email"),
    fieldOf("spent", { dataType: "date" }),
    fieldOf("note"),
  ]);

  test("is filled by names that mean the same, and each field without a place says why", () => {
    expect(goesTo(propose({}, { target }))).toEqual([
      "id: noField",
      "number: noField",
      "name: fullName",
      "mail: email",
      "spent: typeDiffers",
      "fax: inactive",
      "changed: noField",
    ]);
  });

  test("takes a field where a person wants it, and no other goes there", () => {
    const found = propose({ chosen: new Map([["number", "email"]]) }, { target });
    expect(goesTo(found)).toContain("number: email");
    expect(goesTo(found)).toContain("mail: noField");
  });
});

describe("matching", () => {
  test("compares what is unique, never the system's own id, which another system counts by itself", () => {
    expect(propose().matchOn).toEqual(["number"]);
  });

  test("falls back to an e-mail address, else a record is always created", () => {
    const without = (...names: string[]) =>
      propose({}, { entity: buyers(BUYER_FIELDS.filter(({ apiName }) => !names.includes(apiName))) }).matchOn;
    expect(without("number")).toEqual(["mail"]);
    expect(without("number", "mail")).toEqual([]);
  });

  test("follows a person, as far as the fields are mapped", () => {
    expect(propose({ matchOn: ["mail", "name"] }).matchOn).toEqual(["mail", "name"]);
    expect(propose({ matchOn: ["mail", "name"], excluded: new Set(["name"]) }).matchOn).toEqual(["mail"]);
    expect(propose({ matchOn: [] }).matchOn).toEqual([]);
  });
});

describe("the way back", () => {
  test("writes what the system lets be written, and neither its id nor its times", () => {
    const { back, noWayBack } = propose();
    expect(back.map(({ connectorField }) => connectorField)).toEqual(["number", "name", "mail", "spent"]);
    expect(noWayBack).toBeUndefined();
  });

  test("is not offered where nothing can be written, with the reason", () => {
    expect(propose({}, { entity: buyers(undefined, { readOnly: true }) }).noWayBack).toBe("entityReadOnly");
    expect(propose({}, { connector: shop([]) }).noWayBack).toBe("systemReadOnly");
    const others = new Set(["number", "name", "mail", "spent"]);
    expect(propose({ excluded: others }).noWayBack).toBe("noWritableField");
  });
});

test("an unpublished draft made from the same entity is offered first, and not chosen by itself", () => {
  const origin = { connectorId: SHOP, entityApiName: "buyers" };
  const draft = { version: 0, state: "NEW" as const };
  const begun = coreEntity([], { id: "b".repeat(24), madeFrom: origin, ...draft });
  const elsewhere = coreEntity([], { id: "c".repeat(24), madeFrom: { ...origin, entityApiName: "sellers" }, ...draft });
  const [free, mapped] = ["d", "a"].map((letter) => coreEntity([], { id: letter.repeat(24) }));
  if (!free || !mapped) throw new Error("no entities");
  const known = { existing: [mapped, elsewhere, begun, free], published: [mapped, free], unmapped: [free.id] };
  expect(offeredTargets(shop(), buyers(), known)).toEqual([begun, free]);
  // Nobody publishes it without having chosen it.
  expect(firstTarget(shop(), buyers(), [begun, free])).toBeUndefined();
  const published = coreEntity([], { id: "1".repeat(24), madeFrom: origin });
  expect(firstTarget(shop(), buyers(), [begun, free, published])).toBe(published);
});

test("the preview shows values as the core would hold them, and which would be refused", () => {
  const target = coreEntity([fieldOf("spent", { dataType: "integer" }), fieldOf("name", { length: 3 })]);
  const columns = previewColumns(propose({}, { target }).rows);
  expect(columns.map(({ core }) => core.apiName)).toEqual(["name", "spent"]);
  expect(previewRows(columns, [{ name: "Ann", spent: "12.00" }, { name: "Annabel", spent: "12.5" }, {}])).toEqual([
    [{ value: "Ann" }, { value: 12 }],
    [
      { refused: "too_long", value: "Annabel" },
      { refused: "fraction_in_integer", value: "12.5" },
    ],
    [{ value: null }, { value: null }],
  ]);
});

test("samples are different values, without blanks", () => {
  const records = ["a", "a", "", null, "b", "c", "d"].map((name) => ({ name }));
  expect(samplesOf(fieldOf("name"), records)).toEqual(["a", "b", "c"]);
});
