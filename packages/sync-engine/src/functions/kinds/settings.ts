/** Schemas of the settings that many functions share. A token may fill them, so numbers come as text and the reverse. */
import { compileRegex, isTimeZone, numberText, RegexError } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";

/** Whatever a token brings; blank when left empty. */
export const anySetting = z.custom<Value>(() => true).default(null);

/** A text; numbers and booleans that a token brought are taken as text. */
export const textSetting = (most = 1000) =>
  z
    .union([z.string(), z.number(), z.boolean()], "must be a text")
    .transform(String)
    .refine((text) => text.length <= most, `may have ${most} characters at most`);

export const wholeSetting = (least: number, most: number) =>
  z.coerce
    .number("must be a whole number")
    .int("must be a whole number")
    .min(least, `must be ${least} at least`)
    .max(most, `may be ${most} at most`);

export const numberSetting = z
  .union([z.number(), z.string()], "must be a number")
  .refine((held) => numberText(held) !== null, "must be a number");

export const flagSetting = (otherwise: boolean) => z.boolean("must be on or off").default(otherwise);

/** A regular expression of the linear-time kind: no look-around, no back references. */
export const regexSetting = z
  .string({ error: "is needed" })
  .min(1, "is needed")
  .check((context) => {
    const fault = regexFault(context.value);
    if (fault) context.issues.push({ code: "custom", message: fault, input: context.value });
  });

/** Why a text is no regular expression that can be used; null when it is one. */
export function regexFault(pattern: string): string | null {
  try {
    compileRegex(pattern);
    return null;
  } catch (problem) {
    return `is no regular expression: ${problem instanceof RegexError ? problem.message : "it can't be read"}`;
  }
}

export const zoneSetting = z.string().refine(isTimeZone, "is no time zone; write one like Europe/Berlin").optional();

/** The input of a time zone other than UTC. */
export const ZONE_INPUT = {
  name: "timeZone",
  label: "Time zone",
  datatype: "string",
  hideTokenPicker: true,
  helpText: "Otherwise UTC.",
} as const;
