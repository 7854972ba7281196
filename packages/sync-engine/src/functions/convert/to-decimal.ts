/** To decimal. */
import { defineConversion } from "../kinds/conversion.ts";

export const toDecimal = defineConversion({
  name: "toDecimal",
  label: "To decimal",
  summary: "Reads a value as an exact decimal number, as money needs it.",
  dataType: "decimal",
  examples: [
    { says: "every digit stays", config: {}, in: "12345678901234567890.10", out: "12345678901234567890.1" },
    { says: "a double as its digits say", config: {}, in: 0.1, out: "0.1" },
    { says: "anything else stops the record", config: {}, in: "many", fails: "not_a_number" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["12345678901234567890.10", 0.1],
      out: ["12345678901234567890.1", "0.1"],
    },
  ],
});
