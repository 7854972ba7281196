/** A page as it was read: one version of each record, its fingerprint, and what has to be looked up of it. */
import { describe, expect, test } from "vitest";
import { momentOf } from "../../protocol/fixtures/stored.ts";
import { fingerprintPage, resolveRequest } from "./fingerprint-page.ts";
import { ADA, ada, family, pageOf, printOf, source } from "./page.fixtures.ts";

describe("of several versions of a record in one page", () => {
  const versions = (first?: string, second?: string, isCurrent = false): string => {
    const made = [first, second].map((modifiedAt, index) =>
      ada({ values: { name: `${index}` }, ...(modifiedAt === undefined ? {} : { modifiedAt }) }),
    );
    const { records } = fingerprintPage(source, { ...pageOf(...made), isCurrent });
    expect(records).toHaveLength(1);
    return String(records[0]?.values["name"]);
  };

  test("the one that was changed last counts, the later one where that is unknown or the same", () => {
    expect(versions(momentOf(2), momentOf(1))).toBe("0");
    expect(versions(momentOf(1), momentOf(2))).toBe("1");
    expect(versions(momentOf(1), momentOf(1))).toBe("1");
    expect(versions(momentOf(1))).toBe("1");
    expect(versions(undefined, momentOf(1))).toBe("1");
  });

  test("the later one always counts where the source shows how records stand now", () => {
    expect(versions(momentOf(2), momentOf(1), true)).toBe("1");
  });
});

describe("a page as it is seen", () => {
  test("has a fingerprint for each record that lives, by the program that reads it", () => {
    const seen = fingerprintPage(source, pageOf(ada(), { id: "A2", values: {}, deleted: true }));
    expect(seen.seen).toEqual([printOf(), ""]);
    expect(seen.seen[0]?.slice(0, 8)).toBe(source.program.slice(0, 8));
    expect(seen).toMatchObject({ isReplay: false, isCurrent: false, bad: [], warnings: [] });
    expect(fingerprintPage(source, pageOf(ada()), { isReplay: true }).isReplay).toBe(true);
    expect([seen.askedAt, fingerprintPage(source, pageOf(ada()), { askedAt: 7 }).askedAt], "0: nobody knows").toEqual([
      0, 7,
    ]);
  });

  test("says of a record whose characters can't be stored that they were replaced", () => {
    const { warnings, records } = fingerprintPage(source, pageOf(ada({ values: { ...ADA, name: "A\u0000da" } })));
    expect(records[0]?.values["name"]).toBe("A\ufffdda");
    expect(warnings).toEqual([
      {
        nodeId: source.nodeId,
        code: "characters_replaced",
        message: "Characters of name that can't be stored were replaced by “\ufffd”.",
        record: "A1",
      },
    ]);
  });
});

test("storage is asked for the records of a page and for those they name, each once", () => {
  const records = [
    ada({ values: { ...ADA, boss: "7" } }),
    ada({ id: "A2", values: { ...ADA, boss: "7" } }),
    ada({ id: "A3", values: { ...ADA, boss: 8 } }),
    ada({ id: "A4", values: { ...ADA, boss: "" } }),
    ada({ id: "A5", values: { ...ADA, boss: null } }),
    ada({ id: "A6" }),
    ada({ id: "A7", values: { ...ADA, boss: "9" }, deleted: true }),
  ];
  const request = resolveRequest(family, fingerprintPage(family, pageOf(...records)), true);
  expect(request).toMatchObject({ placeId: family.place.id, absorb: true });
  expect(request.records.map(({ externalId, deleted }) => [externalId, deleted])).toEqual([
    ["A1", false],
    ["A2", false],
    ["A3", false],
    ["A4", false],
    ["A5", false],
    ["A6", false],
    ["A7", true],
  ]);
  expect(request.references).toEqual([{ connectorId: "A", entity: "contact", externalIds: ["7", "8"] }]);
  expect(resolveRequest(family, fingerprintPage(family, pageOf(ada())), false)).toMatchObject({
    absorb: false,
    references: [],
  });
  expect(resolveRequest(source, fingerprintPage(source, pageOf(ada())), false).references).toEqual([]);
});
