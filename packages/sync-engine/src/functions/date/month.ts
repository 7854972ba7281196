/** Month. */
import { defineDatePart } from "../kinds/date-part.ts";

export const month = defineDatePart({
  name: "month",
  label: "Month",
  summary: "Takes the month, 1 to 12.",
  read: (at) => at.getUTCMonth() + 1,
  examples: [
    { says: "of a date", config: {}, in: "2024-02-29", out: 2 },
    {
      says: "of a date-time, where the clock is",
      config: { timeZone: "Asia/Tokyo" },
      in: "2024-02-29T20:00:00.000Z",
      out: 3,
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-29", null], out: [2, null] },
  ],
});
