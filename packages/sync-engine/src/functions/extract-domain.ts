/** Extract domain. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "./value-function.ts";

const DOMAIN = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?(?:[^/?#@]*@)?([^/?#:@\s]+\.[^/?#:@\s]+?)\.?(?::\d+)?(?:[/?#].*)?$/i;

/** Short, because each text is looked at by a pattern with several optional parts. */
const LONGEST = 2000;

export const extractDomain = defineValueFunction({
  name: "extractDomain",
  label: "Extract domain",
  family: "text",
  summary: "Takes the domain out of an e-mail address or a web address.",
  inputs: [
    {
      name: "keepWww",
      label: "Keep www",
      datatype: "boolean",
      defaultValue: false,
      helpText: "Otherwise a leading www. is dropped.",
    },
  ],
  config: z.object({ keepWww: z.boolean().default(false) }),
  output: "string",
  prepare:
    ({ keepWww }) =>
    (value) => {
      const text = textOf(value).trim();
      const found = text.length > LONGEST ? null : DOMAIN.exec(text);
      if (!found) return null;
      const domain = found[1]!.toLowerCase();
      return keepWww ? domain : domain.replace(/^www\./, "");
    },
  examples: [
    { says: "from an e-mail address", config: {}, in: "Ann.Lee@Example.ORG", out: "example.org" },
    { says: "from a web address", config: {}, in: "https://www.example.com:8080/a?b=c#d", out: "example.com" },
    { says: "with www", config: { keepWww: true }, in: "www.example.com/x", out: "www.example.com" },
    { says: "null where there is no domain", config: {}, in: "no domain here", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a@b.co", "c.de"], out: ["b.co", "c.de"] },
  ],
});
