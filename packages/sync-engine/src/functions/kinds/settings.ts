/** Schemas of the settings that many functions share. A token may fill them, so numbers come as text and the reverse. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { compileRegex, isTimeZone, numberText, RegexError } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";

/** Whatever a token brings; blank when left empty. */
export const anySetting = z.custom<Value>(() => true).default(null);

/** A text; numbers and booleans that a token brought are taken as text. */
export const textSetting = (most = 1000) =>
  z
    .union([z.string(), z.number(), z.boolean()], nodeSettings.text)
    .transform(String)
    .refine((text) => text.length <= most, fill(nodeSettings.charactersAtMost, { limit: most }));

export const wholeSetting = (least: number, most: number) =>
  z.coerce
    .number(nodeSettings.wholeNumber)
    .int(nodeSettings.wholeNumber)
    .min(least, fill(nodeSettings.atLeast, { least }))
    .max(most, fill(nodeSettings.atMost, { limit: most }));

export const numberSetting = z
  .union([z.number(), z.string()], nodeSettings.number)
  .refine((held) => numberText(held) !== null, nodeSettings.number);

export const flagSetting = (otherwise: boolean) => z.boolean(nodeSettings.onOrOff).default(otherwise);

/** A regular expression of the linear-time kind: no look-around, no back references. */
export const regexSetting = z
  .string({ error: nodeSettings.needed })
  .min(1, nodeSettings.needed)
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
    const reason = problem instanceof RegexError ? problem.message : nodeSettings.unreadablePattern;
    return fill(nodeSettings.notARegex, { reason });
  }
}

export const zoneSetting = z.string().refine(isTimeZone, nodeSettings.timeZone).optional();

/** The input of a time zone other than UTC. */
export const ZONE_INPUT = {
  name: "timeZone",
  label: "Time zone",
  datatype: "string",
  hideTokenPicker: true,
  helpText: "Otherwise UTC.",
} as const;
