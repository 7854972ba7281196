/** `npm run new -- card <name>`: a card type: what it is made of, its words, its definition, icons, view and example. */
import type { Names, Scaffold } from "./scaffold.ts";

type Files = Scaffold["files"];
type Lines = Scaffold["lines"];

export function cardScaffold(names: Names): Scaffold {
  const { kebab } = names;
  return {
    files: { ...typeFile(names), ...definitionFiles(names), ...drawingFiles(names) },
    lines: [...typeLines(names), ...listLines(names)],
    next: [
      `Say in packages/contracts/src/insights/card-types/${kebab}.ts which settings hold its columns and which options it obeys.`,
      `Write its name, its help and its kind in packages/contracts/src/messages/en/insights/card-types.ts.`,
      `Draw it in packages/cards/src/${kebab}; docs/recipes/card.md says what each of its files is for.`,
      "npm test -- packages/cards",
    ],
  };
}

const typeOf = ({ snake }: Names): string => snake.toUpperCase();

const typeFile = (names: Names): Files => ({
  [`packages/contracts/src/insights/card-types/${names.kebab}.ts`]: `/** What ${names.title.toLowerCase()} cards are made of. */
import { cardType } from "./card-type.ts";
import { cartesian } from "./cartesian.ts";

export const ${names.camel}Type = cardType({ type: "${typeOf(names)}", ...cartesian });
`,
});

function definitionFiles(names: Names): Files {
  const { kebab, camel, title } = names;
  const folder = `packages/cards/src/${kebab}`;
  const type = typeOf(names);
  return {
    [`${folder}/definition.ts`]: `/** ${title}: say here in one sentence what it shows. */
import { cartesianDefinition } from "../cartesian/cartesian.definition.ts";
import { defineCard } from "../definition.ts";

export const ${camel}Card = defineCard({ type: "${type}", ...cartesianDefinition, askedAs: "${title.toLowerCase()}" });
`,
    [`${folder}/example.fixtures.ts`]: `/** An example of a ${title.toLowerCase()} card. */
import { byRegion, type CardExample, region, sales } from "../examples/example.fixtures.ts";

export const ${camel}Example: CardExample<"${type}"> = {
  card: { vizType: "${type}", xaxis: region, yaxis: [sales] },
  data: byRegion,
};
`,
    [`${folder}/${kebab}.test.ts`]: `/** What a ${title.toLowerCase()} card draws. */
import { CardConfiguration } from "@accord/contracts/insights/cards";
import { expect, test } from "vitest";
import { cardModel, modelTable } from "../card-model.ts";
import { ${camel}Example } from "./example.fixtures.ts";

test("an answer without rows draws nothing", () => {
  const model = cardModel(CardConfiguration.parse(${camel}Example.card), { ...${camel}Example.data, rows: [] });
  expect(modelTable(model).rows).toEqual([]);
});
`,
  };
}

function drawingFiles({ kebab, camel, pascal, title }: Names): Files {
  const folder = `packages/cards/src/${kebab}`;
  return {
    [`${folder}/icons.tsx`]: `/** The icon of a ${title.toLowerCase()} card, and its thumbnail. */
import { IconChartDots } from "@tabler/icons-react";
import type { CardIcons, ThumbnailProps } from "../card-icons.ts";

export const ${camel}Icons: CardIcons = { Icon: IconChartDots, Thumbnail: ${pascal}Thumbnail };

function ${pascal}Thumbnail({ left, top, width, height, color }: ThumbnailProps) {
  return <rect x={left} y={top} width={width} height={height} fill="none" stroke={color} />;
}
`,
    [`${folder}/view.tsx`]: `/** Draws ${title.toLowerCase()} cards. */
import { useMemo } from "react";
import { cardModel, modelSummary } from "../card-model.ts";
import type { CardViewProps } from "../chart/view-props.ts";

export function ${pascal}View({ card, data, words }: CardViewProps) {
  const model = useMemo(() => cardModel(card, data, words), [card, data, words]);
  return <output>{modelSummary(model, words)}</output>;
}
`,
  };
}

/** To the list of types, and to their words. */
const typeLines = (names: Names): Lines => [
  ...listed(
    "packages/contracts/src/insights/card-types/index.ts",
    `import { ${names.camel}Type } from "./${names.kebab}.ts";`,
    `  ${typeOf(names)}: ${names.camel}Type,`,
  ),
  {
    file: "packages/contracts/src/messages/en/insights/card-types.ts",
    after: /^ {4}[A-Z\d_]+: \{ name: /,
    line: `    ${typeOf(names)}: { name: "${names.title}", help: "${names.title} help", kind: "${names.title.toLowerCase()} chart" },`,
  },
];

/** To what is known of all types: on the server, in forms, where one is drawn, and in tests. */
function listLines(names: Names): Lines {
  const { kebab, camel, pascal } = names;
  const lists = [
    { file: "card-list.ts", name: `${camel}Card`, from: `./${kebab}/definition.ts` },
    { file: "icons.ts", name: `${camel}Icons`, from: `./${kebab}/icons.tsx` },
    { file: "views.ts", name: `${pascal}View`, from: `./${kebab}/view.tsx` },
    { file: "examples/examples.fixtures.ts", name: `${camel}Example`, from: `../${kebab}/example.fixtures.ts` },
  ];
  return lists.flatMap(({ file, name, from }) =>
    listed(`packages/cards/src/${file}`, `import { ${name} } from "${from}";`, `  ${typeOf(names)}: ${name},`),
  );
}

/** Types are the only entries in capitals. */
const listed = (file: string, imported: string, line: string): Lines => [
  { file, after: /^import .* from /, line: imported },
  { file, after: /^ {2}[A-Z\d_]+: \w+,$/, line },
];
