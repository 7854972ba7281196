/** References between entities, and where their cards stand. */
import { CoreEntity } from "@accord/contracts/data/entities";
import { expect, test } from "vitest";
import { CARD, drawingOf, lineOf, referencesOf } from "./relationships.model.ts";

const idOf = (name: string): string => Buffer.from(name.padEnd(12, "_")).toString("hex");

/** Written `Name: Target Target`, a field for each target. */
const entities = (...texts: string[]): CoreEntity[] =>
  texts.map((text) => {
    const [apiName = "", targets = ""] = text.split(":");
    const names = targets.split(" ").filter(Boolean);
    return CoreEntity.parse({
      id: idOf(apiName),
      apiName,
      displayName: apiName,
      pluralName: apiName,
      version: 1,
      state: "APPROVED",
      hasDraft: false,
      revision: 0,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      fields: names.map((target, index) => ({
        id: idOf(`${apiName}${index}`),
        apiName: `field${index}`,
        displayName: `${target} ${index}`,
        dataType: "reference",
        referenceTo: target,
      })),
    });
  });
const draw = (all: CoreEntity[]) => drawingOf(all, referencesOf(all));

test("fields that refer to the same entity are one line, and references to nothing none", () => {
  const all = entities("Contact: Account Account Gone", "Account:");
  expect(referencesOf(all)).toEqual([
    { from: idOf("Contact"), to: idOf("Account"), fields: ["Account 0", "Account 1"] },
  ]);
});

test("what is referred to stands left, in columns by the longest way of references", () => {
  const all = entities("Order: Account Contact", "Contact: Account", "Account:", "Loose:");
  const { cards } = draw(all);
  const at = (name: string) => cards.find(({ id }) => id === idOf(name))!;
  expect(at("Account").x).toBeLessThan(at("Contact").x);
  expect(at("Contact").x).toBeLessThan(at("Order").x);
  expect(at("Loose").y).toBeGreaterThanOrEqual(Math.max(at("Order").y, at("Account").y) + CARD.height);
});

test("every entity has one place of its own, circles and references to itself included", () => {
  for (const texts of [
    ["A: B", "B: C", "C: A"],
    ["A: A"],
    ["A: B C D", "B: C", "C: D", "D: B", "E:", "F:", "G:", "H:", "I:"],
  ]) {
    const all = entities(...texts);
    const { cards, width, height } = draw(all);
    expect(cards.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => String(id)).toSorted());
    for (const [index, one] of cards.entries())
      for (const other of cards.slice(index + 1))
        expect(Math.abs(one.x - other.x) >= CARD.width || Math.abs(one.y - other.y) >= CARD.height).toBe(true);
    for (const { x, y } of cards)
      expect([x >= 0, y >= 0, x + CARD.width <= width, y + CARD.height <= height]).toEqual([true, true, true, true]);
  }
  expect(draw([])).toEqual({ cards: [], width: 0, height: 0 });
});

test("a line begins at the card that refers and ends at the other's edge", () => {
  const [left, right] = [
    { id: "a", x: 0, y: 0 },
    { id: "b", x: 400, y: 100 },
  ];
  expect(lineOf(right, left)).toMatch(
    new RegExp(`^M400,${100 + CARD.height / 2} .* ${CARD.width},${CARD.height / 2}$`),
  );
  expect(lineOf(left, right)).toMatch(new RegExp(`^M${CARD.width},`));
});
