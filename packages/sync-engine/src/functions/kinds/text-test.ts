/** Functions that tell whether a text has something about it. */
import { foldText, textOf } from "@accord/expressions";
import { z } from "zod";
import type { FunctionDefinition, FunctionExample } from "../define.ts";
import { flagSetting, textSetting } from "./settings.ts";
import { defineValueFunction } from "./value-function.ts";

/** Nothing is never found: an empty search text tells false. */
export function defineTextTest(spec: {
  name: string;
  label: string;
  summary: string;
  test: (text: string, wanted: string) => boolean;
  examples: readonly FunctionExample[];
}): FunctionDefinition {
  return defineValueFunction({
    name: spec.name,
    label: spec.label,
    family: "text",
    summary: spec.summary,
    inputs: [
      { name: "text", label: "Text", datatype: "text", required: true, allowUserToken: true },
      { name: "matchCase", label: "Match case", datatype: "boolean", defaultValue: false },
    ],
    config: z.object({ text: textSetting(10_000).default(""), matchCase: flagSetting(false) }),
    output: "boolean",
    takesNull: true,
    prepare: ({ text, matchCase }) => {
      const fold = matchCase ? (held: string) => held : foldText;
      const wanted = fold(text);
      return (value) => wanted !== "" && spec.test(fold(textOf(value)), wanted);
    },
    examples: spec.examples,
  });
}
