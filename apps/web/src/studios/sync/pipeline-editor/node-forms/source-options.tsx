/** When a source is read, how much at once, and what becomes of what was deleted there. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { SCHEDULE_UNITS } from "@accord/contracts/sync/schedules";
import { useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import { formKey } from "../inputs/invalid-inputs.ts";
import { sourceForm, sourceFormProblems, withSourceForm } from "./source-options.model.ts";
import type { NodeFormProps } from "./node-form-props.ts";
import { useFormValues } from "./use-form-values.ts";

type Words = ReturnType<typeof useWords<"sync">>["t"];

const when = (field: string, value: string | boolean) => ({ visibilityDependsOnFieldValue: { field, value } });

const inputsOf = (t: Words): InputDefinition[] => [
  {
    name: "kind",
    label: t("source.kind"),
    datatype: "picklist",
    required: true,
    values: (["minute", "interval", "cron"] as const).map((id) => ({ id, label: t(`source.kind_${id}`) })),
  },
  { name: "every", label: t("source.every"), datatype: "integer", ...when("kind", "interval") },
  {
    name: "unit",
    label: t("source.unit"),
    datatype: "picklist",
    ...when("kind", "interval"),
    values: SCHEDULE_UNITS.map((id) => ({ id, label: t(`source.unit_${id}`) })),
  },
  {
    name: "expression",
    label: t("source.expression"),
    helpText: t("source.expressionHint"),
    datatype: "string",
    hideTokenPicker: true,
    ...when("kind", "cron"),
  },
  {
    name: "timeZone",
    label: t("source.timeZone"),
    datatype: "picklistCombo",
    ...when("kind", "cron"),
    values: ["UTC", ...Intl.supportedValuesOf("timeZone")].map((id) => ({ id, label: id })),
  },
  { name: "isSingle", label: t("source.single"), helpText: t("source.singleHint"), datatype: "boolean" },
  {
    name: "acceptDeletes",
    label: t("configure.acceptDeletes"),
    helpText: t("configure.acceptDeletesHint"),
    datatype: "boolean",
  },
  {
    name: "findDeletesMinutes",
    label: t("source.findDeletes"),
    helpText: t("source.findDeletesHint"),
    datatype: "integer",
    ...when("acceptDeletes", true),
  },
  {
    name: "mostMissingPercent",
    label: t("source.mostMissing"),
    helpText: t("source.mostMissingHint"),
    datatype: "integer",
    ...when("acceptDeletes", true),
  },
];

export function SourceOptions({ node, configuration, readOnly, onChange }: NodeFormProps) {
  const { t } = useWords("sync");
  const inputs = useMemo(() => inputsOf(t), [t]);
  const { values, problems, change } = useFormValues({
    key: formKey(node.id, "source"),
    stored: useMemo(() => sourceForm(configuration), [configuration]),
    problemsOf: (form) => sourceFormProblems(form, (least, most) => t("source.range", { least, most })),
    store: (form, field) => onChange(withSourceForm(configuration, form), { field }),
  });
  return <ConfigForm inputs={inputs} values={values} readOnly={readOnly} problems={problems} onChange={change} />;
}
