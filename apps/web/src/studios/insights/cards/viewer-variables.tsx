/** The variables that whoever looks at a dashboard may change, above its cards: for staff and guests alike. */
import type { CrossFilters } from "@accord/contracts/insights/cross-filter";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import { VariableInput } from "./variable-input.tsx";
import "./viewer-variables.css";

export interface ViewerVariablesProps {
  variables: readonly Variable[];
  /** What the dashboard sets where nothing was chosen. */
  preset?: VariableValues;
  values: VariableValues;
  onChange: (values: VariableValues) => void;
}

export function ViewerVariables({ variables, preset = {}, values, onChange }: ViewerVariablesProps) {
  if (variables.length === 0) return null;
  return (
    <div className="ac-viewer-variables">
      {variables.map((variable) => (
        <VariableInput
          key={variable.apiName}
          variable={variable}
          value={values[variable.apiName] ?? preset[variable.apiName] ?? variable.variableDefaultValue?.defaultValue}
          onChange={(value) => onChange({ ...values, [variable.apiName]: value })}
        />
      ))}
    </div>
  );
}

/** Each variable once, whichever cards use it. */
export const updatableVariables = (cards: readonly { variables: readonly Variable[] }[]): Variable[] => [
  ...new Map(
    cards
      .flatMap(({ variables }) => variables)
      .filter(({ updatable }) => updatable)
      .map((variable) => [variable.apiName, variable]),
  ).values(),
];

/** The chosen values that are about the variables of a card, and of those whose marks it is filtered by. */
export function valuesAsked<Card extends { id: string; variables: readonly Variable[] }>(
  card: Card,
  cards: readonly Card[],
  { values, filters }: { values: VariableValues; filters: CrossFilters },
): VariableValues {
  const sources = cards.filter(({ id }) => filters.some(({ cardId }) => cardId === id));
  return valuesForCard(
    [card, ...sources].flatMap(({ variables }) => variables),
    values,
  );
}

/** The chosen values that are about a card's variables. */
export const valuesForCard = (variables: readonly Variable[], values: VariableValues): VariableValues =>
  Object.fromEntries(
    variables.flatMap(({ apiName }) => {
      const value = values[apiName];
      return value === undefined ? [] : [[apiName, value]];
    }),
  );
