/** One text for each variable that the chosen custom action asks for. */
import { Input } from "@mantine/core";
import { useWords } from "../../app/words.ts";
import { TokenInput } from "../token-picker/token-input.tsx";
import { useOptions } from "./choice-input.tsx";
import type { ConfigInputProps, Labelled } from "./input-props.ts";

const asValues = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

export function VariablesInput(props: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  const { options, known } = useOptions(props);
  const { labelled, tokens, onChange } = props;
  const values = asValues(props.value);
  if (known && options.length === 0) return null;
  return (
    <Input.Wrapper label={labelled.label} description={labelled.description} error={labelled.error} labelElement="div">
      <div className="ac-rows" role="group" aria-label={labelled.label}>
        {options.length === 0 ? <p className="ac-config__note">{t("form.chooseFirst")}</p> : null}
        {options.map(({ id, label }) => (
          <TokenInput
            key={id}
            label={label}
            shownLabel={label}
            value={String(values[id] ?? "")}
            disabled={labelled.disabled}
            tokens={tokens}
            onBlur={labelled.onBlur}
            onChange={(text) => onChange({ ...values, [id]: text })}
          />
        ))}
      </div>
    </Input.Wrapper>
  );
}
