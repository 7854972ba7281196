/** Quarter. */
import { defineDatePart } from "../kinds/date-part.ts";

export const quarter = defineDatePart({
  name: "quarter",
  label: "Quarter",
  summary: "Takes the quarter of the year, 1 to 4.",
  read: (at) => Math.floor(at.getUTCMonth() / 3) + 1,
  examples: [
    { says: "the first three months", config: {}, in: "2024-03-31", out: 1 },
    { says: "and the last", config: {}, in: "2024-10-01", out: 4 },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-03-31", "2024-10-01"], out: [1, 4] },
  ],
});
