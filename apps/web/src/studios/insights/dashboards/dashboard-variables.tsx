/** The variables of all cards on a dashboard in one place; on a draft their values are kept with the dashboard. */
import {
  applyDataCardSettings,
  type Dashboard,
  dashboardCardData,
  getDashboard,
} from "@accord/contracts/insights/dashboards";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { ApiError } from "../../../app/api-error.ts";
import { VariableInput } from "../cards/variable-input.tsx";
import { asDashboardId, type OpenDashboard, useDashboard } from "../parts/queries.ts";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

type Card = OpenDashboard["cards"][number];

export function DashboardVariables({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const { t } = useWords("insights");
  const { data } = useDashboard(dashboard.id);
  const cards = (data?.cards ?? []).filter(({ variables }) => variables.length > 0);
  /** By card. */
  const [chosen, setChosen] = useState<Readonly<Record<string, VariableValues>>>({});
  const apply = useCall(applyDataCardSettings, { refreshes: [getDashboard, dashboardCardData] });
  const editable = dashboard.draftStatus === "NEW";
  const changed = cards
    .map((card) => ({ card, values: changedValues(chosen[card.id] ?? {}, valuesOf(dashboard, card)) }))
    .filter(({ values }) => Object.keys(values).length > 0);
  const save = async (): Promise<void> => {
    try {
      for (const { card, values } of changed)
        await apply.mutateAsync({
          body: { dashboardId: asDashboardId(dashboard.id), dataCardId: card.id, configuration: values },
        });
    } catch {
      // Said in the form.
      return;
    }
    onClose();
  };
  const problemOf = (card: Card, apiName: string): string | undefined =>
    apply.error instanceof ApiError && apply.variables?.body.dataCardId === card.id
      ? apply.error.problemOf(`configuration.${apiName}`)
      : undefined;
  return (
    <FormDrawer
      isDirty={changed.length > 0 && !apply.isPending}
      opened
      onClose={onClose}
      position="right"
      title={t("toolbar.variables")}
    >
      {cards.length === 0 ? (
        <ErrorBox tone="info" message={t("wizard.noVariables")} />
      ) : (
        <div className="ac-form">
          {apply.isError ? <RefusalBox error={apply.error} /> : null}
          {editable ? null : <ErrorBox tone="info" message={t("toolbar.variablesReadOnly")} />}
          {cards.map((card) => (
            <CardVariables
              key={card.id}
              card={card}
              values={{ ...valuesOf(dashboard, card), ...chosen[card.id] }}
              isReadOnly={!editable}
              problemOf={(apiName) => problemOf(card, apiName)}
              onChange={(values) => setChosen({ ...chosen, [card.id]: { ...chosen[card.id], ...values } })}
            />
          ))}
          {editable ? (
            <Button onClick={() => void save()} loading={apply.isPending} disabled={changed.length === 0}>
              {t("card.apply")}
            </Button>
          ) : null}
        </div>
      )}
    </FormDrawer>
  );
}

function CardVariables({
  card,
  values,
  isReadOnly,
  problemOf,
  onChange,
}: {
  card: Card;
  values: VariableValues;
  isReadOnly: boolean;
  problemOf: (apiName: string) => string | undefined;
  onChange: (changed: VariableValues) => void;
}) {
  return (
    <fieldset className="ac-form__group" disabled={isReadOnly}>
      <legend>{card.displayName}</legend>
      {card.variables.map((variable) => (
        <VariableInput
          key={variable.apiName}
          variable={variable}
          value={values[variable.apiName]}
          error={problemOf(variable.apiName)}
          onChange={(value) => onChange({ [variable.apiName]: value })}
        />
      ))}
    </fieldset>
  );
}

/** Only what differs: a variable that never had a value is not asked for because another one is set. */
const changedValues = (chosen: VariableValues, before: VariableValues): VariableValues =>
  Object.fromEntries(
    Object.entries(chosen).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );

function valuesOf(dashboard: Dashboard, card: Card): VariableValues {
  const defaults = Object.fromEntries(
    card.variables.map(({ apiName, variableDefaultValue }) => [apiName, variableDefaultValue?.defaultValue ?? ""]),
  );
  return { ...defaults, ...dashboard.dataCards.find(({ id }) => id === card.id)?.variablesMap };
}
