/** The variables of all cards on a dashboard in one place; on a draft their values are kept with the dashboard. */
import {
  applyDataCardSettings,
  type Dashboard,
  dashboardCardData,
  getDashboard,
} from "@accord/contracts/insights/dashboards";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { wordsOf } from "../../../app/api-error.ts";
import { VariableInput } from "../cards/variable-input.tsx";
import { asDashboardId, useDashboard } from "../queries.ts";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";

export function DashboardVariables({ dashboard, onClose }: { dashboard: Dashboard; onClose: () => void }) {
  const { t } = useWords("insights");
  const { data } = useDashboard(dashboard.id);
  const cards = (data?.cards ?? []).filter(({ variables }) => variables.length > 0);
  const [values, setValues] = useState<Record<string, Record<string, unknown>>>({});
  const apply = useCall(applyDataCardSettings, { refreshes: [getDashboard, dashboardCardData] });
  const editable = dashboard.draftStatus === "NEW";
  const save = async (): Promise<void> => {
    for (const card of cards) {
      if (!values[card.id]) continue;
      const configuration = { ...valuesOf(dashboard, card), ...values[card.id] } as Record<string, never>;
      await apply.mutateAsync({
        body: { dashboardId: asDashboardId(dashboard.id), dataCardId: card.id, configuration },
      });
    }
    onClose();
  };
  return (
    <FormDrawer
      isDirty={Object.keys(values).length > 0 && !apply.isPending}
      opened
      onClose={onClose}
      position="right"
      title={t("toolbar.variables")}
    >
      {cards.length === 0 ? (
        <ErrorBox tone="info" message={t("wizard.noVariables")} />
      ) : (
        <div className="ac-form">
          {apply.isError ? <ErrorBox message={wordsOf(apply.error)} /> : null}
          {editable ? null : <ErrorBox tone="info" message={t("toolbar.variablesReadOnly")} />}
          {cards.map((card) => (
            <fieldset key={card.id} className="ac-form__group" disabled={!editable}>
              <legend>{card.displayName}</legend>
              {card.variables.map((variable) => (
                <VariableInput
                  key={variable.apiName}
                  variable={variable}
                  value={(values[card.id]?.[variable.apiName] ?? valuesOf(dashboard, card)[variable.apiName]) as never}
                  onChange={(value) =>
                    setValues({ ...values, [card.id]: { ...values[card.id], [variable.apiName]: value } })
                  }
                />
              ))}
            </fieldset>
          ))}
          {editable ? (
            <Button onClick={() => void save()} loading={apply.isPending} disabled={Object.keys(values).length === 0}>
              {t("card.apply")}
            </Button>
          ) : null}
        </div>
      )}
    </FormDrawer>
  );
}

type Card = NonNullable<ReturnType<typeof useDashboard>["data"]>["cards"][number];

function valuesOf(dashboard: Dashboard, card: Card) {
  const defaults = Object.fromEntries(
    card.variables.map(({ apiName, variableDefaultValue }) => [apiName, variableDefaultValue?.defaultValue ?? ""]),
  );
  return { ...defaults, ...dashboard.dataCards.find(({ id }) => id === card.id)?.variablesMap };
}
