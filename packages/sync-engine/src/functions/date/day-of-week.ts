/** Day of week. */
import { isoDayOfWeek } from "@accord/expressions";
import { defineDatePart } from "../kinds/date-part.ts";

export const dayOfWeek = defineDatePart({
  name: "dayOfWeek",
  label: "Day of week",
  summary: "Takes the day of the week: Monday is 1, Sunday 7.",
  read: (_at, day) => isoDayOfWeek(day),
  examples: [
    { says: "a Thursday", config: {}, in: "2024-02-29", out: 4 },
    { says: "a Sunday long ago", config: {}, in: "1969-07-20", out: 7 },
    {
      says: "in another zone it may be the next day",
      config: { timeZone: "Asia/Tokyo" },
      in: "2024-02-29T20:00:00.000Z",
      out: 5,
    },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "text that is no date stops the record", config: {}, in: "x", fails: "not_a_date" },
    { says: "a list is worked on item by item", config: {}, in: ["2024-02-29", "1969-07-20"], out: [4, 7] },
  ],
});
