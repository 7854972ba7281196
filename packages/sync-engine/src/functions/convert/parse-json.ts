/** JSON parse. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { readJson, textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../define.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

export const parseJson = defineValueFunction({
  name: "parseJson",
  label: "JSON parse",
  family: "convert",
  summary: "Reads a text in JSON as an object, a list or a single value.",
  inputs: [
    {
      name: "otherwise",
      label: "Other texts",
      datatype: "picklist",
      defaultValue: "fail",
      values: [
        { id: "fail", label: "Stop the record with an error" },
        { id: "blank", label: "Become blank" },
      ],
    },
  ],
  config: z.object({ otherwise: z.enum(["fail", "blank"]).default("fail") }),
  output: "object",
  prepare:
    ({ otherwise }) =>
    (value) => {
      if (typeof value === "object") return value;
      const text = textOf(value);
      const read = readJson(text);
      if (read !== undefined) return read;
      if (otherwise === "blank") return null;
      throw new FunctionFailure("not_json", fill(nodeFailures.notJson, { value: text.slice(0, 60) }));
    },
  examples: [
    { says: "an object", config: {}, in: '{"a":[1,true]}', out: { a: [1, true] } },
    { says: "an object stays an object", config: {}, in: { a: 1 }, out: { a: 1 } },
    { says: "anything else stops the record", config: {}, in: "{a:1}", fails: "not_json" },
    { says: "or becomes blank", config: { otherwise: "blank" }, in: "x", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ['{"a":[1,true]}', { a: 1 }],
      out: [{ a: [1, true] }, { a: 1 }],
    },
  ],
});
