/** Extract domain. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { defineValueFunction } from "../../kinds/value-function.ts";

/** The host of an address, in lower case; null when there is none. Cut step by step, in linear time. */
function domainOf(text: string): string | null {
  const [authority = ""] = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:(?=\/\/|[^0-9/])/i, "")
    .replace(/^\/\//, "")
    .split(/[/?#]/, 1);
  const [host = ""] = authority.slice(authority.lastIndexOf("@") + 1).split(":", 1);
  const domain = (host.endsWith(".") ? host.slice(0, -1) : host).toLowerCase();
  const dot = domain.indexOf(".");
  const isDomain = dot > 0 && dot < domain.length - 1 && domain.length <= LONGEST && !/\s/.test(domain);
  return isDomain ? domain : null;
}

/** No domain name is longer. */
const LONGEST = 253;

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
      const domain = domainOf(textOf(value));
      if (domain === null) return null;
      return keepWww ? domain : domain.replace(/^www\./, "");
    },
  examples: [
    { says: "from an e-mail address", config: {}, in: "Ann.Lee@Example.ORG", out: "example.org" },
    { says: "from a web address", config: {}, in: "https://www.example.com:8080/a?b=c#d", out: "example.com" },
    {
      says: "with a user and a port, without scheme",
      config: {},
      in: "ann:pw@shop.example.co.uk.:8443",
      out: "shop.example.co.uk",
    },
    { says: "from a mail link", config: {}, in: "mailto:ann@example.org?subject=x", out: "example.org" },
    { says: "with www", config: { keepWww: true }, in: "www.example.com/x", out: "www.example.com" },
    { says: "null where there is no domain", config: {}, in: "no domain here", out: null },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a@b.co", "c.de"], out: ["b.co", "c.de"] },
    { says: "a number is taken as text", config: {}, in: 12, out: null },
  ],
});
