/** One input of a generated form, by its datatype; an unknown datatype is shown as text. */
import { Predicate } from "@accord/contracts/data/predicate";
import { decodeBody, encodeBody } from "@accord/contracts/sync/mail-body";
import { Field } from "@accord/ui";
import { Autocomplete, Button, Input, MultiSelect, PasswordInput, Switch, TagsInput, TextInput } from "@mantine/core";
import { useWords } from "../../app/words.ts";
import { PredicateBuilder } from "../predicate-builder/predicate-builder.tsx";
import { TokenInput } from "../token-picker/token-input.tsx";
import { CaseList, CaseValueInput } from "./case-list.tsx";
import { ChoiceInput, useOptions } from "./choice-input.tsx";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { columnsOf, numberFrom, splitValues, takesTokens } from "./config-form.model.ts";
import { RowList } from "./row-list.tsx";
import { TextList } from "./text-list.tsx";
import { VariablesInput } from "./variables-input.tsx";

const asText = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value, null, 2)
      : String(value);

const asTexts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(asText)
    : value === undefined || value === null || value === ""
      ? []
      : splitValues(asText(value));

export function ConfigInput(props: ConfigInputProps) {
  const { input, value, onChange } = props;
  const disabled = props.readOnly || input.readOnly === true || input.disabled === true;
  const labelled = {
    label: input.label,
    description: input.helpText ?? input.helpSummary,
    error: props.problem,
    required: input.required === true,
    disabled,
    onBlur: props.onTouched,
  };
  const tokens = takesTokens(input) ? props.tokens : undefined;
  if (input.secret || input.datatype === "password") return <SecretInput {...props} labelled={labelled} />;
  if (input.renderType === "pairs" || input.datatype === "composite")
    return <RowList {...props} Cell={ConfigInput} columns={columnsOf(input, props.inputs)} labelled={labelled} />;
  if (input.renderType === "actionVariables") return <VariablesInput {...props} tokens={tokens} labelled={labelled} />;
  // Tokens hold spaces and commas themselves: with them on offer, addresses stand one under the other.
  if (input.datatype === "emailList" && tokens)
    return <TextList value={asTexts(value)} labelled={labelled} tokens={tokens} onChange={onChange} />;
  const isTextList =
    input.repeatable === true && ["string", "text", "textarea", "url", "id"].includes(input.datatype ?? "string");
  if (isTextList) return <TextList value={asTexts(value)} labelled={labelled} tokens={tokens} onChange={onChange} />;

  switch (input.datatype) {
    case "boolean":
      return (
        <Switch
          label={input.label}
          description={labelled.description}
          error={props.problem}
          disabled={disabled}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "predicate": {
      const parsed = Predicate.safeParse(value);
      return (
        <Input.Wrapper
          label={input.label}
          description={labelled.description}
          error={props.problem}
          required={labelled.required}
          labelElement="div"
        >
          <PredicateBuilder
            label={input.label}
            value={parsed.success ? parsed.data : null}
            readOnly={disabled}
            scope={{
              fields: props.fields,
              tokens: (props.tokens ?? []).flatMap((group) => group.tokens),
              pipeline: props.pipeline,
            }}
            onChange={onChange}
          />
        </Input.Wrapper>
      );
    }
    case "case":
      return input.repeatable === true ? (
        <CaseList {...props} labelled={labelled} />
      ) : (
        <Input.Wrapper label={input.label} description={labelled.description} error={props.problem} labelElement="div">
          <CaseValueInput
            value={value}
            name={input.label}
            readOnly={disabled}
            tokens={props.tokens}
            onChange={onChange}
          />
        </Input.Wrapper>
      );
    case "picklist":
    case "reference":
      return <ChoiceInput {...props} labelled={labelled} />;
    case "picklistCombo":
      return <ComboInput {...props} labelled={labelled} />;
    case "multiselect":
    case "multiselectField":
      return <SeveralInput {...props} labelled={labelled} />;
    case "emailList":
      return (
        <TagsInput
          {...labelled}
          value={asTexts(value)}
          splitChars={[";", ",", " "]}
          acceptValueOnBlur
          onChange={onChange}
        />
      );
    case "date":
    case "datetime":
    case "timestamp":
      return (
        <TextInput
          {...labelled}
          type={input.datatype === "date" ? "date" : "datetime-local"}
          value={asText(value).replace(/(:\d\d)?(\.\d+)?Z$/, "")}
          onChange={(event) => onChange(fromDateInput(event.currentTarget.value, input.datatype !== "date"))}
        />
      );
    case "integer":
    case "double":
      return (
        <TokenInput
          {...labelled}
          label={input.label}
          shownLabel={input.label}
          inputMode={input.datatype === "integer" ? "numeric" : "decimal"}
          value={asText(value)}
          tokens={input.allowUserToken ? tokens : undefined}
          onChange={(text) => onChange(numberFrom(text))}
        />
      );
    case "emailBody":
      return (
        <TokenInput
          {...labelled}
          label={input.label}
          shownLabel={input.label}
          multiline
          value={decodeBody(asText(value))}
          tokens={tokens}
          onChange={(text) => onChange(encodeBody(text))}
        />
      );
    default:
      return (
        <TokenInput
          {...labelled}
          label={input.label}
          shownLabel={input.label}
          multiline={["textarea", "text", "object"].includes(input.datatype ?? "")}
          inputMode={input.datatype === "url" ? "url" : input.datatype === "email" ? "email" : "text"}
          value={asText(value)}
          tokens={tokens}
          onChange={onChange}
        />
      );
  }
}

/** UTC, as the product stores moments: the input's text is taken as UTC, so that it reads back the same. */
const fromDateInput = (text: string, isMoment: boolean): string | null =>
  text === "" ? null : isMoment ? `${text.length === 16 ? `${text}:00` : text}.000Z` : text;

/** Write-only: a saved secret shows that it is there and can be replaced, never what it is. */
function SecretInput({ value, isConfigured, onChange, labelled }: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  if (isConfigured && value === undefined)
    return (
      <Field label={labelled.label} help={labelled.description} problem={labelled.error} required={labelled.required}>
        {(ids) => (
          <div className="ac-config__secret">
            <span aria-hidden>••••••••</span>
            <small>{t("form.secretHint")}</small>
            <Button {...ids} size="xs" variant="default" disabled={labelled.disabled} onClick={() => onChange("")}>
              {t("form.replace")}
            </Button>
          </div>
        )}
      </Field>
    );
  return (
    <div className="ac-config__replace">
      <PasswordInput
        {...labelled}
        autoComplete="new-password"
        value={asText(value)}
        visibilityToggleButtonProps={{ "aria-label": t("form.set") }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isConfigured ? (
        <Button size="xs" variant="subtle" onClick={() => onChange(undefined)}>
          {t("form.keep")}
        </Button>
      ) : null}
    </div>
  );
}

function ComboInput(props: ConfigInputProps & { labelled: Labelled }) {
  const { options } = useOptions(props);
  const label = options.find((option) => option.id === props.value)?.label ?? asText(props.value);
  return (
    <Autocomplete
      {...props.labelled}
      data={options.map((option) => option.label)}
      value={label}
      onChange={(text) => props.onChange(options.find((option) => option.label === text)?.id ?? text)}
    />
  );
}

function SeveralInput(props: ConfigInputProps & { labelled: Labelled }) {
  const { options, note } = useOptions(props);
  const data =
    props.input.datatype === "multiselectField"
      ? props.fields.map((field) => ({ value: field.apiName, label: field.displayName }))
      : options.map((option) => ({ value: option.id, label: option.label }));
  return (
    <MultiSelect
      {...props.labelled}
      data={data}
      searchable
      clearable={props.input.allowClear === true}
      value={asTexts(props.value)}
      nothingFoundMessage={note}
      onChange={props.onChange}
    />
  );
}
