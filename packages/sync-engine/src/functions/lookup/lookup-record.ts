/** Lookup record. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { type Operand, Predicate } from "@accord/contracts/data/predicate";
import type { Value } from "@accord/contracts/data/values";
import { checkPredicate, isBlank } from "@accord/expressions";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { predicateMessage } from "../kinds/condition.ts";
import type { RunEnv } from "../run-env.ts";
import {
  CompileError,
  type FunctionDefinition,
  input,
  type InputIssue,
  type NodeContext,
  schemaIssues,
} from "../define.ts";
import type { FlowRecord } from "../flow.ts";
import { asValue, CHOICE_CONFIG, CHOICE_INPUTS, chosen, limitFor } from "../kinds/lookup.ts";
import type { IndexHint } from "../data-requests.ts";
import { tokenReader } from "../tokens/tokens.ts";

const Config = z.looseObject({
  entity: z.string({ error: "Choose an entity." }).min(1, "Choose an entity."),
  condition: z.custom<Predicate>((held) => Predicate.safeParse(held).success, "Build a condition."),
  sortField: z.string().optional(),
  direction: z.enum(["asc", "desc"]).default("asc"),
  ...CHOICE_CONFIG,
});

/** Without the other entity's fields at hand only the shape can be judged; compiling judges the rest. */
function check(configuration: Readonly<Record<string, unknown>>): InputIssue[] {
  const faults = schemaIssues(Config, configuration, () => false);
  if (faults.length > 0) return faults;
  const { condition } = Config.parse(configuration);
  const isEmpty = condition.type === "group" && condition.children.length === 0;
  return isEmpty ? [{ input: "condition", reason: nodeSettings.addCondition }] : [];
}

type Resolve = (record: FlowRecord, env: RunEnv) => Value;

/** The right side of a condition is the record in flight: its fields and tokens become fixed values. */
function resolver(operand: Operand, context: NodeContext): Resolve | null {
  if (operand.kind === "field") return (record) => record.values[operand.field] ?? null;
  if (operand.kind !== "token") return null;
  const read = tokenReader(operand.token, context);
  return (record, env) => read?.(record, env) ?? null;
}

/** null where a value on the right is blank: such a condition matches nothing. */
function settled(predicate: Predicate, context: NodeContext): (record: FlowRecord, env: RunEnv) => Predicate | null {
  if (predicate.type === "group") {
    const children = predicate.children.map((child) => settled(child, context));
    return (record, env) => {
      const found = children.map((child) => child(record, env));
      if (predicate.combinator === "and" && found.includes(null)) return null;
      const fitting = found.filter((child) => child !== null);
      return fitting.length === 0 && found.length > 0 ? null : { ...predicate, children: fitting };
    };
  }
  const resolvers = predicate.right.map((operand) => resolver(operand, context));
  return (record, env) => {
    const right: Operand[] = [];
    for (const [index, operand] of predicate.right.entries()) {
      const resolve = resolvers[index];
      const value = resolve?.(record, env);
      if (resolve && isBlank(value)) return null;
      right.push(resolve ? { kind: "literal", value: value ?? null } : operand);
    }
    return { ...predicate, right };
  };
}

/** An equality that all of the condition's matches meet. */
function narrowingOf(predicate: Predicate): IndexHint | null {
  if (predicate.type === "group")
    return predicate.combinator === "and" || predicate.children.length === 1
      ? (predicate.children.map(narrowingOf).find((one) => one !== null) ?? null)
      : null;
  const [right] = predicate.right;
  const fits = predicate.operator === "equals" && predicate.left.kind === "field" && right?.kind === "literal";
  if (!fits || predicate.left.kind !== "field" || right?.kind !== "literal") return null;
  return typeof right.value === "object" ? null : { field: predicate.left.field, value: right.value };
}

const byEmail = {
  type: "condition",
  left: { kind: "field", field: "email" },
  operator: "equals",
  right: [{ kind: "token", token: "previous.values.Name" }],
};
const isAnn: Predicate = {
  type: "condition",
  left: { kind: "field", field: "email" },
  operator: "equals",
  right: [{ kind: "literal", value: "ann@example.org" }],
};

export const lookupRecord: FunctionDefinition = {
  name: "lookupRecord",
  label: "Lookup record",
  family: "lookup",
  summary: "Finds a record of the unified model and gives its fields as tokens.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "entity",
      label: "Entity",
      datatype: "picklist",
      renderType: "coreEntity",
      required: true,
      hideTokenPicker: true,
    }),
    input({
      name: "condition",
      label: "Find where",
      datatype: "predicate",
      required: true,
      hideTokenPicker: true,
      dependsOn: { dependantField: "entity", dependantType: "coreEntityFields" },
      helpText:
        "On the left fields of the chosen entity, on the right values of this record. A blank on the right finds nothing.",
    }),
    input({
      name: "sortField",
      label: "Order by",
      datatype: "picklist",
      allowClear: true,
      hideTokenPicker: true,
      dependsOn: { dependantField: "entity", dependantType: "coreEntityFields" },
      helpText: "Empty: oldest first.",
    }),
    input({
      name: "direction",
      label: "Direction",
      datatype: "picklist",
      defaultValue: "asc",
      values: [
        { id: "asc", label: "Ascending" },
        { id: "desc", label: "Descending" },
      ],
    }),
    ...CHOICE_INPUTS.map(input),
  ],
  edgeTypes: null,
  output: "object",
  check,
  compile: (configuration, context) => {
    const config = Config.parse(configuration);
    const fields = context.entities?.get(config.entity);
    const problems = fields
      ? checkPredicate(config.condition, {
          field: (name) => fields.get(name),
          hasToken: () => true,
          timeZone: context.timeZone,
        })
      : [];
    if (problems.length > 0)
      throw new CompileError(
        context.nodeId,
        problems.map((problem) => ({ input: "condition", reason: predicateMessage(problem) })),
      );
    const where = settled(config.condition, context);
    const isLast = config.onMultiple === "last" && config.sortField !== undefined;
    const direction = isLast ? (config.direction === "asc" ? "desc" : "asc") : config.direction;
    return requestingNode(context, {
      dataRequest: (record, env) => {
        const condition = where(record, env);
        if (condition === null) return null;
        return {
          kind: "coreRecords",
          entity: config.entity,
          where: condition,
          narrow: narrowingOf(condition),
          sort: config.sortField ? { field: config.sortField, direction } : null,
          limit: isLast ? 1 : limitFor(config),
        };
      },
      result: (found) => asValue(chosen(isLast ? found.slice(0, 1) : found, config)),
      otherwise: () => asValue(chosen([], config)),
    });
  },
  examples: [
    {
      says: "the record that fits",
      config: { entity: "Contact", condition: byEmail },
      record: { values: { Name: "ann@example.org" } },
      requests: [
        {
          kind: "coreRecords",
          entity: "Contact",
          where: isAnn,
          narrow: { field: "email", value: "ann@example.org" },
          sort: null,
          limit: 1,
        },
      ],
      answers: [{ ok: true, found: [{ accordId: "0123456789abcdef01234567", email: "ann@example.org" }] }],
      out: { accordId: "0123456789abcdef01234567", email: "ann@example.org" },
    },
    {
      says: "blank where none fits",
      config: { entity: "Contact", condition: byEmail },
      record: { values: { Name: "x" } },
      answers: [{ ok: true, found: [] }],
      out: null,
    },
    {
      says: "a blank on the right finds nothing and asks nothing",
      config: { entity: "Contact", condition: byEmail },
      record: { values: { Name: null } },
      requests: [],
      out: null,
    },
    {
      says: "several may stop the record",
      config: { entity: "Contact", condition: byEmail, onMultiple: "error" },
      record: { values: { Name: "x" } },
      answers: [{ ok: true, found: [{ accordId: "a" }, { accordId: "b" }] }],
      fails: "several_found",
    },
    {
      says: "none may stop it too",
      config: { entity: "Contact", condition: byEmail, onNone: "error" },
      record: { values: { Name: null } },
      fails: "none_found",
    },
  ],
};
