/** The variables of an action: what each node that performs it is asked for. */
import { ACTION_VARIABLE_TYPES, type ActionVariable } from "@accord/contracts/sync/actions";
import type { Value } from "@accord/contracts/data/values";
import { Card, FormIntro } from "@accord/ui";
import { textOf } from "@accord/expressions";
import { ActionIcon as IconButton, Button, Checkbox, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useRef } from "react";
import { useWords } from "../../../../app/words.ts";
import { useFocusOnceShown } from "../../../../shared/focus-once-shown.ts";
import { NEW_VARIABLE, renameVariable } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";

export function VariablesCard({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  const rows = useRef<HTMLDivElement>(null);
  const focusOnceShown = useFocusOnceShown();
  const add = () => {
    edit({ variables: [...draft.variables, NEW_VARIABLE] });
    // Its name is what one types next.
    focusOnceShown(() => rows.current?.querySelector<HTMLElement>(":scope > :last-child input"));
  };
  return (
    <Card title={t("variables.title")} className="ac-action-card">
      <FormIntro>{t("variables.lead", { open: "{{", close: "}}" })}</FormIntro>
      {draft.variables.length === 0 ? (
        <p className="ac-quiet">{t("variables.none")}</p>
      ) : (
        <div ref={rows} className="ac-action-variables" role="group" aria-label={t("variables.title")}>
          <div className="ac-action-variable ac-action-variable--head" aria-hidden>
            <span>{t("variables.name")}</span>
            <span>{t("variables.type")}</span>
            <span>{t("variables.default")}</span>
            <span>{t("variables.required")}</span>
            <span>{t("variables.many")}</span>
          </div>
          {draft.variables.map((variable, index) => (
            <VariableRow key={index} form={form} variable={variable} index={index} />
          ))}
        </div>
      )}
      {problemOf("variables") ? <p role="alert">{problemOf("variables")}</p> : null}
      {readOnly ? null : (
        <div>
          <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={add}>
            {t("variables.add")}
          </Button>
        </div>
      )}
    </Card>
  );
}

const NO_DEFAULT: Value = null;

function VariableRow({ form, variable, index }: { form: ActionForm; variable: ActionVariable; index: number }) {
  const { t } = useWords("customActions");
  const { draft, edit, problemOf, readOnly } = form;
  const row = index + 1;
  const path = (name: keyof ActionVariable) => `variables.${index}.${name}`;
  const set = (part: Partial<ActionVariable>, name: keyof ActionVariable) =>
    edit({ variables: draft.variables.with(index, { ...variable, ...part }) }, path(name));
  const rename = (name: string) => {
    const { variables, variableValues } = renameVariable(draft, index, name);
    edit({ variables, variableValues }, path("name"));
  };
  return (
    <div className="ac-action-variable">
      <TextInput
        aria-label={t("variables.nameOf", { row })}
        placeholder={t("variables.name")}
        maxLength={60}
        readOnly={readOnly}
        value={variable.name}
        error={problemOf(path("name"))}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        onChange={(event) => rename(event.currentTarget.value.trim())}
      />
      <Select
        aria-label={t("variables.typeOf", { row })}
        data={ACTION_VARIABLE_TYPES.map((type) => ({ value: type, label: t(`variables.type_${type}`) }))}
        value={variable.type}
        allowDeselect={false}
        readOnly={readOnly}
        onChange={(value) => set({ type: ACTION_VARIABLE_TYPES.find((type) => type === value) ?? "any" }, "type")}
      />
      <TextInput
        aria-label={t("variables.defaultOf", { row })}
        placeholder={t("variables.default")}
        readOnly={readOnly}
        value={textOf(variable.defaultValue)}
        error={problemOf(path("defaultValue"))}
        onChange={(event) => set({ defaultValue: event.currentTarget.value || NO_DEFAULT }, "defaultValue")}
      />
      <Checkbox
        aria-label={t("variables.requiredOf", { row })}
        label={<span className="ac-action-variable__narrow">{t("variables.required")}</span>}
        checked={variable.required}
        disabled={readOnly}
        onChange={(event) => set({ required: event.currentTarget.checked }, "required")}
      />
      <Checkbox
        aria-label={t("variables.manyOf", { row })}
        label={<span className="ac-action-variable__narrow">{t("variables.many")}</span>}
        checked={variable.multivalued}
        disabled={readOnly}
        onChange={(event) => set({ multivalued: event.currentTarget.checked }, "multivalued")}
      />
      {readOnly ? null : (
        <IconButton
          aria-label={t("variables.remove", { row })}
          onClick={() => edit({ variables: draft.variables.toSpliced(index, 1) })}
        >
          <IconTrash size={15} />
        </IconButton>
      )}
    </div>
  );
}
