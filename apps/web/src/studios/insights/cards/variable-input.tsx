/** One variable's value, in the control that suits its type. */
import type { Value } from "@accord/contracts/data/values";
import { isBlankVariable, type Variable } from "@accord/contracts/insights/variables";
import { NumberInput, Switch, TextInput } from "@mantine/core";

export interface VariableInputProps {
  variable: Pick<Variable, "displayName" | "datatype" | "multiValueField" | "required">;
  value: Value | undefined;
  required?: boolean;
  error?: string | undefined;
  onChange: (value: Value) => void;
}

/** Whether the control shows a value though there is none: a switch has no blank, it is off. */
export const isShownOff = (
  { datatype, multiValueField }: Pick<Variable, "datatype" | "multiValueField">,
  value: Value | undefined,
): boolean => datatype === "boolean" && !multiValueField && isBlankVariable(value);

export function VariableInput({ variable, value, required = variable.required, error, onChange }: VariableInputProps) {
  const common = { label: variable.displayName, error, withAsterisk: required };
  const text = value === null || value === undefined ? "" : Array.isArray(value) ? value.join("; ") : String(value);
  if (variable.multiValueField)
    return (
      <TextInput {...common} description=";" value={text} onChange={(event) => onChange(event.currentTarget.value)} />
    );
  switch (variable.datatype) {
    case "boolean":
      return (
        <Switch
          label={variable.displayName}
          error={error}
          checked={value === true || value === "true"}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "integer":
    case "double":
      return (
        <NumberInput
          {...common}
          value={text === "" ? "" : Number(text)}
          allowDecimal={variable.datatype === "double"}
          onChange={(next) => onChange(next === "" ? "" : Number(next))}
        />
      );
    case "date":
      return (
        <TextInput
          {...common}
          type="date"
          value={text.slice(0, 10)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case "datetime":
    case "timestamp":
      return (
        <TextInput
          {...common}
          type="datetime-local"
          value={text.slice(0, 16)}
          onChange={(event) => onChange(event.currentTarget.value === "" ? "" : `${event.currentTarget.value}:00.000Z`)}
        />
      );
    default:
      return <TextInput {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
}
