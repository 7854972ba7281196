/** One condition: what is compared, how, and with what. */
import type { Condition } from "@accord/contracts/data/predicate";
import { SearchSelect } from "@accord/ui";
import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useWords } from "../../app/words.ts";
import { operatorWords } from "./describe.ts";
import {
  offeredOperators,
  shapeOf,
  withLeft,
  withOperator,
  type BuilderField,
  type BuilderScope,
} from "./predicate.model.ts";
import { keyOf, type OperandChoices, operandOf, useOperandChoices, withPresent } from "./operand-choices.ts";
import { RightSideInput } from "./right-side.tsx";

export interface ConditionRowProps {
  condition: Condition;
  scope: BuilderScope;
  readOnly: boolean;
  problem: string | undefined;
  path: string;
  name: string;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

export function ConditionRow(props: ConditionRowProps) {
  const { condition, scope, readOnly, problem, name } = props;
  const { t } = useWords("builder");
  const field = shapeOf(condition.left, scope);
  const choices = useOperandChoices(scope);
  const present = keyOf(condition.left);
  const { choices: data, isKnown } = withPresent(
    choices,
    condition.left,
    t("predicate.unknownField", { field: "" }).trim(),
  );
  return (
    <div className="ac-predicate__row" data-path={props.path} role="group" aria-label={name}>
      <div className="ac-predicate__controls">
        <NamePicker
          className="ac-predicate__field"
          label={t("predicate.field")}
          groups={data}
          value={present}
          disabled={readOnly || scope.isLeftFixed === true}
          isKnown={isKnown}
          onChange={(key) => props.onChange(withLeft(condition, operandOf(key), scope))}
        />
        <OperatorPicker {...props} field={field} />
        <RightSideInput
          condition={condition}
          field={field}
          scope={scope}
          readOnly={readOnly}
          onChange={props.onChange}
        />
        {readOnly ? null : (
          <ActionIcon
            className="ac-predicate__remove"
            aria-label={`${t("predicate.removeCondition")}: ${name}`}
            onClick={props.onRemove}
          >
            <IconTrash size={15} />
          </ActionIcon>
        )}
      </div>
      {problem ? (
        <p className="ac-predicate__problem" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** How the two sides are compared. */
function OperatorPicker({
  condition,
  scope,
  readOnly,
  field,
  onChange,
}: ConditionRowProps & { field: BuilderField | undefined }) {
  const { t } = useWords("builder");
  const operators = offeredOperators(condition, scope);
  const items = operators.map((operator) => ({ value: operator, label: operatorWords(operator, field) }));
  return (
    <NamePicker
      className="ac-predicate__operator"
      label={t("predicate.operator")}
      groups={[{ group: "", items }]}
      value={condition.operator}
      disabled={readOnly}
      isKnown
      onChange={(value) => {
        const operator = operators.find((each) => each === value);
        if (operator) onChange(withOperator(condition, operator));
      }}
    />
  );
}

interface NamePickerProps {
  className: string;
  label: string;
  groups: readonly OperandChoices[];
  value: string;
  disabled: boolean;
  isKnown: boolean;
  onChange: (key: string) => void;
}

function NamePicker({ className, label, groups, value, disabled, isKnown, onChange }: NamePickerProps) {
  return (
    <SearchSelect
      className={className}
      aria-label={label}
      data={groups.length === 1 && groups[0] ? groups[0].items : [...groups]}
      value={value}
      limit={200}
      disabled={disabled}
      error={!isKnown}
      maxDropdownHeight={320}
      onChange={(key) => key && onChange(key)}
    />
  );
}
