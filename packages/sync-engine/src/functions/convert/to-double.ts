/** To double. */
import { defineConversion } from "../kinds/conversion.ts";

export const toDouble = defineConversion({
  name: "toDouble",
  label: "To double",
  summary: "Reads a value as a number with a floating point.",
  dataType: "double",
  examples: [
    { says: "commas between thousands are read", config: {}, in: "1,234.5", out: 1234.5 },
    { says: "and exponents", config: {}, in: "1e3", out: 1000 },
    { says: "anything else stops the record", config: {}, in: "many", fails: "not_a_number" },
    { says: "or becomes blank", config: { otherwise: "blank" }, in: "many", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["1,234.5", "1e3"], out: [1234.5, 1000] },
  ],
});
