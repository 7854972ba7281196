/** What the functions about the beginning and the end of a period share. */
import { fromZonedTime } from "@accord/expressions";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { dateValue, momentValue, timeOf, wallOf } from "../values/read.ts";
import { ZONE_INPUT, zoneSetting } from "./settings.ts";

const DAY_MS = 86_400_000;
export const PERIODS = ["hour", "day", "week", "month", "quarter", "year"] as const;

export const PERIOD_INPUTS = [
  {
    name: "period",
    label: "Period",
    datatype: "picklist",
    defaultValue: "month",
    values: PERIODS.map((period) => ({ id: period, label: period })),
    helpText: "Weeks begin on Monday.",
  },
  ZONE_INPUT,
];

export const PeriodConfig = z.object({ period: z.enum(PERIODS).default("month"), timeZone: zoneSetting });

/** A date stays a date, a date-time is moved by the clock of the zone. */
export function moved(value: Value, timeZone: string, move: (wall: number) => number): Value {
  const read = timeOf(value);
  const wall = move(wallOf(read, timeZone));
  if (read.kind === "date") return dateValue(Math.floor(wall / DAY_MS));
  return momentValue(fromZonedTime(wall, timeZone));
}
