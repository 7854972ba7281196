/** The series of an alert's form: found again by what it is made of, kept as it was stored, and chosen anew. */
import type { Watchable } from "@accord/cards/definitions";
import { CardAlert } from "@accord/contracts/insights/card-alerts";
import { expect, test } from "vitest";
import { choiceOf, draftOf, newDraft, readDraft, seriesOf } from "./alert-draft.ts";

const ADA = "a".repeat(24);
const WON = { column: "won", aggregate: "sum" } as const;
const LOST = { column: "lost", aggregate: "sum" } as const;

const made = (watch: object): CardAlert =>
  CardAlert.parse({
    ...{ id: "d".repeat(24), cardId: "c".repeat(24), name: "Too much", everyMinutes: 15, recipients: [ADA] },
    ...{ watch: { kind: "series", series: "y0", label: "Won", marks: "any", ...watch } },
    condition: { kind: "above", limit: 1 },
    ...{ sendsMail: false, webhook: null, webhookProblem: null, owner: "Ada Byron", state: "OK", last: null },
    ...{ problem: null, failures: 0, checkedAt: null, crossedAt: null, version: 1 },
  });
const people = made({}).recipients.map((id) => ({ id, name: "Ada Byron" }));
const won = { key: "y0", label: "Won", measure: WON };
const lost = { key: "y0", label: "Lost", measure: LOST };
const offering = (...series: (typeof won | typeof lost)[]): Watchable => ({ kind: "series", series, hasLatest: true });

test("the only series is chosen with what it is made of, and its label is cut to what an alert keeps", () => {
  const draft = newDraft(offering({ ...won, label: "W".repeat(250) }), ADA, people);
  const { input } = readDraft({ ...draft, name: "Too much", limit: 1 }, offering(won));
  expect(input?.watch).toEqual({
    ...{ kind: "series", series: "y0", label: "W".repeat(200), marks: "latest" },
    measure: WON,
  });
});

test("a series is not taken for another one that has its key by now, until that is chosen", () => {
  const draft = draftOf(made({ measure: WON }), people);
  expect(seriesOf(draft, [won])).toBe(won);
  expect(seriesOf(draft, [lost])).toBeUndefined();
  expect(readDraft(draft, offering(lost)).input?.watch).toMatchObject({ label: "Won", measure: WON });
  const changed = { ...draft, ...choiceOf(lost) };
  expect(seriesOf(changed, [lost])).toBe(lost);
  expect(readDraft(changed, offering(lost)).input?.watch).toMatchObject({ label: "Lost", measure: LOST });
});

test("an alert without a measure is found by its label, and stays as it is while its series is not chosen anew", () => {
  const draft = draftOf(made({}), people);
  expect(seriesOf(draft, [won])).toBe(won);
  expect(seriesOf(draft, [lost])).toBeUndefined();
  const { input } = readDraft(draft, offering(won));
  expect(input?.watch).toEqual(made({}).watch);
});
