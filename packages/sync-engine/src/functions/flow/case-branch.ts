/** Case branch: the start of a path behind a Case. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { z } from "zod";
import { ANY_CASE, OTHERWISE_PORT } from "../../graph/ports.ts";
import { CompileError, type FunctionDefinition, input, schemaIssues } from "../define.ts";

const Config = z.looseObject({ case: z.string({ error: nodeSettings.chooseCase }).min(1, nodeSettings.chooseCase) });

export const caseBranch: FunctionDefinition = {
  name: "caseBranch",
  label: "Case branch",
  family: "flow",
  summary: "Lets records pass for which the named case of the Case before it held.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "case",
      label: "Case",
      datatype: "picklist",
      renderType: "caseName",
      defaultValue: OTHERWISE_PORT,
      required: true,
      hideTokenPicker: true,
      helpText: "A case of the Case before, Default where none held, or Any for all records.",
    }),
  ],
  edgeTypes: ["default"],
  output: null,
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const wanted = Config.parse(configuration).case;
    if (wanted === ANY_CASE) return () => "default";
    const slot = context.switches.get(context.nodeId);
    if (slot === undefined)
      throw new CompileError(context.nodeId, [{ input: "case", reason: nodeSettings.behindSwitch }]);
    return (page) => page.map((record) => (record.branches[slot] === wanted ? "default" : null));
  },
  // Examples run behind a Switch whose case “A” held.
  examples: [
    { says: "the branch of the case that held runs", config: { case: "A" }, record: { values: {} }, route: "default" },
    { says: "the branch of another case does not", config: { case: "B" }, record: { values: {} }, route: null },
    { says: "Default runs only where no case held", config: { case: "Default" }, record: { values: {} }, route: null },
    { says: "Any always runs", config: { case: "Any" }, record: { values: {} }, route: "default" },
    {
      says: "a value plays no part, whatever its type",
      config: { case: "A" },
      in: ["x", 1],
      record: { values: {} },
      route: "default",
    },
  ],
};
