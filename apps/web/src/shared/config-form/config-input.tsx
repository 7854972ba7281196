/** One input of a generated form, by its datatype; an unknown datatype is shown as text. */
import { DataType } from "@accord/contracts/data/values";
import { Predicate } from "@accord/contracts/data/predicate";
import { Autocomplete, Input, MultiSelect, Switch, TagsInput, TextInput } from "@mantine/core";
import { useWords } from "../../app/words.ts";
import { CodeInput } from "./code/code-input.tsx";
import { PredicateBuilder } from "../predicate-builder/predicate-builder.tsx";
import { TokenInput } from "../token-picker/token-input.tsx";
import { CaseList, CaseValueInput } from "./case-list.tsx";
import { ChoiceInput, useOptions } from "./choice-input.tsx";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { columnsOf, isValueList, numberFrom, splitValues, takesTokens } from "./config-form.model.ts";
import { MailBodyInput } from "./mail-body/mail-body-input.tsx";
import { RowList } from "./row-list.tsx";
import { SecretInput } from "./secret-input.tsx";
import { ValueList } from "./value-list.tsx";
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

/** As `asTexts`, but what is a list already keeps its values as they are. */
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : asTexts(value));

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
  if (input.renderType === "code") return <CodeInput labelled={labelled} value={asText(value)} onChange={onChange} />;
  // Tokens hold spaces and commas themselves: with them on offer, addresses stand one under the other.
  if (input.datatype === "emailList" && tokens)
    return <ValueList {...props} Cell={ConfigInput} values={asTexts(value)} labelled={labelled} datatype="email" />;
  if (isValueList(input)) return <ValueList {...props} Cell={ConfigInput} values={asList(value)} labelled={labelled} />;

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
              isLeftFixed: input.lhsDisabled === true,
              comparedAs: DataType.safeParse(input.operatorType).data,
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
      // What is no date, a token for one, is text: a date input would show nothing of it.
      if (input.allowUserToken !== true && isDateText(asText(value), input.datatype !== "date"))
        return (
          <TextInput
            {...labelled}
            type={input.datatype === "date" ? "date" : "datetime-local"}
            step={input.datatype === "date" ? undefined : 1}
            value={toDateInput(asText(value))}
            onChange={(event) => onChange(fromDateInput(event.currentTarget.value, input.datatype !== "date"))}
          />
        );
      return (
        <TokenInput
          {...labelled}
          label={input.label}
          shownLabel={input.label}
          value={asText(value)}
          tokens={tokens}
          onChange={(text) => onChange(text === "" ? null : text)}
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
        <MailBodyInput
          labelled={labelled}
          value={asText(value)}
          isFormatted={props.controllingValue !== "text"}
          tokens={tokens}
          onChange={onChange}
        />
      );
    default:
      return (
        <TokenInput
          {...labelled}
          label={input.label}
          shownLabel={input.label}
          multiline={["textarea", "text", "object"].includes(input.datatype ?? "")}
          isCode={input.datatype === "object"}
          inputMode={INPUT_MODES.get(input.datatype ?? "") ?? "text"}
          value={asText(value)}
          tokens={tokens}
          onChange={onChange}
        />
      );
  }
}

const INPUT_MODES: ReadonlyMap<string, "url" | "email" | "tel"> = new Map([
  ["url", "url"],
  ["email", "email"],
  ["phone", "tel"],
]);

const isDateText = (text: string, isMoment: boolean): boolean =>
  text === "" || (isMoment ? /^\d{4}-\d\d-\d\dT\d\d:\d\d/ : /^\d{4}-\d\d-\d\d$/).test(text);

/** Seconds stay where there are any. */
const toDateInput = (text: string): string => text.replace(/(\.0+)?Z$/, "").replace(/(T\d\d:\d\d):00$/, "$1");

/** UTC, as the product stores moments: the input's text is taken as UTC, so that it reads back the same. */
const fromDateInput = (text: string, isMoment: boolean): string | null =>
  text === "" ? null : isMoment ? `${text.length === 16 ? `${text}:00` : text}.000Z` : text;

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
  const { t } = useWords("builder");
  const data =
    props.input.datatype === "multiselectField"
      ? props.fields.map((field) => ({ value: field.apiName, label: field.displayName }))
      : options.map((option) => ({ value: option.id, label: option.label }));
  // As in choices of one: what is no option any more stays until somebody takes it out.
  const absent = asTexts(props.value).filter((each) => !data.some(({ value }) => value === each));
  const isKnown = data.length > 0;
  return (
    <MultiSelect
      {...props.labelled}
      error={
        props.labelled.error ??
        (isKnown && absent.length > 0 ? t("form.choicesAbsent", { names: absent.join(", ") }) : undefined)
      }
      data={[...data, ...absent.map((each) => ({ value: each, label: each }))]}
      searchable
      clearable={props.input.allowClear === true}
      value={asTexts(props.value)}
      nothingFoundMessage={note}
      onChange={props.onChange}
    />
  );
}
