/** For each: runs the nodes up to End loop once for each item of a list. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { Value } from "@accord/contracts/data/values";
import { API_NAME_PATTERN } from "@accord/contracts/data/schema";
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { type CompiledNode, type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { type FlowRecord, setResult, setVariable } from "../flow.ts";
import { compileText } from "../kinds/value-function.ts";

/** More turns than this can't be asked for: a list that long belongs into an entity of its own. */
const MOST = 10_000;

const Config = z.looseObject({
  list: z.string().default(""),
  itemVariable: z.string().regex(API_NAME_PATTERN, nodeSettings.variableName).or(z.literal("")).default(""),
  maxIterations: z.coerce
    .number()
    .int(nodeSettings.needsWholeNumber)
    .min(1, fill(nodeSettings.needsAtLeast, { least: 1 }))
    .max(MOST, fill(nodeSettings.atMost, { limit: MOST }))
    .default(1000),
});

const NO_ITEMS: readonly Value[] = [];

/** One value is a list of one; nothing is an empty list. */
const listOf = (value: Value | undefined): readonly Value[] =>
  Array.isArray(value) ? value : isBlank(value) ? NO_ITEMS : [value ?? null];

export const forEach: FunctionDefinition = {
  name: "forEach",
  label: "For each",
  family: "flow",
  summary: "Runs the nodes up to End loop once for each item of a list.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "list",
      label: "List",
      datatype: "text",
      allowUserToken: true,
      helpText: "A token that holds a list. Empty uses the result of the step before.",
    }),
    input({
      name: "itemVariable",
      label: "Item variable",
      datatype: "string",
      hideTokenPicker: true,
      helpText: "A name under which the item is also kept, as a temporary variable.",
    }),
    input({
      name: "maxIterations",
      label: "Most items",
      datatype: "integer",
      defaultValue: 1000,
      hideTokenPicker: true,
      helpText: "A record whose list is longer is put aside with an error.",
    }),
  ],
  edgeTypes: ["default"],
  output: "object",
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const { list, itemVariable, maxIterations } = Config.parse(configuration);
    const { nodeId, slot } = context;
    const read =
      list === ""
        ? (record: FlowRecord) => record.results[record.previous] ?? null
        : compileText(list, context, "list");
    const begin = (record: FlowRecord, item: Value): void => {
      setResult(record, slot, item);
      if (itemVariable !== "") setVariable(record, itemVariable, item);
    };
    const run: CompiledNode = (page, env) => {
      // Outside of a path there are no turns: the first item stands for all.
      for (const record of page) {
        const [first] = run.loopStart?.items(record, env) ?? NO_ITEMS;
        if (!record.failure && first !== undefined) begin(record, first);
      }
      return "default";
    };
    run.loopStart = {
      items: (record, env) => {
        const items = listOf(read(record, env));
        if (items.length <= maxIterations) return items;
        const message = fill(nodeFailures.tooManyItems, { count: items.length, limit: maxIterations });
        record.failure = { nodeId, code: "too_many_items", message };
        return NO_ITEMS;
      },
      begin,
    };
    return run;
  },
  examples: [
    {
      says: "the item is the node's value",
      config: { list: "{{source.country}}" },
      record: { values: {}, source: { country: ["se", "no"] } },
      out: "se",
    },
    { says: "an empty list uses the step before", config: {}, in: ["a", "b"], record: { values: {} }, out: "a" },
    {
      says: "the item may have a name",
      config: { list: "{{source.country}}", itemVariable: "country" },
      record: { values: {}, source: { country: ["se"] } },
      variables: { country: "se" },
    },
    {
      says: "a longer list than allowed stops the record",
      config: { list: "{{source.country}}", maxIterations: 1 },
      record: { values: {}, source: { country: ["se", "no"] } },
      fails: "too_many_items",
    },
  ],
};
