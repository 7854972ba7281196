/** What lookups share: which of several records counts, and what happens when there is none. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import type { Value, Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { FunctionFailure } from "../define.ts";

export const CHOICE_INPUTS = [
  {
    name: "onMultiple",
    label: "When several are found",
    datatype: "picklist",
    defaultValue: "first",
    values: [
      { id: "first", label: "Take the first" },
      { id: "last", label: "Take the last" },
      { id: "error", label: "Stop the record with an error" },
    ],
  },
  {
    name: "onNone",
    label: "When none is found",
    datatype: "picklist",
    defaultValue: "blank",
    values: [
      { id: "blank", label: "The result is blank" },
      { id: "error", label: "Stop the record with an error" },
    ],
  },
];

export const CHOICE_CONFIG = {
  onMultiple: z.enum(["first", "last", "error"]).default("first"),
  onNone: z.enum(["blank", "error"]).default("blank"),
};

type Choice = z.output<z.ZodObject<typeof CHOICE_CONFIG>>;

/** How many to ask for, so that the choice can be made. */
export const limitFor = (choice: Choice): number => ({ first: 1, error: 2, last: 1000 })[choice.onMultiple];

/** The one record that counts. Throws `FunctionFailure`. */
export function chosen(found: readonly Values[], { onMultiple, onNone }: Choice): Values | null {
  if (found.length > 1 && onMultiple === "error") throw new FunctionFailure("several_found", nodeFailures.severalFound);
  const one = (onMultiple === "last" ? found.at(-1) : found[0]) ?? null;
  if (one === null && onNone === "error") throw new FunctionFailure("none_found", nodeFailures.noneFound);
  return one;
}

/** The result of a lookup as a value of its own. */
export const asValue = (values: Values | null): Value => (values === null ? null : { ...values });
