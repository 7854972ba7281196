/** What a condition compares with: an input that fits the field and the operator, or another field, token or variable. */
import type { Condition, Operand } from "@accord/contracts/data/predicate";
import { kindOf } from "@accord/expressions";
import { SearchSelect } from "@accord/ui";
import { ActionIcon, Menu, MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useWords } from "../../app/words.ts";
import { keyOf, operandOf, useOperandChoices, withPresent } from "./operand-choices.ts";
import {
  isMisfit,
  literalFrom,
  rightSideOf,
  textOfLiteral,
  withRight,
  type BuilderField,
  type BuilderScope,
} from "./predicate.model.ts";

export interface RightSideProps {
  condition: Condition;
  field: BuilderField | undefined;
  scope: BuilderScope;
  readOnly: boolean;
  onChange: (condition: Condition) => void;
}

const EMPTY: Operand = { kind: "literal", value: null };

export function RightSideInput({ condition, field, scope, readOnly, onChange }: RightSideProps) {
  const { t } = useWords("builder");
  const set = (index: number) => (operand: Operand) => onChange(withRight(condition, index, operand));
  const shared = { field, scope, readOnly };
  switch (rightSideOf(condition.operator)) {
    case "none":
      return <span className="ac-predicate__right" />;
    case "list":
      return <ListInput condition={condition} field={field} readOnly={readOnly} onChange={onChange} />;
    case "two":
      return (
        <span className="ac-predicate__right">
          <OperandInput {...shared} label={t("predicate.from")} value={condition.right[0] ?? EMPTY} onChange={set(0)} />
          <span className="ac-predicate__and">{t("predicate.and")}</span>
          <OperandInput {...shared} label={t("predicate.to")} value={condition.right[1] ?? EMPTY} onChange={set(1)} />
        </span>
      );
    case "amount":
    case "length": {
      const unit =
        rightSideOf(condition.operator) === "length"
          ? t("predicate.characters")
          : condition.operator.endsWith("Days")
            ? t("predicate.days")
            : condition.operator.endsWith("Weeks")
              ? t("predicate.weeks")
              : t("predicate.months");
      return (
        <span className="ac-predicate__right">
          <LiteralInput
            field={{ apiName: "", displayName: "", dataType: "integer" }}
            label={`${t("predicate.value")} (${unit})`}
            value={condition.right[0] ?? EMPTY}
            readOnly={readOnly}
            onChange={set(0)}
          />
          <span className="ac-predicate__and">{unit}</span>
        </span>
      );
    }
    case "pattern":
      return (
        <span className="ac-predicate__right">
          <LiteralInput
            field={undefined}
            mono
            label={t("predicate.value")}
            value={condition.right[0] ?? EMPTY}
            readOnly={readOnly}
            onChange={set(0)}
          />
        </span>
      );
    case "dataset":
      return (
        <span className="ac-predicate__right">
          {[t("predicate.dataset"), t("predicate.column")].map((label, index) => (
            <LiteralInput
              key={label}
              field={undefined}
              label={label}
              value={condition.right[index] ?? EMPTY}
              readOnly={readOnly}
              onChange={set(index)}
            />
          ))}
        </span>
      );
    case "value":
      return (
        <span className="ac-predicate__right">
          <OperandInput
            {...shared}
            label={t("predicate.value")}
            value={condition.right[0] ?? EMPTY}
            onChange={set(0)}
          />
        </span>
      );
  }
}

interface OperandInputProps {
  field: BuilderField | undefined;
  scope: BuilderScope;
  readOnly: boolean;
  label: string;
  value: Operand;
  onChange: (operand: Operand) => void;
}

/** A fixed value, or, after pressing the arrows beside it, another field, token or variable. */
function OperandInput({ field, scope, readOnly, label, value, onChange }: OperandInputProps) {
  const { t } = useWords("builder");
  const choices = useOperandChoices(scope);
  const isLiteral = value.kind === "literal";
  const firstKey = choices[0]?.items[0]?.value;
  const shown = withPresent(choices, value, t("predicate.unknownField", { field: "" }).trim());
  return (
    <span className="ac-predicate__operand">
      {isLiteral ? (
        <LiteralInput field={field} label={label} value={value} readOnly={readOnly} onChange={onChange} />
      ) : (
        <SearchSelect
          aria-label={label}
          data={shown.choices}
          value={keyOf(value)}
          error={!shown.isKnown}
          limit={200}
          disabled={readOnly}
          onChange={(key) => key && onChange(operandOf(key))}
        />
      )}
      {readOnly || firstKey === undefined ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={26} aria-label={t("predicate.compareWith")}>
              <IconArrowsExchange size={14} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t("predicate.compareWith")}</Menu.Label>
            <Menu.Item disabled={isLiteral} onClick={() => onChange(EMPTY)}>
              {t("predicate.fixedValue")}
            </Menu.Item>
            <Menu.Item disabled={!isLiteral} onClick={() => onChange(operandOf(firstKey))}>
              {scope.tokens?.length
                ? `${t("predicate.otherField")} / ${t("predicate.token")}`
                : t("predicate.otherField")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </span>
  );
}

interface LiteralInputProps {
  field: BuilderField | undefined;
  label: string;
  value: Operand;
  readOnly: boolean;
  mono?: boolean;
  onChange: (operand: Operand) => void;
}

function LiteralInput({ field, label, value, readOnly, mono = false, onChange }: LiteralInputProps) {
  const { t } = useWords("builder");
  const text = value.kind === "literal" ? textOfLiteral(value.value) : "";
  const set = (next: string) => onChange({ kind: "literal", value: literalFrom(next, field) });
  const kind = field ? kindOf(field) : "text";
  if (field?.picklist && field.picklist.length > 0) {
    const choices = field.picklist.map((option) => ({ value: option.id, label: option.label }));
    return (
      <SearchSelect
        aria-label={label}
        data={choices}
        value={text === "" ? null : text}
        disabled={readOnly}
        onChange={(next) => set(next ?? "")}
      />
    );
  }
  if (kind === "boolean")
    return (
      <Select
        aria-label={label}
        data={[
          { value: "true", label: t("predicate.yes") },
          { value: "false", label: t("predicate.no") },
        ]}
        value={text === "" ? null : text}
        disabled={readOnly}
        onChange={(next) => onChange({ kind: "literal", value: next === null ? null : next === "true" })}
      />
    );
  const isNumber = kind === "integer" || kind === "double" || kind === "decimal";
  return (
    <TextInput
      aria-label={label}
      type={kind === "date" ? "date" : kind === "moment" ? "datetime-local" : "text"}
      inputMode={kind === "integer" ? "numeric" : isNumber ? "decimal" : undefined}
      value={kind === "moment" ? localMoment(text) : text}
      error={isMisfit(text, field) ? t(kind === "integer" ? "predicate.notWhole" : "predicate.notNumber") : undefined}
      disabled={readOnly}
      className={mono ? "ac-predicate__mono" : undefined}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        set(kind === "moment" && typed !== "" ? new Date(typed).toISOString() : typed);
      }}
    />
  );
}

/** A UTC moment as the browser's date-time input wants it, in the browser's zone. */
function localMoment(text: string): string {
  const at = new Date(text);
  if (text === "" || Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface ListInputProps {
  condition: Condition;
  field: BuilderField | undefined;
  readOnly: boolean;
  onChange: (condition: Condition) => void;
}

/** Several values: a choice from a picklist, or tags; a pasted list is cut at semicolons. */
function ListInput({ condition, field, readOnly, onChange }: ListInputProps) {
  const { t } = useWords("builder");
  const present = condition.right.flatMap((operand) =>
    operand.kind === "literal" ? [textOfLiteral(operand.value)] : [],
  );
  const set = (values: string[]) =>
    onChange({
      ...condition,
      right: values.map((value): Operand => ({ kind: "literal", value: literalFrom(value, field) })),
    });
  if (field?.picklist && field.picklist.length > 0)
    return (
      <span className="ac-predicate__right">
        <MultiSelect
          aria-label={t("predicate.value")}
          data={field.picklist.map((option) => ({ value: option.id, label: option.label }))}
          value={present}
          searchable
          disabled={readOnly}
          onChange={set}
        />
      </span>
    );
  return (
    <span className="ac-predicate__right">
      <TagsInput
        error={present.some((text) => isMisfit(text, field)) ? t("predicate.notNumbers") : undefined}
        aria-label={t("predicate.value")}
        placeholder={present.length === 0 ? t("predicate.severalHint") : ""}
        splitChars={[";", "\n"]}
        value={present}
        disabled={readOnly}
        acceptValueOnBlur
        onChange={set}
      />
    </span>
  );
}
