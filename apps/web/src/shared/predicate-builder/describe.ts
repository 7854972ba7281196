/** A condition or tree as one sentence: for filter chips, node summaries and list views. */
import type { Condition, Operand, Predicate } from "@accord/contracts/data/predicate";
import { kindOf } from "@accord/expressions";
import { words } from "../../app/words.ts";
import { rightSideOf, shapeOf, textOfLiteral, type BuilderField, type BuilderScope } from "./predicate.model.ts";

/** Words of a comparison; dates read "is before" where numbers read "is less than". */
export function operatorWords(operator: Condition["operator"], field: BuilderField | undefined): string {
  const kind = field ? kindOf(field) : "text";
  if (kind === "date" || kind === "moment") {
    switch (operator) {
      case "equals":
      case "notEquals":
      case "less":
      case "lessOrEqual":
      case "greater":
      case "greaterOrEqual":
        return words.t(`values:timeOperator.${operator}`);
      default:
    }
  }
  return words.t(`values:operator.${operator}`);
}

function operandWords(operand: Operand, field: BuilderField | undefined, scope: BuilderScope): string {
  switch (operand.kind) {
    case "literal": {
      const text = textOfLiteral(operand.value);
      return field?.picklist?.find((option) => option.id === text)?.label ?? text;
    }
    case "field":
      return scope.fields.find((each) => each.apiName === operand.field)?.displayName ?? operand.field;
    case "token":
      return `{{${operand.token}}}`;
    case "variable":
      return scope.variables?.find((each) => each.apiName === operand.apiName)?.displayName ?? operand.apiName;
  }
}

/** "Country is one of Austria, Italy" */
export function describeCondition(condition: Condition, scope: BuilderScope): string {
  const field = shapeOf(condition.left, scope);
  const left = field?.displayName ?? operandWords(condition.left, undefined, scope);
  const operator = operatorWords(condition.operator, field);
  const values = condition.right.map((operand) => operandWords(operand, field, scope));
  if (rightSideOf(condition.operator) === "two")
    return `${left} ${operator} ${values.join(` ${words.t("builder:predicate.and")} `)}`;
  if (rightSideOf(condition.operator) === "amount") {
    const unit = condition.operator.endsWith("Days")
      ? words.t("builder:predicate.days")
      : condition.operator.endsWith("Weeks")
        ? words.t("builder:predicate.weeks")
        : words.t("builder:predicate.months");
    return `${left} ${operator.replace(/ (days|weeks|months)$/, "")} ${values[0] ?? ""} ${unit}`;
  }
  return [left, operator, values.join(", ")].filter((part) => part !== "").join(" ");
}

export function describe(predicate: Predicate, scope: BuilderScope): string {
  if (predicate.type === "condition") return describeCondition(predicate, scope);
  const joint = ` ${words.t(`builder:predicate.${predicate.combinator}`)} `;
  return predicate.children
    .map((child) =>
      child.type === "group" && child.children.length > 1 ? `(${describe(child, scope)})` : describe(child, scope),
    )
    .join(joint);
}
