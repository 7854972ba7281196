/** Old rows of a system without times of change, read for the first time after somebody edited another system. */
import { describe, expect, test } from "vitest";
import { inboundRecordOf, momentOf, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { PipelineDriver, START, moment, type Authority } from "@accord/sync-simulation/testing";

import { seenFingerprint } from "../../state/fingerprint.ts";
import { agesOf, type Following } from "./unknown-change-time.ts";

const ADA = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
const DAY = 86_400_000;
const [FROM_A, FROM_B] = ["source-A", "source-B"];

/** A tells times of change, B does not; both held the same contact long before it was published. */
function published(authority: Authority, there: object = {}, canLookup = false): PipelineDriver {
  const systems = [{ reportsModifiedAt: true, canLookup }, { canLookup }];
  const driver = new PipelineDriver({ systems, authority });
  driver.publishedAt = moment(START);
  for (const nodeId of [FROM_A, FROM_B]) driver.awaitsHistory.add(nodeId);
  driver.system("A").insert(ADA, START - DAY);
  driver.system("B").insert({ ...ADA, ...there }, START - DAY);
  driver.cycle();
  return driver;
}

const edit = (driver: PipelineDriver, system: string, name: string | null): void => {
  driver.now += 5_000;
  driver.system(system).update(`${system}1`, { name }, driver.now);
  driver.now += 5_000;
};
const names = (driver: PipelineDriver) => ["A", "B"].map((system) => driver.row(system)["name"]);
const listed = ({ store }: PipelineDriver) => [...store.conflicts.values()];

describe.each(["NONE", "LATEST"] as const)("under %s", (authority) => {
  test.each([
    ["known to the core when the old row is read", true],
    ["read after the old row", false],
  ])("an edit stays that was made since it was published: %s", (_, isKnown) => {
    const driver = published(authority);
    const [first, second] = isKnown ? [FROM_A, FROM_B] : [FROM_B, FROM_A];
    if (isKnown) driver.bringIn([first]);
    edit(driver, "A", "Countess");
    if (isKnown) driver.cycle();
    else driver.bringIn([first]);
    const { problems } = driver.bringIn([second]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
    const isNamed = problems.some(({ code }) => code === "edited_at_once") || listed(driver).length > 0;
    if (isKnown) expect(isNamed, "the value that was not taken is named").toBe(true);
  });

  test("an edit stays that was made before its own first reading", () => {
    const driver = published(authority);
    edit(driver, "A", "Countess");
    driver.bringIn([FROM_A]);
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("an edit stays where a look-up finds the old row before it is read", () => {
    const driver = published(authority, {}, true);
    driver.bringIn([FROM_A]);
    edit(driver, "A", "Countess");
    driver.settle();
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("an edit of the system without times stays", () => {
    const driver = published(authority);
    edit(driver, "B", "Countess");
    driver.bringIn();
    expect(names(driver)).toEqual(["Countess", "Countess"]);
  });

  test("what differed before is taken from the one without times, as ever", () => {
    const driver = published(authority, { name: "Ada of B" });
    driver.bringIn([FROM_A]);
    driver.bringIn([FROM_B]);
    expect(names(driver)).toEqual(["Ada of B", "Ada of B"]);
  });

  test("an edit of the system without times after its first reading goes over everything", () => {
    const driver = published(authority);
    edit(driver, "A", "Countess");
    driver.bringIn();
    edit(driver, "B", "Lovelace");
    driver.settle();
    expect(names(driver)).toEqual(["Lovelace", "Lovelace"]);
  });
});

test("both are in the record's history, and the one that was kept out is named", () => {
  const driver = published("NONE");
  driver.bringIn([FROM_A]);
  edit(driver, "A", "Countess");
  driver.cycle();
  const { problems } = driver.bringIn([FROM_B]);
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "edited_at_once",
      targetId: "name",
      detail: '"Countess" was kept, not "Ada" of record B1',
    }),
  );
  const refused = driver.store.ledger.flatMap((entry) => (entry.refused ? [entry.refused] : []));
  expect(refused).toEqual([{ name: ["Ada", "older"] }]);
});

test("under ranks the rank decides, however old a value is", () => {
  const driver = published("RANKED");
  driver.bringIn([FROM_B]);
  edit(driver, "B", "Countess");
  driver.cycle();
  driver.bringIn([FROM_A]);
  expect(names(driver)).toEqual(["Ada", "Ada"]);
});

describe("since when a record's values may stand", () => {
  const { source } = twoSystems();
  const [BEFORE, SINCE, AFTER, LATER] = [momentOf(0), momentOf(10), momentOf(20), momentOf(30)];
  const FIRST_LOAD = { since: SINCE, joinedAfter: null, isReadWhole: false, isOfAll: true, isFirstLoad: true };
  const ages = (modifiedAt: string | null, following: Partial<Following> = {}, more: object = {}) => {
    const record = { id: "A1", values: ADA, ...(modifiedAt === null ? {} : { modifiedAt }) };
    return agesOf(source, inboundRecordOf({ record, ...more }), { ...FIRST_LOAD, ...following }, LATER);
  };
  const NOT_KNOWN = { old: null, enteredAt: null };

  test("a new record's are as old as its time of change says; what was changed since the pipeline follows was entered then", () => {
    const old = (at: string) => expect.objectContaining({ at, isOfJoined: false });
    expect(ages(BEFORE)).toEqual({ old: old(BEFORE), enteredAt: null });
    expect(ages(SINCE), "as old as the pipeline's beginning is no change since").toEqual({
      old: old(SINCE),
      enteredAt: null,
    });
    expect(ages(AFTER)).toEqual({ old: old(AFTER), enteredAt: AFTER });
    expect(ages(AFTER).old?.has("any field")).toBe(true);
    expect(ages(AFTER, { isFirstLoad: false }), "once all sources were read, nothing is of unknown age").toEqual(
      NOT_KNOWN,
    );
  });

  test("without a time of change they count as set when the pipeline began to follow; a later page's were entered now", () => {
    expect(ages(null)).toEqual({ old: expect.objectContaining({ at: SINCE, isOfJoined: false }), enteredAt: null });
    expect(ages(null, { isOfAll: false })).toEqual({ old: null, enteredAt: LATER });
    expect(ages(null, { isFirstLoad: false })).toEqual({
      old: expect.objectContaining({ at: SINCE }),
      enteredAt: null,
    });
    expect(ages(null, { isOfAll: false, isFirstLoad: false })).toEqual(NOT_KNOWN);
  });

  test("those of a source that joined a running pipeline may be as old as that", () => {
    const joined = { joinedAfter: BEFORE };
    expect(ages(null, joined).old).toMatchObject({ at: BEFORE, isOfJoined: true });
    expect(ages(AFTER, joined).old, "its time of change says when they were set").toMatchObject({
      at: AFTER,
      isOfJoined: false,
    });
    const read = { link: storedLink({ seen: "a.program" }) };
    expect(ages(null, joined, read).old?.isOfJoined, "it was read before").not.toBe(true);
  });

  test("of a record that was read before, a field that is read since and that nobody writes there may be old", () => {
    const unwritten = { ...source, place: { ...source.place, shared: [] } };
    const fields = source.place.readFields.slice(0, -1);
    const link = storedLink({ seen: seenFingerprint(source.program, fields, ADA) });
    const record = { id: "A1", values: ADA };
    const { old } = agesOf(unwritten, inboundRecordOf({ record, link, seen: "" }), FIRST_LOAD, LATER);
    expect(source.place.readFields.filter((field) => old?.has(field))).toEqual(source.place.readFields.slice(-1));
  });

  test("nothing is said of records that are back, and before a source is followed", () => {
    expect([ages(AFTER, { since: null }), ages(AFTER, {}, { isBack: true })]).toEqual([NOT_KNOWN, NOT_KNOWN]);
  });

  test("a known record's change was entered now, whatever its time of change says", () => {
    const link = storedLink({ seen: "a.program" });
    expect(ages(AFTER, {}, { link })).toEqual({ old: null, enteredAt: LATER });
    expect(ages(BEFORE, {}, { link }).enteredAt).toBe(LATER);
    expect(ages(AFTER, { isFirstLoad: false }, { link })).toEqual(NOT_KNOWN);
  });
});
