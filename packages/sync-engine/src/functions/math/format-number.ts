/** Format number. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { roundDecimal } from "@accord/expressions";
import { z } from "zod";
import { numberOf } from "../values/read.ts";
import { defineValueFunction } from "../kinds/value-function.ts";

/** `#,##0.00`: whether to group, least whole digits, least and most decimals, with fixed text around. */
const PATTERN = /^([^#0,.]*)(#*,?#*)(0*)(?:\.(0*)(#*))?([^#0,.]*)$/;

export const formatNumber = defineValueFunction({
  name: "formatNumber",
  label: "Format number",
  family: "math",
  summary: "Writes a number as text by a pattern such as #,##0.00.",
  inputs: [
    {
      name: "pattern",
      label: "Pattern",
      datatype: "string",
      defaultValue: "#,##0.00",
      hideTokenPicker: true,
      helpText: "0 is a digit that always stands, # one that may, a comma groups thousands. Text around is kept.",
    },
    { name: "decimalMark", label: "Decimal mark", datatype: "string", defaultValue: ".", hideTokenPicker: true },
    { name: "groupMark", label: "Group mark", datatype: "string", defaultValue: ",", hideTokenPicker: true },
  ],
  config: z.object({
    pattern: z
      .string()
      // The length first: a long row of signs takes the pattern's own pattern too long.
      .refine((text) => text.length <= 60 && PATTERN.test(text), nodeSettings.numberPattern)
      .default("#,##0.00"),
    decimalMark: z.string().max(3).default("."),
    groupMark: z.string().max(3).default(","),
  }),
  output: "string",
  prepare: ({ pattern, decimalMark, groupMark }) => {
    const [, before = "", group = "", digits = "", least = "", more = "", after = ""] = PATTERN.exec(pattern) ?? [];
    const most = least.length + more.length;
    return (value) => {
      const rounded = roundDecimal(numberOf(value), most, "halfUp");
      const [whole = "0", fraction = ""] = rounded.replace("-", "").split(".");
      const padded = (digits === "" && whole === "0" ? "" : whole).padStart(digits.length, "0");
      const grouped = group.includes(",") ? padded.replaceAll(/\B(?=(\d{3})+$)/g, () => groupMark) : padded;
      const decimals = fraction.padEnd(least.length, "0");
      const sign = rounded.startsWith("-") ? "-" : "";
      return `${before}${sign}${grouped}${decimals === "" ? "" : decimalMark + decimals}${after}`;
    };
  },
  examples: [
    { says: "thousands grouped, two decimals", config: {}, in: 1234567.891, out: "1,234,567.89" },
    { says: "with leading zeros", config: { pattern: "00000" }, in: 42, out: "00042" },
    {
      says: "with other marks and text around",
      config: { pattern: "#,##0.00 €", decimalMark: ",", groupMark: "." },
      in: "-1234.5",
      out: "-1.234,50 €",
    },
    { says: "optional decimals", config: { pattern: "0.##" }, in: 2.5, out: "2.5" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no number stops the record", config: {}, in: "x", fails: "not_a_number" },
    { says: "a list is worked on item by item", config: {}, in: [1234567.891, null], out: ["1,234,567.89", null] },
  ],
});
