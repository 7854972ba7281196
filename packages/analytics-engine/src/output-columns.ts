/** The columns a dataset gives: fields and formulas, cut to their grain or folded where it groups. */
import { checkFormula, type FormulaProblem, parseFormula, typeOfValue } from "@accord/expressions";
import { formulas } from "@accord/contracts/messages/en/formulas";
import {
  type Aggregate,
  type CalculatedField,
  type DatasetConfig,
  DateGrain,
} from "@accord/contracts/insights/dataset-config";
import { aggregateType, type Expr, isAggregate, isDate, type OutputColumn } from "./query.ts";
import type { Scope } from "./scope.ts";
import { tokenName } from "./variables.ts";

/** A column as the sources give it, before grouping, with the aggregate it asks for. */
type Wanted = OutputColumn & { path: string; aggregate?: Aggregate | undefined };

/** Before grouping. */
export function outputColumns(config: DatasetConfig, scope: Scope): Wanted[] {
  const taken = new Set<string>();
  const columns: Wanted[] = [];
  const add = (column: Wanted): void => {
    if (taken.has(column.name.toLowerCase()))
      scope.problems.push({ path: column.path, code: "alias_taken", facts: { name: column.name } });
    else columns.push(column);
    taken.add(column.name.toLowerCase());
  };
  config.selectedFields.forEach((selected, index) => {
    const path = `selectedFields.${index}`;
    const name = `${selected.datasourceAlias}.${selected.apiName}`;
    const field = scope.field(name);
    if (!field || field === "ambiguous") scope.problems.push({ path, code: "field_unknown", facts: { name } });
    else
      add({
        path,
        name: selected.alias,
        displayName: selected.displayName,
        dataType: field.dataType,
        labels: field.labels,
        expr: field.expr,
        aggregate: selected.aggregate,
      });
  });
  config.calculatedFields.forEach((calculated, index) => {
    const path = `calculatedFields.${index}`;
    const expr = formulaExpr(calculated, config.group, path, scope);
    const { aliasName: name, displayName, aggregate } = calculated;
    if (expr) add({ path, name, displayName, dataType: expr.dataType, expr, aggregate });
  });
  if (!config.group)
    for (const column of columns)
      if (column.aggregate)
        scope.problems.push({
          path: column.path,
          code: "aggregate_without_group",
          facts: { name: column.displayName },
        });
  return columns;
}

/** A calculated field's formula over the sources' fields; null when it has problems. */
function formulaExpr(calculated: CalculatedField, aggregates: boolean, path: string, scope: Scope): Expr | null {
  const refuse = (problems: readonly FormulaProblem[]): null => {
    for (const { code, facts } of problems) {
      const reason = formulas[code].replace(/\{\{(\w+)\}\}/g, (token, name: string) => facts[name] ?? token);
      scope.problems.push({ path, code: "formula_invalid", facts: { name: calculated.displayName, reason } });
    }
    return null;
  };
  const parsed = parseFormula(calculated.formula);
  if (!parsed.ok) return refuse(parsed.problems);
  const fields = new Map<string, Expr>();
  const checked = checkFormula(parsed.formula, {
    field: (name) => {
      const field = scope.field(name);
      if (!field || field === "ambiguous") return undefined;
      fields.set(name, field.expr);
      return { dataType: field.dataType, isMultiValueField: field.multi };
    },
    tokenType: (name) => (scope.variables.has(name) ? typeOfValue(scope.variables.get(name)) : undefined),
    aggregates,
  });
  if (!checked.ok) return refuse(checked.problems);
  return { kind: "formula", formula: checked, fields, variables: scope.variables, dataType: checked.dataType };
}

/** Cuts the grouped columns to their grain and folds all others. */
export function fold(config: DatasetConfig, columns: readonly Wanted[], scope: Scope): OutputColumn[] {
  const grains = new Map<string, DateGrain | null>();
  config.groupBy.forEach((group, index) => {
    const path = `groupBy.${index}`;
    const name = fixedOrVariable(group.datasetField, scope);
    const column = columns.find((one) => one.name === name);
    if (!column || isAggregate(column.expr)) {
      scope.problems.push({ path, code: "group_field_unknown", facts: { name: name ?? group.datasetField } });
      return;
    }
    const grain = group.grain === undefined ? null : DateGrain.safeParse(fixedOrVariable(group.grain, scope)).data;
    if (grain === undefined || (grain !== null && !isDate(column.dataType)))
      scope.problems.push({ path, code: "grain_not_date", facts: { name: column.displayName } });
    else grains.set(column.name, grain);
  });
  const variableGroup = config.groupBy.some((group) => tokenName(group.datasetField) !== null);
  return columns.flatMap((column): OutputColumn[] => {
    const { name, displayName, dataType, expr, labels } = column;
    const grain = grains.get(name);
    if (grain)
      return [{ name, displayName, dataType: "date", expr: { kind: "bucket", grain, of: expr, dataType: "date" } }];
    if (grain === null || isAggregate(expr)) return [{ name, displayName, dataType, expr, labels }];
    // A variable chooses one of several columns to group by: those not chosen step aside.
    if (!column.aggregate && variableGroup) return [];
    if (!column.aggregate) {
      if (!config.groupBy.some((group) => group.datasetField === name))
        scope.problems.push({ path: column.path, code: "aggregate_missing", facts: { name: displayName } });
      return [];
    }
    const type = aggregateType(column.aggregate, dataType);
    if (type)
      return [
        {
          name,
          displayName,
          dataType: type,
          expr: { kind: "aggregate", fn: column.aggregate, of: expr, dataType: type },
        },
      ];
    scope.problems.push({
      path: column.path,
      code: "aggregate_not_for_type",
      facts: { name: displayName, aggregate: column.aggregate },
    });
    return [];
  });
}

function fixedOrVariable(text: string, scope: Scope): string | null {
  const name = tokenName(text);
  if (name === null) return text;
  if (!scope.variables.has(name)) scope.problems.push({ path: "variables", code: "variable_unknown", facts: { name } });
  const value = scope.variables.get(name);
  return typeof value === "string" ? value : null;
}
