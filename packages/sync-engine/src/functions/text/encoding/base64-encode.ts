/** Base64 encode. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { flagSetting } from "../../kinds/settings.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const base64Encode = defineValueFunction({
  name: "base64Encode",
  label: "Base64 encode",
  family: "text",
  summary: "Writes the UTF-8 bytes of a text in Base64.",
  inputs: [
    {
      name: "urlSafe",
      label: "For addresses",
      datatype: "boolean",
      defaultValue: false,
      helpText: "Uses - and _ and no = at the end.",
    },
  ],
  config: z.object({ urlSafe: flagSetting(false) }),
  output: "string",
  prepare:
    ({ urlSafe }) =>
    (value) => {
      const bytes = new TextEncoder().encode(textOf(value));
      const plain = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      return urlSafe ? plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") : plain;
    },
  examples: [
    { says: "the bytes of the text", config: {}, in: "Grüße", out: "R3LDvMOfZQ==" },
    { says: "for addresses", config: { urlSafe: true }, in: "??>>", out: "Pz8-Pg" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["a", "b"], out: ["YQ==", "Yg=="] },
    { says: "a number is taken as text", config: {}, in: 12, out: "MTI=" },
  ],
});
