/** Replace. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { compileRegex, textOf } from "@accord/expressions";
import { z } from "zod";
import { matcherFor } from "../values/bounds.ts";
import { regexFault } from "../kinds/settings.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

const escapeRegex = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

const Config = z
  .object({
    find: z
      .string({ error: nodeSettings.needed })
      .min(1, nodeSettings.needed)
      .max(490, fill(nodeSettings.charactersAtMost, { limit: 490 })),
    replacement: z
      .string()
      .max(10_000, fill(nodeSettings.charactersAtMost, { limit: "10,000" }))
      .default(""),
    regex: z.boolean().default(false),
    all: z.boolean().default(true),
    matchCase: z.boolean().default(false),
  })
  .check((context) => {
    const { find, regex } = context.value;
    const fault = regex ? regexFault(find) : null;
    if (fault !== null) context.issues.push({ code: "custom", path: ["find"], message: fault, input: find });
  });

export const replace = defineValueFunction({
  name: "replace",
  label: "Replace",
  family: "text",
  summary: "Replaces a text, or what a regular expression finds, by another text.",
  inputs: [
    { name: "find", label: "Find", datatype: "string", required: true, allowUserToken: true },
    {
      name: "replacement",
      label: "Replace with",
      datatype: "string",
      allowUserToken: true,
      helpText: "Empty removes what is found. With a regular expression $1 stands for its first group.",
    },
    { name: "regex", label: "Regular expression", datatype: "boolean", defaultValue: false },
    { name: "all", label: "Everywhere", datatype: "boolean", defaultValue: true },
    { name: "matchCase", label: "Match case", datatype: "boolean", defaultValue: false },
  ],
  config: Config,
  output: "string",
  prepare: ({ find, replacement, regex, all, matchCase }) => {
    const pattern = compileRegex((matchCase ? "" : "(?i)") + (regex ? find : escapeRegex(find)));
    const groups = pattern.groupCount();
    // Without groups to name, a $ in the replacement is a dollar sign.
    const by = regex ? replacement.replaceAll(/\$(?!\d)/g, "\\$") : replacement.replaceAll(/[\\$]/g, "\\$&");
    const safe = by.replaceAll(/(?<!\\)\$(\d)/g, (reference, digit: string) =>
      Number(digit) <= groups ? reference : "",
    );
    return (value) => {
      const matcher = matcherFor(pattern, textOf(value));
      return all ? matcher.replaceAll(safe, true) : matcher.replaceFirst(safe, true);
    };
  },
  examples: [
    {
      says: "case doesn't matter unless wanted",
      config: { find: "ACME", replacement: "Apex" },
      in: "acme Acme",
      out: "Apex Apex",
    },
    { says: "only the first", config: { find: "a", replacement: "b", all: false }, in: "aaa", out: "baa" },
    {
      says: "groups of a regular expression",
      config: { find: "(\\d+)-(\\d+)", replacement: "$2/$1", regex: true },
      in: "12-34",
      out: "34/12",
    },
    {
      says: "signs have no special meaning otherwise",
      config: { find: "$1.", replacement: "\\$&" },
      in: "a$1.b",
      out: "a\\$&b",
    },
    { says: "null stays null", config: { find: "a" }, in: null, out: null },
    { says: "a list is worked on item by item", config: { find: "x" }, in: ["ax", "xb"], out: ["a", "b"] },
    { says: "a number is taken as text", config: { find: "ACME", replacement: "Apex" }, in: 12, out: "12" },
  ],
});
