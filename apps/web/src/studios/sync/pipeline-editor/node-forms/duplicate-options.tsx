/** When records are the same thing, who stays, and whose values it gets: the core node's rules of duplicates. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { CHOSEN_BY, FIELD_POLICIES } from "@accord/contracts/sync/matching";
import { isSameContent } from "@accord/sync-engine/graph";
import { useMemo } from "react";
import { useWords } from "../../../../app/words.ts";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import {
  type DuplicatesForm,
  duplicatesForm,
  duplicatesProblems,
  knownIn,
  withDuplicatesForm,
} from "./core-options.model.ts";
import { useEditor } from "../editor-context.tsx";
import { formKey } from "../inputs/invalid-inputs.ts";
import { useConnectors, useCoreEntity } from "../queries.ts";
import type { NodeFormProps } from "./node-form-props.ts";
import { useFormValues } from "./use-form-values.ts";

type Words = ReturnType<typeof useWords<"sync">>["t"];

const whenOn = { visibilityDependsOnFieldValue: { field: "deduplicate", value: true } };

interface System {
  id: string;
  name: string;
}

const inputsOf = (t: Words, systems: readonly System[]): InputDefinition[] => [
  ...findingInputs(t),
  ...joiningInputs(t, systems),
  {
    name: "skipWhen",
    label: t("duplicates.skipWhen"),
    helpText: t("duplicates.skipWhenHint"),
    datatype: "predicate",
    ...whenOn,
  },
];

/** What is the same, and what is done about it. */
const findingInputs = (t: Words): InputDefinition[] => [
  {
    name: "deduplicate",
    label: t("duplicates.deduplicate"),
    helpText: t("duplicates.deduplicateHint"),
    datatype: "boolean",
  },
  {
    name: "match",
    label: t("duplicates.match"),
    helpText: t("duplicates.matchHint"),
    datatype: "predicate",
    ...whenOn,
  },
  {
    name: "reportOnly",
    label: t("duplicates.reportOnly"),
    helpText: t("duplicates.reportOnlyHint"),
    datatype: "boolean",
    ...whenOn,
  },
  {
    name: "maxDuplicates",
    label: t("duplicates.max"),
    helpText: t("duplicates.maxHint"),
    datatype: "integer",
    ...whenOn,
  },
];

/** Who stays, and with which values. */
const joiningInputs = (t: Words, systems: readonly System[]): InputDefinition[] => [
  ...codeInputs(t, "winner"),
  {
    name: "winner",
    label: t("duplicates.winner"),
    helpText: t("duplicates.winnerHint"),
    datatype: "composite",
    repeatable: true,
    ...whenOn,
  },
  {
    name: "rule",
    label: t("duplicates.rule"),
    datatype: "picklist",
    fieldSet: "winner",
    values: [
      ...(["mostComplete", "oldest", "newest"] as const).map((id) => ({ id, label: t(`duplicates.rule_${id}`) })),
      ...systems.map(({ id, name }) => ({ id: knownIn(id), label: t("duplicates.rule_known", { name }) })),
    ],
  },
  ...codeInputs(t, "values"),
  {
    name: "fields",
    label: t("duplicates.fields"),
    helpText: t("duplicates.fieldsHint"),
    datatype: "composite",
    repeatable: true,
    ...whenOn,
  },
  {
    name: "field",
    label: t("duplicates.field"),
    datatype: "picklist",
    renderType: "coreField",
    fieldSet: "fields",
  },
  {
    name: "policy",
    label: t("duplicates.policy"),
    datatype: "picklist",
    fieldSet: "fields",
    values: FIELD_POLICIES.map((id) => ({ id, label: t(`duplicates.policy_${id}`) })),
  },
];

/** Whether conditions or code decide, and the code. */
const codeInputs = (t: Words, of: "winner" | "values"): InputDefinition[] => [
  {
    name: `${of}By`,
    label: t(`duplicates.${of}By`),
    datatype: "picklist",
    values: CHOSEN_BY.map((id) => ({ id, label: t(`duplicates.by_${id}`) })),
    ...whenOn,
  },
  {
    name: `${of}Code`,
    label: t(`duplicates.${of}Code`),
    helpText: t(`duplicates.${of}CodeHint`),
    datatype: "textarea",
    renderType: "code",
    hideTokenPicker: true,
    ...whenOn,
  },
];

/** Inputs of the way that was not chosen are left out: what is in them stays. */
function chosenInputs(inputs: readonly InputDefinition[], values: DuplicatesForm): InputDefinition[] {
  const hidden = new Set([
    values["winnerBy"] === "code" ? "winner" : "winnerCode",
    ...(values["valuesBy"] === "code" ? [] : ["valuesCode"]),
  ]);
  return inputs.filter(({ name, fieldSet }) => !hidden.has(name) && (fieldSet === undefined || !hidden.has(fieldSet)));
}

export function DuplicateOptions({ entityId, node, configuration, readOnly, onChange }: NodeFormProps) {
  const { t } = useWords("sync");
  const nodes = useEditor((state) => state.graph.nodes);
  const connectors = useConnectors().data?.connectors;
  const entity = useCoreEntity(entityId);
  const inputs = useMemo(() => {
    const used = new Set(nodes.map((node) => node.configuration.connectorId));
    return inputsOf(
      t,
      (connectors ?? []).filter(({ id }) => used.has(id)),
    );
  }, [t, nodes, connectors]);
  const { values, problems, change } = useFormValues({
    key: formKey(node.id, "duplicates"),
    stored: useMemo(() => duplicatesForm(configuration), [configuration]),
    problemsOf: (form) =>
      duplicatesProblems(form, {
        range: t("source.range", { least: 1, most: 100 }),
        match: t("duplicates.matchNeeded"),
      }),
    store: (form, field) => onChange(withDuplicatesForm(configuration, form), { field }),
    isLossy: (form) => !isSameContent(duplicatesForm(withDuplicatesForm(configuration, form)), form),
  });
  return (
    <ConfigForm
      inputs={chosenInputs(inputs, values)}
      values={values}
      readOnly={readOnly}
      fields={entity.data?.fields ?? []}
      problems={problems}
      onChange={change}
    />
  );
}
