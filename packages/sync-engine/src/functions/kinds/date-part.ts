/** Functions that take one number out of a date or date-time, by the clock and calendar of a time zone. */
import { DAY_MS } from "@accord/expressions";
import { z } from "zod";
import type { FunctionDefinition, FunctionExample } from "../define.ts";
import { timeOf, wallOf } from "../values/read.ts";
import { ZONE_INPUT, zoneSetting } from "./settings.ts";
import { defineValueFunction } from "./value-function.ts";

export function defineDatePart(spec: {
  name: string;
  label: string;
  summary: string;
  /** `at` is the wall clock, to be read by its UTC parts; `day` counts from 1970-01-01. */
  read: (at: Date, day: number) => number;
  examples: readonly FunctionExample[];
}): FunctionDefinition {
  return defineValueFunction({
    name: spec.name,
    label: spec.label,
    family: "date",
    summary: spec.summary,
    inputs: [ZONE_INPUT],
    config: z.object({ timeZone: zoneSetting }),
    output: "integer",
    prepare:
      ({ timeZone }) =>
      (value, env) => {
        const wall = wallOf(timeOf(value), timeZone ?? env.timeZone);
        return spec.read(new Date(wall), Math.floor(wall / DAY_MS));
      },
    examples: spec.examples,
  });
}
