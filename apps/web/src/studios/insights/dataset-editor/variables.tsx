/** The variables of a dataset, and the popover that makes or changes one. */
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { Value } from "@accord/contracts/data/values";
import {
  isBlankVariable,
  type Variable,
  VARIABLE_DATATYPES,
  variableApiName,
} from "@accord/contracts/insights/variables";
import { Card, ErrorBox } from "@accord/ui";
import { ActionIcon, Button, Checkbox, Popover, Select, TextInput } from "@mantine/core";
import { IconPencil, IconPlus, IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useWords } from "../../../app/words.ts";
import { isShownOff, VariableInput } from "../cards/variable-input.tsx";
import { typedValue } from "./dataset.model.ts";

interface VariablesProps {
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
}

export function Variables({ config, onChange }: VariablesProps) {
  const { t } = useWords("insights");
  const { variables } = config;
  const [open, setOpen] = useState<number | null>(null);
  const save = (at: number, variable: Variable): void => {
    onChange({
      ...config,
      variables:
        at === variables.length
          ? [...variables, variable]
          : variables.map((one, place) => (place === at ? variable : one)),
    });
    setOpen(null);
  };
  const popover = (at: number, target: React.ReactNode) => (
    <Popover
      opened={open === at}
      onChange={(shown) => !shown && setOpen(null)}
      width={320}
      position="bottom-end"
      trapFocus
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown>
        <VariableForm
          before={variables[at]}
          others={variables.filter((_, place) => place !== at)}
          onSave={(variable) => save(at, variable)}
        />
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <Card
      title={t("editor.variables")}
      actions={popover(
        variables.length,
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => setOpen(variables.length)}
        >
          {t("editor.addVariable")}
        </Button>,
      )}
    >
      {variables.length === 0 ? <p className="ac-quiet">{t("editor.variableInfo")}</p> : null}
      <ul className="ac-columns">
        {variables.map((variable, at) => (
          <li key={variable.apiName}>
            <span className="ac-columns__name">{variable.displayName}</span>
            <code>{`{{${variable.apiName}}}`}</code>
            {popover(
              at,
              <ActionIcon
                variant="subtle"
                color="idle"
                aria-label={t("editor.editVariable", { name: variable.displayName })}
                onClick={() => setOpen(at)}
              >
                <IconPencil size={15} />
              </ActionIcon>,
            )}
            <ActionIcon
              variant="subtle"
              color="idle"
              aria-label={t("editor.removeVariable", { name: variable.displayName })}
              onClick={() => onChange({ ...config, variables: variables.filter((_, place) => place !== at) })}
            >
              <IconX size={15} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Type, flags and default value of a variable that is being made: the default suits the two others. */
function useTypedDefault(before: Variable | undefined) {
  const [datatype, setDatatype] = useState<Variable["datatype"]>(before?.datatype ?? "string");
  const [flags, setFlags] = useState({
    required: before?.required ?? false,
    multiValueField: before?.multiValueField ?? false,
    updatable: before?.updatable ?? true,
  });
  const [typed, setValue] = useState<Value>(before?.variableDefaultValue?.defaultValue ?? "");
  const value = flags.required && isShownOff({ datatype, ...flags }, typed) ? false : typed;
  /** What was typed for another kind of input means nothing in this one. */
  const change = (next: Variable["datatype"], nextFlags: typeof flags): void => {
    const isText = isTyped(datatype, flags.multiValueField) && isTyped(next, nextFlags.multiValueField);
    if (!isText && (next !== datatype || nextFlags.multiValueField !== flags.multiValueField)) setValue("");
    setDatatype(next);
    setFlags(nextFlags);
  };
  return { datatype, flags, value, setValue, change };
}

function VariableForm({
  before,
  others,
  onSave,
}: {
  before: Variable | undefined;
  others: readonly Variable[];
  onSave: (variable: Variable) => void;
}) {
  const { t } = useWords("insights");
  const [displayName, setDisplayName] = useState(before?.displayName ?? "");
  const { datatype, flags, value, setValue, change } = useTypedDefault(before);
  const [problem, setProblem] = useState<string>();
  const apiName = before?.apiName ?? variableApiName(displayName);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const found = problemOf();
    setProblem(found && t(`editor.${found}`));
    if (found) return;
    const variableDefaultValue = isBlankVariable(value)
      ? null
      : {
          datatype,
          defaultValue: typedValue(value, flags.multiValueField ? "string" : datatype),
          defaultValueType: "LITERAL" as const,
        };
    onSave({ apiName, displayName: displayName.trim(), datatype, ...flags, variableDefaultValue });
  };
  const problemOf = () => {
    if (displayName.trim() === "") return "variable_name_required" as const;
    if (!/^[\p{L}\p{N} _-]*$/u.test(displayName) || apiName === "") return "noSpecialCharacters" as const;
    const same = (one: Variable): boolean =>
      one.apiName === apiName || one.displayName.toLowerCase() === displayName.trim().toLowerCase();
    if (others.some(same)) return "duplicate_not_allowed" as const;
    return flags.required && isBlankVariable(value) ? ("defaultRequired" as const) : undefined;
  };
  const flag = (name: keyof typeof flags, label: string) => (
    <Checkbox
      label={label}
      checked={flags[name]}
      onChange={(event) => change(datatype, { ...flags, [name]: event.currentTarget.checked })}
    />
  );
  return (
    <form className="ac-form" onSubmit={submit}>
      {problem ? <ErrorBox message={problem} /> : null}
      <TextInput
        label={t("editor.variableName")}
        description={apiName ? `{{${apiName}}}` : undefined}
        value={displayName}
        onChange={(event) => setDisplayName(event.currentTarget.value)}
      />
      <Select
        label={t("editor.variableType")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        value={datatype}
        data={[...VARIABLE_DATATYPES]}
        onChange={(next) => change(VARIABLE_DATATYPES.find((one) => one === next) ?? "string", flags)}
      />
      <VariableInput
        variable={{
          displayName: t("editor.variableDefault"),
          datatype,
          multiValueField: flags.multiValueField,
          required: flags.required,
        }}
        value={value}
        onChange={setValue}
      />
      {flag("required", t("editor.variableRequired"))}
      {flag("multiValueField", t("editor.variableMulti"))}
      {flag("updatable", t("editor.variableUpdatable"))}
      <Button type="submit">{t("editor.variableSave")}</Button>
    </form>
  );
}

/** Whether its values are entered as text: several values of any type are, between semicolons. */
const isTyped = (datatype: Variable["datatype"], isMultiple: boolean): boolean =>
  isMultiple || datatype === "string" || datatype === "picklist";
