/** The cases of a switch: each a name, a value with its type, and the condition under which it holds. */
import { Predicate } from "@accord/contracts/data/predicate";
import { DATA_TYPES } from "@accord/contracts/data/values";
import { ActionIcon, Button, Checkbox, Input, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../app/words.ts";
import { PredicateBuilder } from "../predicate-builder/predicate-builder.tsx";
import { EMPTY_GROUP } from "../predicate-builder/predicate.model.ts";
import { TokenInput } from "../token-picker/token-input.tsx";
import type { TokenGroup } from "../token-picker/token-picker.tsx";
import type { ConfigInputProps, Labelled } from "./input-props.ts";

type Part = Readonly<Record<string, unknown>>;

const asPart = (value: unknown): Part =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const textOf = (value: unknown): string => (value === null || value === undefined ? "" : String(value));

export interface CaseValueProps {
  value: unknown;
  name: string;
  readOnly: boolean;
  tokens: readonly TokenGroup[] | undefined;
  onChange: (value: Part) => void;
}

/** A value and its type. */
export function CaseValueInput({ value, name, readOnly, tokens, onChange }: CaseValueProps) {
  const { t } = useWords("builder");
  const part = asPart(value);
  return (
    <div className="ac-cases__value">
      <TokenInput
        label={`${name}: ${t("form.caseValue")}`}
        shownLabel={t("form.caseValue")}
        value={textOf(part["value"])}
        disabled={readOnly}
        tokens={tokens}
        onChange={(text) => onChange({ ...part, value: text })}
      />
      <Select
        label={t("form.caseType")}
        data={[...DATA_TYPES]}
        value={textOf(part["dataType"]) || "string"}
        disabled={readOnly}
        onChange={(dataType) => onChange({ ...part, dataType })}
      />
    </div>
  );
}

const RESERVED_NAMES = ["default", "any"];
const comparable = (name: string): string => name.trim().toLowerCase();

interface CaseNameProps {
  name: string;
  others: readonly string[];
  disabled: boolean;
  onName: (name: string) => void;
}

/** Edges follow a case by its name: one that is missing or taken stays in the input until it can be used. */
function CaseName({ name, others, disabled, onName }: CaseNameProps) {
  const { t } = useWords("builder");
  const [typed, setTyped] = useState<{ text: string; name: string }>();
  const text = typed?.name === name ? typed.text : name;
  const whyNot = (next: string): "caseNameMissing" | "caseNameTaken" | undefined => {
    if (next.trim() === "") return "caseNameMissing";
    return [...RESERVED_NAMES, ...others].map(comparable).includes(comparable(next)) ? "caseNameTaken" : undefined;
  };
  const problem = text === name ? undefined : whyNot(text);
  return (
    <TextInput
      label={t("form.caseName")}
      value={text}
      error={problem && t(`form.${problem}`, { name })}
      maxLength={120}
      disabled={disabled}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const fits = whyNot(next) === undefined;
        setTyped(fits ? undefined : { text: next, name });
        if (fits) onName(next);
      }}
    />
  );
}

export function CaseList(props: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  const { labelled, onChange } = props;
  const cases = (Array.isArray(props.value) ? props.value : []).map(asPart);
  const set = (index: number, part: Part) =>
    onChange(cases.map((each, at) => (at === index ? { ...each, ...part } : each)));
  const scope = {
    fields: props.fields,
    tokens: (props.tokens ?? []).flatMap((group) => group.tokens),
    pipeline: props.pipeline,
  };
  return (
    <Input.Wrapper
      label={labelled.label}
      description={labelled.description}
      error={labelled.error}
      required={labelled.required}
      labelElement="div"
    >
      <ol className="ac-cases">
        {cases.map((one, index) => {
          const name = textOf(one["name"]) || t("form.row", { row: index + 1 });
          const filters = Predicate.safeParse(one["filters"]);
          return (
            <li key={index} className="ac-cases__case" aria-label={name}>
              <div className="ac-rows__row">
                <CaseName
                  name={textOf(one["name"])}
                  others={cases.filter((_, at) => at !== index).map((other) => textOf(other["name"]))}
                  disabled={labelled.disabled}
                  onName={(next) => set(index, { name: next })}
                />
                {labelled.disabled ? null : (
                  <ActionIcon
                    aria-label={`${t("form.removeCase")}: ${name}`}
                    onClick={() => onChange(cases.filter((_, at) => at !== index))}
                  >
                    <IconTrash size={15} />
                  </ActionIcon>
                )}
              </div>
              <Input.Wrapper label={t("form.caseWhen")} labelElement="div">
                <PredicateBuilder
                  label={`${name}: ${t("form.caseWhen")}`}
                  value={filters.success ? filters.data : EMPTY_GROUP}
                  scope={scope}
                  readOnly={labelled.disabled}
                  onChange={(next) => set(index, { filters: next })}
                />
              </Input.Wrapper>
              <CaseValueInput
                value={one}
                name={name}
                readOnly={labelled.disabled}
                tokens={props.tokens}
                onChange={(part) => set(index, part)}
              />
              <Checkbox
                label={t("form.skipBlank")}
                checked={one["doNotMatchOnBlank"] === true}
                disabled={labelled.disabled}
                onChange={(event) => set(index, { doNotMatchOnBlank: event.currentTarget.checked })}
              />
            </li>
          );
        })}
      </ol>
      {labelled.disabled ? null : (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...cases, { name: "", dataType: "string", value: "", filters: EMPTY_GROUP }])}
        >
          {t("form.addCase")}
        </Button>
      )}
    </Input.Wrapper>
  );
}
