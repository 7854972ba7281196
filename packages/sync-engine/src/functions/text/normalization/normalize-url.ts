/** Normalize URL. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../../define.ts";
import { flagSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

const PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };
const ADDRESS = /^(?:(https?):\/\/)?(?:[^/?#@\s]*@)?([^/?#:\s]+)(?::(\d{1,5}))?([^?#]*)(\?[^#]*)?(#.*)?$/i;

/** Step by step: a regular expression would take quadratic time on a long row of slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

export const normalizeUrl = defineValueFunction({
  name: "normalizeUrl",
  label: "Normalize URL",
  family: "text",
  summary: "Writes a web address the one way in which it can be compared.",
  inputs: [
    { name: "dropWww", label: "Drop www", datatype: "boolean", defaultValue: false },
    { name: "dropQuery", label: "Drop what follows ? and #", datatype: "boolean", defaultValue: false },
    {
      name: "otherwise",
      label: "Other texts",
      datatype: "picklist",
      defaultValue: "blank",
      values: [
        { id: "blank", label: "Become blank" },
        { id: "fail", label: "Stop the record with an error" },
      ],
    },
  ],
  config: z.object({
    dropWww: flagSetting(false),
    dropQuery: flagSetting(false),
    otherwise: z.enum(["blank", "fail"]).default("blank"),
  }),
  output: "string",
  prepare:
    ({ dropWww, dropQuery, otherwise }) =>
    (value) => {
      const text = textOf(value).trim();
      const found = ADDRESS.exec(text);
      const host = found?.[2]?.toLowerCase().replace(/\.$/, "") ?? "";
      if (!found || !/^[^.]+(\.[^.]+)+$/.test(host)) {
        if (otherwise === "blank") return null;
        throw new FunctionFailure("not_a_url", fill(nodeFailures.notAUrl, { value: text.slice(0, 60) }));
      }
      const scheme = (found[1] ?? "https").toLowerCase();
      const port = found[3] === undefined || found[3] === PORTS[scheme] ? "" : `:${found[3]}`;
      const path = withoutSlashes(found[4] ?? "");
      const rest = dropQuery ? "" : (found[5] ?? "") + (found[6] ?? "");
      return `${scheme}://${dropWww ? host.replace(/^www\./, "") : host}${port}${path}${rest}`;
    },
  examples: [
    {
      says: "scheme and host in small letters, no closing slash",
      config: {},
      in: "HTTPS://Example.ORG/A/",
      out: "https://example.org/A",
    },
    { says: "a missing scheme is https", config: {}, in: "www.example.org:443", out: "https://www.example.org" },
    {
      says: "shortened",
      config: { dropWww: true, dropQuery: true },
      in: "http://www.example.org/a?b=1#c",
      out: "http://example.org/a",
    },
    { says: "anything else becomes blank", config: {}, in: "not an address", out: null },
    { says: "or stops the record", config: { otherwise: "fail" }, in: "x", fails: "not_a_url" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: {},
      in: ["HTTPS://Example.ORG/A/", "www.example.org:443"],
      out: ["https://example.org/A", "https://www.example.org"],
    },
  ],
});
