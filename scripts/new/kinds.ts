/** What `npm run new` can make: for each kind its name, an example that the checks make, and how its name is read. */
import { actionScaffold } from "./action.ts";
import { authorityScaffold } from "./authority.ts";
import { cardScaffold } from "./card.ts";
import { chartOptionScaffold } from "./chart-option.ts";
import { columnScaffold } from "./column.ts";
import { connectorScaffold } from "./connector.ts";
import { eventScaffold } from "./event.ts";
import { AREAS, featureScaffold } from "./feature.ts";
import { formulaFunctionScaffold } from "./formula-function.ts";
import { functionScaffold } from "./function.ts";
import { MIGRATION_SCOPES, migrationScaffold } from "./migration.ts";
import { type Names, namesOf, type Scaffold } from "./scaffold.ts";

interface Kind {
  kind: string;
  example: string;
  /** What may stand before the slash of a name; none: names have no slash. */
  within?: readonly string[];
  /** Undefined where the name does not fit. */
  scaffoldOf: (name: string) => Scaffold | undefined;
}

export const KINDS: readonly Kind[] = [
  plain("function", "swap-words", functionScaffold),
  plain("formula-function", "swap-words", formulaFunctionScaffold),
  plain("action", "ring-a-bell", actionScaffold),
  plain("connector", "acme-crm", connectorScaffold),
  plain("card", "radar", cardScaffold),
  plain("chart-option", "rounded-corners", chartOptionScaffold),
  plain("column", "last-editor", columnScaffold),
  plain("authority", "oldest", authorityScaffold),
  within("migration", "instance/office-rooms", MIGRATION_SCOPES, migrationScaffold),
  within("event", "data/room-booked", AREAS, eventScaffold),
  within("feature", "operations/office-rooms", AREAS, featureScaffold),
];

/** @throws Error with what can be made and how names look. */
export function scaffoldFor(kind: string, name: string): Scaffold {
  const scaffold = KINDS.find((one) => one.kind === kind)?.scaffoldOf(name);
  if (!scaffold) throw new Error(`Names are in kebab-case.\n${KINDS.map(usageOf).join("\n")}`);
  return scaffold;
}

const usageOf = ({ kind, example, within: parts }: Kind): string =>
  `npm run new -- ${kind} ${example}${parts ? `    before the slash: ${parts.join(", ")}` : ""}`;

const isKebab = (name: string): boolean => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);

function plain(kind: string, example: string, make: (names: Names) => Scaffold): Kind {
  return { kind, example, scaffoldOf: (name) => (isKebab(name) ? make(namesOf(name)) : undefined) };
}

function within<Part extends string>(
  kind: string,
  example: string,
  parts: readonly Part[],
  make: (part: Part, names: Names) => Scaffold,
): Kind {
  return {
    ...{ kind, example, within: parts },
    scaffoldOf: (name) => {
      const part = parts.find((one) => name.startsWith(`${one}/`));
      const last = name.slice(name.indexOf("/") + 1);
      return part && isKebab(last) ? make(part, namesOf(last)) : undefined;
    },
  };
}
