/** Normalize e-mail. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { compileRegex, SHAPE_PATTERNS, textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../../define.ts";
import { flagSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const normalizeEmail = defineValueFunction({
  name: "normalizeEmail",
  label: "Normalize e-mail",
  family: "text",
  summary: "Writes an e-mail address the one way in which it can be compared.",
  inputs: [
    {
      name: "dropTag",
      label: "Drop +tag",
      datatype: "boolean",
      defaultValue: false,
      helpText: "ann+news@example.org becomes ann@example.org.",
    },
    {
      name: "otherwise",
      label: "Other texts",
      datatype: "picklist",
      defaultValue: "blank",
      values: [
        { id: "blank", label: "Become blank" },
        { id: "fail", label: "Stop the record with an error" },
      ],
    },
  ],
  config: z.object({ dropTag: flagSetting(false), otherwise: z.enum(["blank", "fail"]).default("blank") }),
  output: "string",
  prepare: ({ dropTag, otherwise }) => {
    const shape = compileRegex(SHAPE_PATTERNS.isEmail);
    return (value) => {
      const text = textOf(value).trim();
      const named = /<([^<>]+)>$/.exec(text)?.[1] ?? text;
      const address = named
        .replace(/^mailto:/i, "")
        .trim()
        .toLowerCase();
      if (!shape.test(address)) {
        if (otherwise === "blank") return null;
        throw new FunctionFailure("not_an_email", fill(nodeFailures.notAnEmail, { value: text.slice(0, 60) }));
      }
      return dropTag ? address.replace(/\+[^@]*@/, "@") : address;
    };
  },
  examples: [
    { says: "small letters, no spaces around", config: {}, in: " Ann.Lee@Example.ORG ", out: "ann.lee@example.org" },
    { says: "out of a name with an address", config: {}, in: "Ann Lee <ann@example.org>", out: "ann@example.org" },
    { says: "without its tag", config: { dropTag: true }, in: "ann+news@example.org", out: "ann@example.org" },
    { says: "anything else becomes blank", config: {}, in: "ann at example", out: null },
    { says: "or stops the record", config: { otherwise: "fail" }, in: "ann", fails: "not_an_email" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: [" Ann.Lee@Example.ORG ", "Ann Lee <ann@example.org>"],
      out: ["ann.lee@example.org", "ann@example.org"],
    },
  ],
});
