/** `npm run new -- chart-option <name>`: a setting of cards that is on or off, with its control. */
import type { Names, Scaffold } from "./scaffold.ts";

const OPTIONS = "packages/contracts/src/insights/card-types/options.ts";
const CONTROLS = "apps/web/src/studios/insights/card-wizard/options";

export function chartOptionScaffold({ kebab, camel, pascal, title }: Names): Scaffold {
  return {
    files: {
      [`${CONTROLS}/${kebab}.tsx`]: `/** ${title}: say here in one sentence what it changes. */
import { Checkbox } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { OptionProps } from "./option-props.ts";

export function ${pascal}({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  return (
    <Checkbox
      label={t("wizard.${camel}")}
      checked={card.${camel}}
      onChange={(event) => onChange({ ...card, ${camel}: event.currentTarget.checked })}
    />
  );
}
`,
    },
    lines: [
      {
        file: OPTIONS,
        after: /^ {2}\w+: \{ .* \},$/,
        line: `  ${camel}: { ${camel}: z.boolean().default(false) },`,
      },
      { file: OPTIONS, after: /^ {2}\.\.\.CARD_OPTIONS\./, line: `  ...CARD_OPTIONS.${camel},` },
      {
        file: "packages/contracts/src/messages/en/insights/cards.ts",
        after: /^ {4}values: /,
        line: `    ${camel}: "${title}",`,
      },
      {
        file: `${CONTROLS}/option-controls.tsx`,
        after: /^import /,
        line: `import { ${pascal} } from "./${kebab}.tsx";`,
      },
      {
        file: `${CONTROLS}/option-controls.tsx`,
        after: /^ {2}\w+: \{ tab: /,
        line: `  ${camel}: { tab: "appearance", Control: ${pascal} },`,
      },
    ],
    edits: [
      {
        file: "packages/contracts/src/insights/card-types/cartesian.ts",
        find: /(options: \[.*"\w+")\]/,
        by: `$1, "${camel}"]`,
      },
    ],
    next: [
      "Columns, bars and lines name it now (card-types/cartesian.ts); name it for the types that obey it, and for no other.",
      "Obey it in the model or drawing of each of these types in packages/cards/src, with a test that sees the difference.",
      "npm test -- packages/cards card-wizard",
    ],
  };
}
