/** Camel case. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

const WORD = /[\p{L}\p{N}]+/gu;

export const camelCase = defineValueFunction({
  name: "camelCase",
  label: "Camel case",
  family: "text",
  summary: "Joins the words to one, each but the first with a capital.",
  inputs: [
    {
      name: "capitalFirst",
      label: "Capital first",
      datatype: "boolean",
      defaultValue: false,
      helpText: "Gives AnnLee instead of annLee.",
    },
  ],
  config: z.object({ capitalFirst: z.boolean().default(false) }),
  output: "string",
  prepare:
    ({ capitalFirst }) =>
    (value) =>
      (textOf(value).match(WORD) ?? [])
        .map((word, index) => {
          const [first = ""] = word;
          const rest = word.slice(first.length).toLowerCase();
          return (index === 0 && !capitalFirst ? first.toLowerCase() : first.toUpperCase()) + rest;
        })
        .join(""),
  examples: [
    { says: "words become one", config: {}, in: "Annual recurring REVENUE", out: "annualRecurringRevenue" },
    { says: "with a capital first", config: { capitalFirst: true }, in: "first-name", out: "FirstName" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a b", "c"], out: ["aB", "c"] },
    { says: "true or false is taken as text", config: {}, in: true, out: "true" },
  ],
});
