/** Base64 decode. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { FunctionFailure } from "../../define.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const base64Decode = defineValueFunction({
  name: "base64Decode",
  label: "Base64 decode",
  family: "text",
  summary: "Reads Base64, of either spelling, as a UTF-8 text.",
  config: z.object({}),
  output: "string",
  prepare: () => (value) => {
    const text = textOf(value).replaceAll(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
    try {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new FunctionFailure("not_base64", fill(nodeFailures.notBase64, { value: text.slice(0, 60) }));
    }
  },
  examples: [
    { says: "the text behind the bytes", config: {}, in: "R3LDvMOfZQ==", out: "Grüße" },
    { says: "as addresses spell it", config: {}, in: "Pz8-Pg", out: "??>>" },
    { says: "anything else stops the record", config: {}, in: "???", fails: "not_base64" },
    { says: "bytes that are no text stop it too", config: {}, in: "/w==", fails: "not_base64" },
    { says: "null stays null", config: {}, in: null, out: null },
    { says: "a list is worked on item by item", config: {}, in: ["R3LDvMOfZQ==", "Pz8-Pg"], out: ["Grüße", "??>>"] },
  ],
});
