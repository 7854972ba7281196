/** What every card type must do, seen on its example: be complete, show its whole answer, and come back from another type. */
import { CARD_OPTIONS, CardConfiguration, optionsOf, VIZ_TYPES } from "@accord/contracts/insights/cards";
import { describe, expect, test } from "vitest";
import { CARD_DEFINITIONS, problemsOfCard } from "../card-list.ts";
import { cardModel, modelSummary, modelTable } from "../card-model.ts";
import { newCard } from "../definition.ts";
import { CARD_EXAMPLES } from "./examples.fixtures.ts";
import { changeType, keepSetup } from "../kept-setup/kept-setup.ts";

describe.each(VIZ_TYPES)("[INS-053] %s", (type) => {
  const { card: input, data } = CARD_EXAMPLES[type];
  const card = CardConfiguration.parse(input);
  const definition = CARD_DEFINITIONS[type];

  test("is listed under its own name, and its example is complete", () => {
    expect([definition.type, card.vizType]).toEqual([type, type]);
    expect(problemsOfCard(card)).toEqual([]);
    expect(problemsOfCard(newCard(definition))).not.toEqual([]);
  });

  test("has a legend where it obeys one", () => {
    expect(definition.legendPositions.length > 0).toBe(optionsOf(type).includes("legend"));
  });

  test("shows each value of the answer in its table and its summary", () => {
    const model = cardModel(card, data);
    const { rows } = modelTable(model);
    expect(rows).toHaveLength(data.rows.length);
    for (const { texts } of rows) for (const text of texts) expect(modelSummary(model)).toContain(text);
  });

  test("comes back as it was after every other type", () => {
    const columns = [
      { name: "sales", displayName: "Sales", dataType: "integer" as const },
      { name: "region", displayName: "Region", dataType: "string" as const },
    ];
    for (const other of VIZ_TYPES) {
      const kept = keepSetup(card, columns);
      const changed = changeType(card, CARD_DEFINITIONS[other], columns, kept);
      const back = changeType(changed, definition, columns, keepSetup(changed, columns, kept));
      expect(problemsOfCard(back), `after ${other}`).toEqual([]);
      expect(cardModel(back, data), `after ${other}`).toEqual(cardModel(card, data));
    }
  });
});

test("every option is obeyed by some type", () => {
  const obeyed = new Set(VIZ_TYPES.flatMap((type) => optionsOf(type)));
  expect([...obeyed].toSorted()).toEqual(Object.keys(CARD_OPTIONS).toSorted());
});
