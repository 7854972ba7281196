/** `npm run new -- chart-option <name>`: a setting of cards that is on or off, with its control. */
import type { Names, Scaffold } from "./scaffold.ts";

export function chartOptionScaffold({ camel, title }: Names): Scaffold {
  return {
    files: {},
    lines: [
      {
        file: "packages/contracts/src/insights/card-configuration.ts",
        after: /^ {2}labelVisible: /,
        line: `  ${camel}: z.boolean().default(false),`,
      },
      {
        file: "packages/contracts/src/messages/en/insights/cards.ts",
        after: /^ {4}values: /,
        line: `    ${camel}: "${title}",`,
      },
      {
        file: "apps/web/src/studios/insights/card-wizard/appearance-form.tsx",
        after: /^ {6}\{data \? <CategoryColors/,
        line: `      <Checkbox
        label={t("wizard.${camel}")}
        checked={card.${camel}}
        onChange={(event) => onChange({ ...card, ${camel}: event.currentTarget.checked })}
      />`,
      },
    ],
    next: [
      "Show its control only for the types that obey it, as the one above it does.",
      "Obey it in the model or drawing of each of these types in packages/cards/src, with a test that sees the difference.",
      "Say in packages/cards/src/kept-setup.ts whether a change of type keeps it.",
      "npm test -- packages/cards card-wizard",
    ],
  };
}
