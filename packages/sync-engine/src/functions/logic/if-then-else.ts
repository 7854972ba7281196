/** If, then, else. */
import { askingConditions } from "../kinds/condition-requests.ts";
import { compileCondition, conditionIssues } from "../kinds/condition.ts";
import { type FunctionDefinition, input } from "../define.ts";
import { setResult } from "../flow.ts";
import { compileInput } from "../kinds/value-function.ts";

const isLarge = {
  type: "condition",
  left: { kind: "field", field: "size" },
  operator: "greater",
  right: [{ kind: "literal", value: 100 }],
};

export const ifThenElse: FunctionDefinition = {
  name: "ifThenElse",
  label: "If, then, else",
  family: "logic",
  summary: "Gives one value where a condition holds and another where it doesn't.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({ name: "condition", label: "If", datatype: "predicate", required: true, hideTokenPicker: true }),
    input({ name: "whenTrue", label: "Then", datatype: "text", allowUserToken: true }),
    input({ name: "whenFalse", label: "Else", datatype: "text", allowUserToken: true }),
  ],
  edgeTypes: null,
  output: "string",
  check: (configuration, fields) => conditionIssues(configuration["condition"], "condition", fields),
  compile: (configuration, context) => {
    const condition = compileCondition(configuration["condition"], context, "condition");
    const branch = (name: string) => compileInput(configuration[name] ?? null, context, name);
    const [whenTrue, whenFalse] = [branch("whenTrue"), branch("whenFalse")];
    return askingConditions(context.nodeId, [condition], (page, env, known) => {
      const holds = condition.at(env, known);
      for (const record of page)
        if (!record.failure) setResult(record, context.slot, (holds(record) ? whenTrue : whenFalse)(record, env));
      return "default";
    });
  },
  examples: [
    {
      says: "where it holds",
      config: { condition: isLarge, whenTrue: "large", whenFalse: "small" },
      record: { values: { size: 500 } },
      out: "large",
    },
    {
      says: "where it doesn't",
      config: { condition: isLarge, whenTrue: "large", whenFalse: "small" },
      record: { values: { size: 5 } },
      out: "small",
    },
    {
      says: "a blank is not large",
      config: { condition: isLarge, whenTrue: "large", whenFalse: "small" },
      record: { values: { size: null } },
      out: "small",
    },
    {
      says: "tokens keep their type, nothing gives blank",
      config: { condition: isLarge, whenTrue: "{{previous.values.tags}}" },
      record: { values: { size: 500, tags: ["a"] } },
      out: ["a"],
    },
    {
      says: "a text is not large",
      config: { condition: isLarge, whenTrue: "large", whenFalse: "small" },
      record: { values: { size: "huge" } },
      out: "small",
    },
  ],
};
