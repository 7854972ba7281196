/** `npm run new -- card <name>`: a card type: its settings, its model and its view. */
import type { Names, Scaffold } from "./scaffold.ts";

/** Who must answer for a type: words, icon, what an alert watches, query, filter of a mark, model, what a change of type keeps. */
const CARD_PLACES = [
  "apps/web/src/studios/insights/assistant/proposal-facts.ts",
  "apps/web/src/studios/insights/card-alerts/alert-draft.ts",
  "apps/web/src/studios/insights/card-wizard/type-choice.tsx",
  "apps/web/src/studios/insights/cards/card-icon.tsx",
  "apps/web/src/studios/insights/chart-words.ts",
  "apps/web/src/studios/insights/dashboards/change-list.tsx",
  "apps/web/src/studios/insights/definitions/definitions-screen.tsx",
  "packages/analytics-engine/src/card-query.ts",
  "packages/analytics-engine/src/filters/cross-filter.ts",
  "packages/cards/src/card-model.ts",
  "packages/cards/src/chart/words.ts",
  "packages/cards/src/kept-setup.ts",
];

export function cardScaffold({ kebab, camel, pascal, title, snake }: Names): Scaffold {
  const type = snake.toUpperCase();
  const folder = `packages/cards/src/${kebab}`;
  return {
    files: {
      [`${folder}/definition.ts`]: `/** ${title}: say here in one sentence what it shows. */
import { defineCard } from "../definition.ts";

export const ${camel}Card = defineCard({
  type: "${type}",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: [{ path: "columns", holds: "list", numeric: true, required: true, format: true }],
  legendPositions: [],
  axes: false,
  defaults: {},
});
`,
      [`${folder}/model.ts`]: `/** What a ${title.toLowerCase()} card draws, made of its settings and data. Pure. */
import type { CardData } from "@accord/contracts/insights/cards";
import { numberOf } from "../format.ts";

export interface ${pascal}Model {
  values: (number | null)[];
}

/** \`y0\` is the first measure of an answer's row. */
export function ${camel}Model(rows: CardData["rows"]): ${pascal}Model {
  return { values: rows.map((row) => numberOf(row["y0"])) };
}
`,
      [`${folder}/${kebab}.test.ts`]: `/** The model of ${title.toLowerCase()} cards. */
import { expect, test } from "vitest";
import { ${camel}Model } from "./model.ts";

test("an answer without rows draws nothing", () => {
  expect(${camel}Model([])).toEqual({ values: [] });
});
`,
      [`${folder}/view.tsx`]: `/** Draws ${title.toLowerCase()} cards. */
import { useMemo } from "react";
import type { CardViewProps } from "../chart/view-props.ts";
import { ${camel}Model } from "./model.ts";

export function ${pascal}View({ data }: CardViewProps) {
  const model = useMemo(() => ${camel}Model(data.rows), [data]);
  return <output>{model.values.join(", ")}</output>;
}
`,
    },
    lines: [
      {
        file: "packages/cards/src/definitions.ts",
        after: /^import /,
        line: `import { ${camel}Card } from "./${kebab}/definition.ts";`,
      },
      { file: "packages/cards/src/definitions.ts", after: /^ {2}[A-Z_]+: \w+Card,$/, line: `  ${type}: ${camel}Card,` },
      {
        file: "packages/cards/src/views.ts",
        after: /^import /,
        line: `import { ${pascal}View } from "./${kebab}/view.tsx";`,
      },
      { file: "packages/cards/src/views.ts", after: /^ {2}[A-Z_]+: \w+View,$/, line: `  ${type}: ${pascal}View,` },
    ],
    edits: [
      {
        file: "packages/contracts/src/insights/card-configuration.ts",
        find: /(VIZ_TYPES = \[.*"\w+")\]/,
        by: `$1, "${type}"]`,
      },
    ],
    places: CARD_PLACES,
    next: [
      "npm run check now names every place that must answer for it; docs/recipes/card.md says what each is for.",
      "Say which slots it has, what its model is and how it draws; the form makes itself from the slots.",
      `Add its words to messages/en/insights/cards.ts. npm test -- packages/cards`,
    ],
  };
}
