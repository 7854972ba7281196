/** End loop: closes the body of For each and collects what each turn left. */
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { bounded, failureOf } from "../values/bounds.ts";
import { type CompiledNode, type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { type FlowRecord, setResult } from "../flow.ts";
import { compileText } from "../kinds/value-function.ts";

const Config = z.looseObject({ collect: z.string().default(""), stopOnError: z.boolean().default(true) });

export const endLoop: FunctionDefinition = {
  name: "endLoop",
  label: "End loop",
  family: "flow",
  summary: "Ends the nodes of a For each; after the last item the record goes on with the collected list.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "collect",
      label: "Collect",
      datatype: "text",
      allowUserToken: true,
      helpText: "What each item leaves in the list. Empty collects the result of the last step.",
    }),
    input({
      name: "stopOnError",
      label: "Stop on error",
      datatype: "boolean",
      defaultValue: true,
      hideTokenPicker: true,
      helpText: "Off: an item that fails becomes a warning and the next one follows.",
    }),
  ],
  edgeTypes: ["default"],
  output: "list",
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const { collect, stopOnError } = Config.parse(configuration);
    const { slot } = context;
    const read =
      collect === ""
        ? (record: FlowRecord): Value => record.results[record.previous] ?? null
        : compileText(collect, context, "collect");
    const finish = (record: FlowRecord, collected: Value[]): void => {
      try {
        setResult(record, slot, bounded(collected));
      } catch (problem) {
        record.failure = failureOf(problem, context.nodeId);
      }
    };
    const run: CompiledNode = (page, env) => {
      for (const record of page) if (!record.failure) finish(record, [read(record, env)]);
      return "default";
    };
    run.loopEnd = { stopOnError, collect: read, finish };
    return run;
  },
  examples: [
    { says: "each turn leaves its last result", config: {}, in: "A", record: { values: {} }, out: ["A"] },
    {
      says: "or what is collected",
      config: { collect: "{{previous.values.Name}}!" },
      record: { values: { Name: "Acme" } },
      out: ["Acme!"],
    },
    { says: "a turn without a result leaves a blank", config: {}, record: { values: {} }, out: [null] },
    {
      says: "a list that a turn leaves is one item",
      config: {},
      in: ["a", "b"],
      record: { values: {} },
      out: [["a", "b"]],
    },
    { says: "items keep their type", config: {}, in: 3, record: { values: {} }, out: [3] },
  ],
};
