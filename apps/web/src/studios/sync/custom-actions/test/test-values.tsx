/** One input for each variable of the action, for the values of a test. */
import type { ActionVariable } from "@accord/contracts/sync/actions";
import type { Value } from "@accord/contracts/data/values";
import { textOf } from "@accord/expressions";
import { Select, TagsInput, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { ActionForm } from "../use-action-form.ts";

interface Props {
  form: ActionForm;
  /** By variable. */
  problems: ReadonlyMap<string, string>;
  /** What is only missing is shown after a press. */
  showsAll: boolean;
}

export function TestValues({ form: { draft, edit }, problems, showsAll }: Props) {
  const { t } = useWords("customActions");
  const { variables, variableValues } = draft;
  const named = variables.filter(({ name }) => name !== "");
  if (named.length === 0) return <p className="ac-quiet">{t("test.noVariables")}</p>;
  return (
    <div className="ac-action-values" role="group" aria-label={t("test.values")}>
      {named.map((variable, index) => {
        const value = variableValues[variable.name] ?? null;
        const isQuiet = !showsAll && textOf(value) === "";
        return (
          <ValueInput
            key={index}
            variable={variable}
            value={value}
            problem={isQuiet ? undefined : problems.get(variable.name)}
            onChange={(next) =>
              edit({ variableValues: { ...variableValues, [variable.name]: next } }, `variableValues.${variable.name}`)
            }
          />
        );
      })}
    </div>
  );
}

interface ValueInputProps {
  variable: ActionVariable;
  value: Value;
  problem: string | undefined;
  onChange: (value: Value) => void;
}

function ValueInput({ variable, value, problem, onChange }: ValueInputProps) {
  const { t } = useWords("customActions");
  const { name, type, required, multivalued, defaultValue } = variable;
  const shared = {
    label: name,
    description: type === "any" ? undefined : t(`variables.type_${type}`),
    required: required && defaultValue === null,
    error: problem,
  };
  if (multivalued)
    return (
      <TagsInput
        {...shared}
        placeholder={t("test.listHint")}
        acceptValueOnBlur
        value={Array.isArray(value) ? value.map(textOf) : textOf(value).split(";").filter(Boolean)}
        onChange={onChange}
      />
    );
  if (type === "boolean")
    return (
      <Select
        {...shared}
        placeholder={t("test.blank")}
        clearable
        data={[
          { value: "true", label: t("test.true") },
          { value: "false", label: t("test.false") },
        ]}
        value={textOf(value) || null}
        onChange={onChange}
      />
    );
  return (
    <TextInput
      {...shared}
      inputMode={type === "number" ? "decimal" : "text"}
      placeholder={textOf(defaultValue)}
      autoComplete="off"
      value={typeof value === "object" && value !== null ? JSON.stringify(value) : textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
