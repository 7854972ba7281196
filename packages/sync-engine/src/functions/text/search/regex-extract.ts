/** Regex extract. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { compileRegex, textOf } from "@accord/expressions";
import { z } from "zod";
import { matcherFor } from "../../values/bounds.ts";
import { FunctionFailure } from "../../define.ts";
import { flagSetting, regexSetting, wholeSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

/** Matches of one text beyond this many are left out. */
const MOST = 1000;

export const regexExtract = defineValueFunction({
  name: "regexExtract",
  label: "Regex extract",
  family: "text",
  summary: "Takes out of a text what a regular expression, or a group of it, finds; blank where it finds nothing.",
  inputs: [
    {
      name: "pattern",
      label: "Pattern",
      datatype: "string",
      required: true,
      hideTokenPicker: true,
      helpText: "Case matters; begin with (?i) where it should not. Look-around and back references are refused.",
    },
    {
      name: "group",
      label: "Group",
      datatype: "integer",
      defaultValue: 0,
      helpText: "0 is the whole of what was found.",
    },
    { name: "all", label: "All as a list", datatype: "boolean", defaultValue: false },
  ],
  config: z.object({ pattern: regexSetting, group: wholeSetting(0, 99).default(0), all: flagSetting(false) }),
  output: "string",
  prepare: ({ pattern, group, all }) => {
    const regex = compileRegex(pattern);
    return (value) => {
      if (group > regex.groupCount())
        throw new FunctionFailure(
          "group_missing",
          fill(nodeFailures.groupMissing, { groups: regex.groupCount(), group }),
        );
      const matcher = matcherFor(regex, textOf(value));
      if (!all) return matcher.find() ? (matcher.group(group) ?? null) : null;
      const found: string[] = [];
      while (found.length < MOST && matcher.find()) found.push(matcher.group(group) ?? "");
      return found;
    };
  },
  examples: [
    { says: "the first that is found", config: { pattern: "\\d+" }, in: "a12b34", out: "12" },
    { says: "a group of it", config: { pattern: "(\\w+)@(\\w+)", group: 2 }, in: "ann@example.org", out: "example" },
    { says: "all as a list", config: { pattern: "\\d+", all: true }, in: "a12b34", out: ["12", "34"] },
    { says: "blank where nothing is found", config: { pattern: "\\d+" }, in: "abc", out: null },
    {
      says: "a group that isn't there stops the record",
      config: { pattern: "a", group: 1 },
      in: "a",
      fails: "group_missing",
    },
    { says: "null stays null", config: { pattern: "a" }, in: null, out: null },
    { says: "a list is worked on item by item", config: { pattern: "\\d+" }, in: ["a12b34", "abc"], out: ["12", null] },
  ],
});
