/** To integer. */
import { defineConversion } from "../kinds/conversion.ts";

export const toInteger = defineConversion({
  name: "toInteger",
  label: "To integer",
  summary: "Reads a value as a whole number; round fractions first.",
  dataType: "integer",
  examples: [
    { says: "text with spaces around", config: {}, in: " 42 ", out: 42 },
    { says: "a fraction stops the record", config: {}, in: "4.5", fails: "fraction_in_integer" },
    { says: "or becomes blank", config: { otherwise: "blank" }, in: "many", out: null },
    { says: "beyond exact numbers it stays text", config: {}, in: "9007199254740993", out: "9007199254740993" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["1", 2], out: [1, 2] },
  ],
});
