/** Hour. */
import { defineDatePart } from "../kinds/date-part.ts";

export const hour = defineDatePart({
  name: "hour",
  label: "Hour",
  summary: "Takes the hour of the day, 0 to 23; a whole day begins at 0.",
  read: (at) => at.getUTCHours(),
  examples: [
    { says: "of a date-time", config: {}, in: "2024-02-29T20:15:00.000Z", out: 20 },
    { says: "where the clock is", config: { timeZone: "Asia/Tokyo" }, in: "2024-02-29T20:15:00.000Z", out: 5 },
    { says: "of a whole day", config: {}, in: "2024-02-29", out: 0 },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["2024-02-29T20:15:00.000Z", "2024-02-29"],
      out: [20, 0],
    },
    { says: "what is no date stops the record", config: {}, in: 12, fails: "not_a_date" },
  ],
});
