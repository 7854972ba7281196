/** Day of year. */
import { dayOfYear as numberOfDay } from "@accord/expressions";
import { defineDatePart } from "../kinds/date-part.ts";

export const dayOfYear = defineDatePart({
  name: "dayOfYear",
  label: "Day of year",
  summary: "Takes the day of the year, 1 to 366.",
  read: (_at, day) => numberOfDay(day),
  examples: [
    { says: "the last day of a leap year", config: {}, in: "2024-12-31", out: 366 },
    { says: "the first of any", config: {}, in: "2023-01-01T10:00:00.000Z", out: 1 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["2024-01-02", "2024-02-01"], out: [2, 32] },
    { says: "what is no date stops the record", config: {}, in: 12, fails: "not_a_date" },
  ],
});
