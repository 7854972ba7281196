/** What a page writes of records that are known, and of those that are gone. */
import { describe, expect, test } from "vitest";
import type { Decision } from "./decision.ts";
import { REMOVED_BY_US } from "../state/fingerprint.ts";
import type { ProcessedPage } from "./page/process-page.ts";
import type { Plan } from "../plan/plan.ts";
import type { LinkWrite } from "../protocol/storage.ts";
import { processedPage, momentOf, resolvedWith } from "../protocol/fixtures/stored.ts";
import type { StoredLink, StoredRecord } from "../protocol/stored.ts";
import {
  plan,
  source,
  A,
  B,
  ADA,
  EVE,
  AT,
  seenOf,
  writtenOf,
  link,
  ada,
  coming,
  fresh,
  decided,
  arriving,
  notified,
  history,
  counts,
} from "./fixtures/batch-builder.ts";

describe("a known record", () => {
  test("that changed is updated in what changed, and its other places are told", () => {
    const decision = decided(arriving(coming({ shows: EVE })));
    expect(decision.batch).toMatchObject({
      creates: [],
      updates: [{ recordId: "r1", expectedVersion: 3, values: EVE, deleted: false }],
      links: [{ recordId: "r1", seen: seenOf(EVE), isNew: false }],
      ledger: [{ operation: "update", externalId: "A1", changes: { name: ["Ada", "Eve"] }, refused: null }],
      fulfilled: [{ recordId: "r1", version: 4 }],
    });
    expect([notified(decision), counts(decision)]).toEqual([
      [`${A} r1 if`, `${B} r1`],
      [0, 1, 0, 0],
    ]);
  });

  test("that is as it was changes nothing; what its place was to be told is settled", () => {
    const decision = decided(arriving(coming()));
    expect([decision.batch.updates, history(decision), notified(decision), counts(decision)]).toEqual([
      [],
      [],
      [],
      [0, 0, 0, 0],
    ]);
    expect(decision.batch.fulfilled).toEqual([{ recordId: "r1", version: 3 }]);
  });

  test("that holds something else than it should is told the core's values", () => {
    const decision = decided(arriving(coming({ stored: ada({ values: EVE }) })));
    expect([notified(decision), decision.batch.fulfilled, history(decision)]).toEqual([[`${A} r1`], undefined, []]);
    const alias = decided(arriving(coming({ isAlias: true, shows: EVE })));
    expect([notified(alias)[0], alias.batch.fulfilled], "a second record of it proves nothing").toEqual([
      `${A} r1`,
      undefined,
    ]);
  });

  test("settles nothing where its place can't be compared, or is no destination", () => {
    const without = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    expect(decided(arriving(coming()), { plan: without }).batch.fulfilled).toBeUndefined();
    const computed = plan.sinks.map((one) => ({
      ...one,
      mappings: one.mappings.map((mapping) => ({ ...mapping, isComputed: true })),
    }));
    expect(decided(arriving(coming()), { plan: { ...plan, sinks: computed } }).batch.fulfilled).toBeUndefined();
    const unread = { ...plan, sinks: plan.sinks.map((one) => ({ ...one, reads: null })) };
    expect(notified(decided(arriving(coming({ shows: EVE })), { plan: unread }))[0], "it may hold anything").toBe(
      `${A} r1`,
    );
  });

  test("tells only destinations that it concerns, and actions only of news", () => {
    const deaf = {
      ...plan,
      sinks: plan.sinks.map((one) => (one.place.id === B ? { ...one, reads: new Set(["phone"]) } : one)),
    };
    expect(notified(decided(arriving(coming({ shows: EVE })), { plan: deaf }))).toEqual([`${A} r1 if`]);
    expect(notified(decided(arriving(fresh({ shows: EVE })), { plan: deaf })), "a new record concerns all").toEqual([
      `${A} new1 if`,
      `${B} new1`,
    ]);
    const acting = {
      ...plan,
      sinks: plan.sinks.map((one) => (one.place.id === B ? { ...one, isActionsOnly: true } : one)),
    };
    expect(notified(decided(arriving(coming({ shows: EVE })), { plan: acting }))).toContain(`${B} r1`);
    const again = decided(arriving(coming({ shows: EVE })), { plan: acting, env: { reapply: true } });
    expect(notified(again)).not.toContain(`${B} r1`);
  });

  test("that is deleted here and was deleted by nobody there is kept deleted, and its edits are refused", () => {
    const stored = ada({ deleted: true });
    const may = (isAllowed: boolean): Plan => ({
      ...plan,
      sinks: plan.sinks.map((one) => ({ ...one, delete: isAllowed })),
    });
    const decision = decided(arriving(coming({ shows: EVE, stored })), { plan: may(false) });
    expect([history(decision), counts(decision), decision.batch.updates]).toEqual([["refuse r1"], [0, 0, 0, 1], []]);
    expect(decision.batch.ledger).toMatchObject([{ changes: {}, refused: { name: ["Eve", "deleted"] } }]);
    expect(decision.warnings).toMatchObject([{ code: "edited_while_deleted", field: "name" }]);
    expect(notified(decision), "we may not delete there").toEqual([]);
    expect(notified(decided(arriving(coming({ shows: EVE, stored })), { plan: may(true) }))).toEqual([`${A} r1`]);
    expect(history(decided(arriving(coming({ stored }))))).toEqual([]);
  });

  test("that is back, or of a place that we only read, is restored", () => {
    const stored = ada({ deleted: true, origin: { name: { by: "A.contact", at: "1" } } });
    const back = decided(arriving(coming({ shows: EVE, stored, isBack: true, link: link({ dead: true }) })));
    expect(back.batch.updates).toMatchObject([{ recordId: "r1", values: EVE, deleted: false }]);
    expect([history(back), counts(back), notified(back)]).toEqual([
      ["restore r1"],
      [0, 1, 0, 0],
      [`${A} r1 if`, `${B} r1`],
    ]);
    const readOnly = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    const same = decided(arriving(coming({ stored })), { plan: readOnly });
    expect([history(same), counts(same), notified(same)]).toEqual([["restore r1"], [0, 1, 0, 0], [`${B} r1`]]);
    expect(same.batch.updates).toMatchObject([{ values: ADA, deleted: false }]);
  });

  test("takes what it left out as said by its source when it is read again as a whole", () => {
    const readOnly = { ...source, isAlsoSink: false };
    const one = { ...plan, sinks: plan.sinks.filter(({ place }) => place.id !== A) };
    const arrival = (): ProcessedPage["completed"][number] => coming({ stored: ada({ values: EVE }) });
    expect(history(decided(arriving(arrival()), { plan: one, source: readOnly }))).toEqual([]);
    const again = decided(arriving(arrival()), { plan: one, source: readOnly, env: { reapply: true } });
    expect(again.batch.ledger).toMatchObject([{ operation: "update", changes: { name: ["Eve", "Ada"] } }]);
  });

  test("is joined with what an earlier record of the page made of it, where it was merged", () => {
    const alias = coming({ shows: { ...ADA, phone: "2" }, isAlias: true });
    alias.inbound.record = { ...alias.inbound.record, id: "A2" };
    const page = {
      ...arriving(coming({ shows: EVE }), alias),
      resolved: resolvedWith({ merged: new Map([["r0", "r1"]]) }),
    };
    const { batch } = decided(page);
    expect(batch.updates).toEqual([
      { recordId: "r1", expectedVersion: 3, values: { ...EVE, phone: "2" }, origin: {}, deleted: false },
    ]);
    expect(batch.ledger.map(({ changes }) => Object.keys(changes))).toEqual([["name"], ["phone"]]);
  });
});

describe("a record that is gone", () => {
  const gone = (
    more: Partial<StoredLink> = {},
    stored: StoredRecord | null = ada(),
    page: Partial<ProcessedPage> = {},
  ) =>
    decided(
      {
        gone: [{ record: { id: "A1", values: {}, deleted: true, modifiedAt: AT }, link: link(more) }],
        resolved: resolvedWith({ records: new Map(stored ? [[stored.recordId, stored]] : []) }),
        ...page,
      },
      { plan: { ...plan, sinks: plan.sinks.map((one) => ({ ...one, delete: true })) } },
    );
  const links = ({ batch }: Decision): Partial<LinkWrite>[] => batch.links;

  test("takes its record along: the others are notified, its link is dead, and its history says so", () => {
    const decision = gone();
    expect(decision.batch.updates).toEqual([
      { recordId: "r1", expectedVersion: 3, values: ADA, origin: {}, deleted: true },
    ]);
    // Whatever waits for the external record itself is over.
    expect([history(decision), counts(decision), notified(decision)]).toEqual([
      ["delete r1"],
      [0, 0, 1, 0],
      [`${B} r1`, `${A} r1 if`],
    ]);
    expect(links(decision)).toMatchObject([{ dead: true, isNew: false, lastWritten: REMOVED_BY_US, modifiedAt: AT }]);
    expect(decision.batch.ledger).toMatchObject([{ externalId: "A1", changes: {}, refused: null }]);
  });

  test("by our own deletion, or with its record, is known as such", () => {
    const unanswered = (intent: "delete" | "update") => ({
      resolved: resolvedWith({
        records: new Map([["r1", ada()]]),
        otherPlaces: new Map([["r1", [99]]]),
        unanswered: new Map([["r1", { intent, written: [] }]]),
      }),
    });
    expect(links(gone({}, null, unanswered("delete")))).toMatchObject([{ lastWritten: REMOVED_BY_US, dead: true }]);
    expect(links(gone({}, null, unanswered("update")))).toMatchObject([{ lastWritten: writtenOf(ADA), dead: true }]);
    expect(links(gone({}, ada({ deleted: true })))).toMatchObject([{ lastWritten: REMOVED_BY_US }]);
    expect(links(gone({}, null))).toMatchObject([{ lastWritten: writtenOf(ADA) }]);
    expect(links(gone({ dead: true }, null, unanswered("delete"))), "gone before we deleted it").toEqual([]);
  });

  test("and known as gone is written no more, unless it was asked for", () => {
    expect(links(gone({ dead: true }, null))).toEqual([]);
    const asked = processedPage().seen;
    expect(links(gone({ dead: true }, null, { seen: { ...asked, isReplay: true } }))).toHaveLength(1);
    const untimed = decided({ gone: [{ record: { id: "A1", values: {}, deleted: true }, link: link() }] });
    expect(links(untimed), "its time is what is known").toMatchObject([{ modifiedAt: momentOf(1) }]);
    expect([history(untimed), notified(untimed)], "nothing is known of its record").toEqual([[], []]);
  });

  test("and still held elsewhere only loses its tie", () => {
    const held = gone({}, ada(), {
      resolved: resolvedWith({ records: new Map([["r1", ada()]]), otherPlaces: new Map([["r1", [99]]]) }),
    });
    expect([history(held), held.batch.updates, counts(held)]).toEqual([["unlink r1"], [], [0, 0, 0, 0]]);
    expect(links(held)).toMatchObject([{ dead: true, lastWritten: writtenOf(ADA) }]);
  });

  test("is sent nothing more itself, but where it is created anew; a system that is only read never is", () => {
    const sentAfter = (sinks: Plan["sinks"]) =>
      notified(
        decided(
          {
            gone: [{ record: { id: "A1", values: {}, deleted: true, modifiedAt: AT }, link: link() }],
            resolved: resolvedWith({
              records: new Map([["r1", ada()]]),
              otherPlaces: new Map([["r1", [99]]]),
            }),
          },
          { plan: { ...plan, sinks } },
        ),
      );
    const own = plan.sinks.map((one) => ({ ...one, recreate: one.place.id === A }));
    expect(sentAfter(own), "created anew, once").toEqual([`${A} r1`]);
    expect(sentAfter(plan.sinks.filter(({ place }) => place.id !== A))).toEqual([]);
  });
});
