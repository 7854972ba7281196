/** What the path behind the core makes of a record before it is compared: references, fields' own pipelines, actions. */
import { describe, expect, test } from "vitest";
import { writtenFingerprint } from "../state/fingerprint.ts";
import { beginPreparation, finishPreparation, resumePreparation } from "./prepare-writes.ts";
import { type SinkPlan } from "../plan/plan.ts";
import { claimedDelivery, claimedOf, storedLink, storedRecord } from "../protocol/fixtures/stored.ts";
import type { ClaimedDelivery } from "../protocol/storage.ts";
import { sink, family, ENV, ADA, preparedWrites, sent, withMapping } from "./fixtures/prepare-writes.ts";

describe("a value made by a field's own pipeline", () => {
  const computed = withMapping(({ connectorField }) => ({ isComputed: connectorField === "name" }));

  test("is told where there is one; where nothing came through, nothing is said of the field", () => {
    expect(sent({ ...ADA, name: "Eve" }, { ...ADA, phone: null, note: null }, computed)).toEqual({ name: "Eve" });
    expect(sent({ email: ADA.email, phone: "1" }, { ...ADA, note: null }, computed)).toEqual({ phone: "1" });
    // Of others a missing value is a blank one.
    expect(sent({ email: ADA.email }, { ...ADA, phone: null, note: null }, sink)).toEqual({ name: null });
  });
});

describe("a reference", () => {
  const record = storedRecord({ values: { ...ADA, boss: "r9" } });
  const known = { references: new Map([["A/contact", new Map([["r9", "A9"]])]]) };

  test("is told by its name there; one that is not there yet is left out, and waited for", () => {
    expect(preparedWrites({ record, link: null }, family, known).pendingWrites[0]).toMatchObject({
      values: { boss: "A9" },
      waits: [],
    });
    const [pendingWrite] = preparedWrites({ record, link: null }, family).pendingWrites;
    expect(pendingWrite?.values).toEqual(ADA);
    expect(pendingWrite?.waits).toEqual([{ connectorId: "A", entity: "contact", targetId: "r9" }]);
  });

  test("that is all there is to tell is waited for as well; a blank one is for nothing", () => {
    const all = writtenFingerprint(family.place.writeFields, { ...ADA, phone: null, note: null });
    expect(preparedWrites({ record, link: storedLink({ lastWritten: all }) }, family).settled).toMatchObject([
      { result: "done", waits: [{ targetId: "r9" }] },
    ]);
    const blank = preparedWrites({ record: storedRecord(), link: storedLink({ lastWritten: all }) }, family);
    expect(blank.pendingWrites[0]).toMatchObject({ values: { boss: null }, waits: [] });
  });
});

describe("the path behind the core", () => {
  const pathOf = (change: (flow: { values: object; failure: unknown }) => object | null): SinkPlan => ({
    ...sink,
    path: (page) => ({
      state: "completed",
      completed: page.flatMap((flow) => {
        const changed = change(flow);
        return changed ? [{ ...flow, ...changed }] : [];
      }),
      deferredActions: [],
      executedActions: [],
    }),
  });

  test("gets the record as it stands, and whether it is there already", () => {
    const flowsOf = (delivery: Partial<ClaimedDelivery>, at: SinkPlan = sink) => {
      const { execution } = beginPreparation(at, claimedOf([claimedDelivery(delivery)]), ENV);
      return execution.state === "completed" ? execution.completed : [];
    };
    expect(flowsOf({})).toMatchObject([
      { values: ADA, source: null, recordId: "r1", before: null, change: "update", occurrenceKey: "3" },
    ]);
    expect(flowsOf({ link: null })).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ link: storedLink({ dead: true }) })).toMatchObject([{ change: "insert" }]);
    const actions = { ...sink, isActionsOnly: true };
    expect(flowsOf({ record: storedRecord({ version: 1 }) }, actions)).toMatchObject([{ change: "insert" }]);
    expect(flowsOf({ record: storedRecord({ version: 2 }), link: null }, actions)).toMatchObject([
      { change: "update" },
    ]);
  });

  test("settles what it filters out, and quarantines what fails on it", () => {
    expect(
      preparedWrites(
        {},
        pathOf(() => null),
      ),
    ).toMatchObject({ pendingWrites: [], settled: [{ recordId: "r1", result: "done" }] });
    const failure = { nodeId: "n", code: "bad", message: "Bad" };
    expect(
      preparedWrites(
        {},
        pathOf(() => ({ failure })),
      ),
    ).toMatchObject({
      pendingWrites: [],
      settled: [
        {
          result: "parked",
          quarantine: { direction: "destination", externalId: "A1", recordId: "r1", ...failure, payload: ADA },
        },
      ],
    });
  });

  test("may change what is told; of several copies the first counts", () => {
    const twice: SinkPlan = {
      ...sink,
      path: (page) => ({
        state: "completed",
        completed: page.flatMap((flow) => [
          { ...flow, values: { name: "first" } },
          { ...flow, values: { name: "second" } },
        ]),
        deferredActions: [],
        executedActions: [],
      }),
    };
    expect(preparedWrites({ link: null }, twice).pendingWrites.map(({ values }) => values)).toEqual([
      { name: "first" },
    ]);
  });

  test("that asks is gone on with once there are answers", () => {
    const asking: SinkPlan = {
      ...sink,
      path: (page) => ({
        state: "suspended",
        dataRequests: [],
        resume: () => ({ state: "completed", completed: page, deferredActions: [], executedActions: [] }),
      }),
    };
    const preparation = beginPreparation(asking, claimedOf([claimedDelivery({ link: null })]), ENV);
    expect(() => finishPreparation(asking, preparation)).toThrow("still on their road");
    const completed = resumePreparation(preparation, []);
    expect(finishPreparation(asking, completed).pendingWrites).toHaveLength(1);
    expect(resumePreparation(completed, [])).toBe(completed);
  });
});
