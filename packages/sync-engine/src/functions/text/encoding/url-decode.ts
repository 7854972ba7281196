/** URL decode. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../../define.ts";
import { flagSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const urlDecode = defineValueFunction({
  name: "urlDecode",
  label: "URL decode",
  family: "text",
  summary: "Reads a text that was written for a web address.",
  inputs: [{ name: "plusIsSpace", label: "Plus is a space", datatype: "boolean", defaultValue: true }],
  config: z.object({ plusIsSpace: flagSetting(true) }),
  output: "string",
  prepare:
    ({ plusIsSpace }) =>
    (value) => {
      const text = plusIsSpace ? textOf(value).replaceAll("+", " ") : textOf(value);
      try {
        return decodeURIComponent(text);
      } catch {
        throw new FunctionFailure("not_url_encoded", fill(nodeFailures.notUrlEncoded, { value: text.slice(0, 60) }));
      }
    },
  examples: [
    { says: "codes become characters", config: {}, in: "a%20b%26c+%C3%BC", out: "a b&c ü" },
    { says: "a plus may stay", config: { plusIsSpace: false }, in: "1+1", out: "1+1" },
    { says: "a broken code stops the record", config: {}, in: "100%", fails: "not_url_encoded" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a%20b%26c+%C3%BC", null], out: ["a b&c ü", null] },
  ],
});
