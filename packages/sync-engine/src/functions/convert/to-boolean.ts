/** To boolean. */
import { defineConversion } from "../kinds/conversion.ts";

export const toBoolean = defineConversion({
  name: "toBoolean",
  label: "To boolean",
  summary: "Reads true, yes and 1 as true; false, no and 0 as false.",
  dataType: "boolean",
  examples: [
    { says: "yes, in any case", config: {}, in: "YES", out: true },
    { says: "a number", config: {}, in: 0, out: false },
    { says: "anything else stops the record", config: {}, in: "maybe", fails: "not_a_boolean" },
    { says: "or becomes blank", config: { otherwise: "blank" }, in: "maybe", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["YES", 0], out: [true, false] },
  ],
});
