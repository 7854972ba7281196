/** Functions that turn a value into another type by the rules of field assignment. */
import { values as words } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import type { DataType } from "@accord/contracts/data/values";
import { type Conversion, convertValue } from "@accord/expressions";
import { z } from "zod";
import { type FunctionDefinition, type FunctionExample, FunctionFailure } from "../define.ts";
import { defineValueFunction } from "./value-function.ts";

/** Why a conversion was refused, in words. */
export const conversionMessage = (refused: Extract<Conversion, { ok: false }>): string =>
  fill(words.conversion[refused.code], refused.facts);

/** Defines `To …` for a type. */
export function defineConversion(spec: {
  name: string;
  label: string;
  summary: string;
  dataType: DataType;
  examples: readonly FunctionExample[];
}): FunctionDefinition {
  return defineValueFunction({
    name: spec.name,
    label: spec.label,
    family: "convert",
    summary: spec.summary,
    inputs: [
      {
        name: "otherwise",
        label: "Other values",
        datatype: "picklist",
        defaultValue: "fail",
        values: [
          { id: "fail", label: "Stop the record with an error" },
          { id: "blank", label: "Become blank" },
        ],
      },
    ],
    config: z.object({ otherwise: z.enum(["fail", "blank"]).default("fail") }),
    output: spec.dataType,
    prepare:
      ({ otherwise }) =>
      (value, { timeZone }) => {
        const converted = convertValue(value, { dataType: spec.dataType }, { timeZone });
        if (converted.ok) return converted.value;
        if (otherwise === "blank") return null;
        throw new FunctionFailure(converted.code, conversionMessage(converted));
      },
    examples: spec.examples,
  });
}
