/** Filter. */
import { askingConditions } from "../kinds/condition-requests.ts";
import { compileCondition, conditionIssues } from "../kinds/condition.ts";
import { type FunctionDefinition, input } from "../define.ts";

const isActive = {
  type: "group",
  combinator: "and",
  children: [{ type: "condition", left: { kind: "field", field: "active" }, operator: "isTrue", right: [] }],
};

export const filter: FunctionDefinition = {
  name: "filter",
  label: "Filter",
  family: "flow",
  summary: "Lets records pass for which the condition holds; the path of all others ends here.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({ name: "condition", label: "Condition", datatype: "predicate", required: true, hideTokenPicker: true }),
  ],
  edgeTypes: ["default"],
  output: null,
  check: (configuration, fields) => conditionIssues(configuration["condition"], "condition", fields),
  compile: (configuration, context) => {
    const condition = compileCondition(configuration["condition"], context, "condition");
    return askingConditions(context.nodeId, [condition], (page, env, known) => {
      const holds = condition.at(env, known);
      return page.map((record) => (holds(record) ? "default" : null));
    });
  },
  examples: [
    {
      says: "a record that fits passes",
      config: { condition: isActive },
      record: { values: { active: true } },
      route: "default",
    },
    { says: "another one stops", config: { condition: isActive }, record: { values: { active: false } }, route: null },
    { says: "a missing value does not fit", config: { condition: isActive }, record: { values: {} }, route: null },
    { says: "a text is no yes", config: { condition: isActive }, record: { values: { active: "maybe" } }, route: null },
    {
      says: "a list of several is no yes",
      config: { condition: isActive },
      record: { values: { active: [false, true] } },
      route: null,
    },
  ],
};
