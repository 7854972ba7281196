/** The cases of a switch: each a name, a value with its type, and the condition under which it holds. */
import { Predicate } from "@accord/contracts/data/predicate";
import { DATA_TYPES } from "@accord/contracts/data/values";
import { Button, Checkbox, Input, Select, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useWords } from "../../app/words.ts";
import { useTypeChoices } from "../words/type-words.ts";
import { PredicateBuilder } from "../predicate-builder/predicate-builder.tsx";
import { EMPTY_GROUP } from "../predicate-builder/predicate.model.ts";
import { TokenInput } from "../token-picker/token-input.tsx";
import type { TokenGroup } from "../token-picker/token-text.model.ts";
import {
  asPart,
  caseNameProblem,
  type NamedCases,
  moveCase,
  nameOf,
  type Part,
  removeCase,
  textOf,
  typedName,
  typeName,
} from "./case-names.model.ts";
import type { FormValues } from "./config-form.model.ts";
import type { ConfigInputProps, Labelled } from "./input-props.ts";
import { RowActions, useRowOrder } from "./row-actions.tsx";

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
  const typeChoices = useTypeChoices();
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
        data={typeChoices(DATA_TYPES)}
        value={textOf(part["dataType"]) || "string"}
        disabled={readOnly}
        onChange={(dataType) => onChange({ ...part, dataType })}
      />
    </div>
  );
}

interface CaseNameProps {
  /** As stored. */
  name: string;
  /** As typed, where that can't be stored. */
  text: string | undefined;
  problem: "caseNameMissing" | "caseNameTaken" | undefined;
  disabled: boolean;
  /** Whether it was just added: what is typed next is its name. */
  isNew: boolean;
  onText: (text: string) => void;
}

/** A name that is missing or taken stays in the input until it can be used. */
function CaseName({ name, text = name, problem, disabled, isNew, onText }: CaseNameProps) {
  const { t } = useWords("builder");
  return (
    <TextInput
      label={t("form.caseName")}
      value={text}
      error={problem && t(`form.${problem}`, { name })}
      maxLength={120}
      disabled={disabled}
      autoFocus={isNew}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

export function CaseList(props: ConfigInputProps & { labelled: Labelled }) {
  const { t } = useWords("builder");
  const { labelled, onChange } = props;
  const cases = (Array.isArray(props.value) ? props.value : []).map(asPart);
  const [own, setOwn] = useState<FormValues | null>(null);
  // Forms whose values are kept beyond their closing keep this too.
  const invalid = props.invalid ?? { values: own ?? undefined, keep: setOwn };
  const typed = invalid.values ?? {};
  const apply = (next: NamedCases) => {
    invalid.keep(next.typed);
    if (next.cases.length !== cases.length || next.cases.some((one, index) => one !== cases[index]))
      onChange(next.cases);
  };
  const [added, setAdded] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const order = useRowOrder({
    list,
    count: cases.length,
    isFixed: labelled.disabled,
    onMove: (from, to) => apply(moveCase(cases, typed, from, to)),
  });
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
      <ol className="ac-cases" ref={list}>
        {cases.map((one, index) => {
          const name = nameOf(one) || t("form.row", { row: index + 1 });
          const text = typedName(typed, cases, index);
          const filters = Predicate.safeParse(one["filters"]);
          return (
            <li
              key={index}
              data-row
              className="ac-cases__case"
              aria-label={name}
              onKeyDown={(event) => order.onKeyDown(event, index)}
            >
              <div className="ac-rows__row">
                <CaseName
                  name={nameOf(one)}
                  text={text}
                  problem={text === undefined ? undefined : caseNameProblem(cases, index, text)}
                  disabled={labelled.disabled}
                  isNew={index === added}
                  onText={(next) => apply(typeName(cases, typed, index, next))}
                />
                {labelled.disabled ? null : (
                  <RowActions
                    index={index}
                    count={cases.length}
                    name={name}
                    removeLabel={`${t("form.removeCase")}: ${name}`}
                    move={order.move}
                    onRemove={() => apply(removeCase(cases, typed, index))}
                  />
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
          onClick={() => {
            setAdded(cases.length);
            onChange([...cases, { name: "", dataType: "string", value: "", filters: EMPTY_GROUP }]);
          }}
        >
          {t("form.addCase")}
        </Button>
      )}
    </Input.Wrapper>
  );
}
