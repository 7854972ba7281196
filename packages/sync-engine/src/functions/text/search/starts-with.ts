/** Starts with. */
import { defineTextTest } from "../../kinds/text-test.ts";

export const startsWith = defineTextTest({
  name: "startsWith",
  label: "Starts with",
  summary: "Tells whether a text begins with another one.",
  test: (text, wanted) => text.startsWith(wanted),
  examples: [
    { says: "without regard to case", config: { text: "+44" }, in: "+44 20 7946", out: true },
    { says: "unless it matters", config: { text: "ac", matchCase: true }, in: "Acme", out: false },
    { says: "blank begins with nothing", config: { text: "a" }, in: null, out: false },
    { says: "a number is taken as text", config: { text: "1" }, in: 12, out: true },
    {
      says: "a list is worked on item by item",
      config: { text: "+44" },
      in: ["+44 20 7946", null],
      out: [true, false],
    },
  ],
});
