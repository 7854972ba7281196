/** Week of year. */
import { isoWeekOf } from "@accord/expressions";
import { defineDatePart } from "../kinds/date-part.ts";

export const weekOfYear = defineDatePart({
  name: "weekOfYear",
  label: "Week of year",
  summary: "Takes the week of the year, 1 to 53, as ISO 8601 counts: the first has the year's first Thursday.",
  read: (_at, day) => isoWeekOf(day),
  examples: [
    { says: "the first Thursday is in week one", config: {}, in: "2024-01-04", out: 1 },
    { says: "the first days may belong to the year before", config: {}, in: "2023-01-01", out: 52 },
    { says: "and the last to the year after", config: {}, in: "2024-12-30", out: 1 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["2024-01-04", "2023-01-01"], out: [1, 52] },
    { says: "what is no date stops the record", config: {}, in: 12, fails: "not_a_date" },
  ],
});
