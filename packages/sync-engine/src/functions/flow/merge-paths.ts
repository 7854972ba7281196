/** Merge paths: a place where branches come together again. */
import type { FunctionDefinition } from "../define.ts";

export const mergePaths: FunctionDefinition = {
  name: "mergePaths",
  label: "Merge paths",
  family: "flow",
  summary: "Brings branches together again and changes nothing; each record goes on once for each path it came by.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [],
  edgeTypes: ["default"],
  output: null,
  check: () => [],
  compile: () => () => "default",
  examples: [
    {
      says: "the record goes on as it came",
      config: {},
      record: { values: { Name: "Acme", tags: ["a"] } },
      route: "default",
      values: { Name: "Acme", tags: ["a"] },
    },
    { says: "an empty one too", config: {}, record: { values: {} }, route: "default", values: {} },
    {
      says: "settings that are left from before play no part",
      config: { condition: "x" },
      record: { values: { size: "many" } },
      route: "default",
      values: { size: "many" },
    },
  ],
};
