/** Reading a value as true or false. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { isBlank, textOf } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { FunctionFailure } from "../define.ts";

/** Blank is false; anything but true, false, yes, no, 1 and 0 fails the record. */
export function toBoolean(value: Value): boolean {
  if (typeof value === "boolean") return value;
  if (isBlank(value)) return false;
  const word = textOf(value).trim().toLowerCase();
  if (word === "true" || word === "yes" || word === "1") return true;
  if (word === "false" || word === "no" || word === "0") return false;
  throw new FunctionFailure("not_a_boolean", fill(nodeFailures.notABoolean, { value: textOf(value).slice(0, 60) }));
}
