/** Fields, tokens and variables as the choices of a select, and back. */
import type { Operand } from "@accord/contracts/data/predicate";
import { useWords } from "../../app/words.ts";
import type { BuilderScope } from "./predicate.model.ts";

/** A left side as the value of a select, and back. */
export const keyOf = (operand: Operand): string =>
  operand.kind === "field"
    ? `field:${operand.field}`
    : operand.kind === "token"
      ? `token:${operand.token}`
      : operand.kind === "variable"
        ? `variable:${operand.apiName}`
        : "";

export function operandOf(key: string): Operand {
  const at = key.indexOf(":");
  const [kind, name] = [key.slice(0, at), key.slice(at + 1)];
  if (kind === "token") return { kind, token: name };
  return kind === "variable" ? { kind, apiName: name } : { kind: "field", field: name };
}

export interface OperandChoices {
  group: string;
  items: { value: string; label: string }[];
}

/** Choices for an operand, grouped by where they come from. */
export function useOperandChoices(
  scope: BuilderScope,
  fits: (dataType: string) => boolean = () => true,
): OperandChoices[] {
  const { t } = useWords("builder");
  const groups = new Map<string, { value: string; label: string }[]>();
  const add = (group: string, value: string, label: string) => {
    const items = groups.get(group) ?? [];
    // Two sources may name the same field or token; a list must not hold it twice.
    if (!items.some((item) => item.value === value)) items.push({ value, label });
    groups.set(group, items);
  };
  for (const field of scope.fields)
    if (fits(field.dataType)) add(field.group ?? t("predicate.fields"), `field:${field.apiName}`, field.displayName);
  for (const token of scope.tokens ?? [])
    if (fits(token.datatype)) add(token.group, `token:${token.token}`, token.label);
  for (const variable of scope.variables ?? [])
    if (fits(variable.dataType)) add(t("predicate.variables"), `variable:${variable.apiName}`, variable.displayName);
  return [...groups].map(([group, items]) => ({ group, items }));
}

/** The choices with the one that is set, where it is none of them any more: it stays readable. */
export function withPresent(
  choices: readonly OperandChoices[],
  present: Operand,
  absentGroup: string,
): { choices: OperandChoices[]; isKnown: boolean } {
  const key = keyOf(present);
  const isKnown = choices.some(({ items }) => items.some(({ value }) => value === key));
  const own = { group: absentGroup, items: [{ value: key, label: key.slice(key.indexOf(":") + 1) }] };
  return { choices: isKnown ? [...choices] : [own, ...choices], isKnown };
}
