/** The drawer with a card's settings on one dashboard: the values of its variables there. */
import {
  applyDataCardSettings,
  type Dashboard,
  type DashboardCard,
  dashboardCardData,
  getDashboard,
} from "@accord/contracts/insights/dashboards";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { showSuccess } from "../parts/show-success.ts";
import { isShownOff, VariableInput } from "../cards/variable-input.tsx";
import { asDashboardId, type OpenDashboard } from "../parts/queries.ts";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function CardSettings({
  card,
  placed,
  dashboard,
  onClose,
}: {
  card: OpenDashboard["cards"][number];
  placed: DashboardCard;
  dashboard: Dashboard;
  onClose: () => void;
}) {
  const { t } = useWords("insights");
  const before = shownValues(card.variables, placed.variablesMap);
  const [values, setValues] = useState(before);
  const apply = useCall(applyDataCardSettings, {
    refreshes: [getDashboard, dashboardCardData],
    onSuccess: () => {
      showSuccess(t("saved"));
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    apply.mutate({ body: { dashboardId: asDashboardId(dashboard.id), dataCardId: card.id, configuration: values } });
  };
  return (
    <FormDrawer
      isDirty={JSON.stringify(values) !== JSON.stringify(before)}
      opened
      onClose={onClose}
      position="right"
      title={t("card.settingsTitle", { name: card.displayName })}
    >
      {card.variables.length === 0 ? (
        <ErrorBox tone="info" message={t("card.no_configuration")} />
      ) : (
        <form className="ac-form" onSubmit={submit}>
          <p className="ac-form__note">{t("card.settingsHelp")}</p>
          {apply.isError ? <RefusalBox error={apply.error} /> : null}
          {card.variables.map((variable) => (
            <VariableInput
              key={variable.apiName}
              variable={variable}
              value={values[variable.apiName]}
              required
              error={
                apply.error instanceof ApiError ? apply.error.problemOf(`configuration.${variable.apiName}`) : undefined
              }
              onChange={(value) => setValues({ ...values, [variable.apiName]: value })}
            />
          ))}
          <Button type="submit" loading={apply.isPending} disabled={JSON.stringify(values) === JSON.stringify(before)}>
            {t("card.apply")}
          </Button>
        </form>
      )}
    </FormDrawer>
  );
}

/** What the controls show at first: all of it is sent, as each item is required. */
function shownValues(variables: readonly Variable[], placed: VariableValues | undefined): VariableValues {
  const defaults = Object.fromEntries(
    variables.map(({ apiName, variableDefaultValue }) => [apiName, variableDefaultValue?.defaultValue ?? ""]),
  );
  const values: VariableValues = { ...defaults, ...placed };
  for (const variable of variables)
    if (isShownOff(variable, values[variable.apiName])) values[variable.apiName] = false;
  return values;
}
