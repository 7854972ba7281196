/** Hash. */
import { textOf } from "@accord/expressions";
import { z } from "zod";
import { DIGESTS, digestOf } from "../../values/digest.ts";
import { defineValueFunction } from "../../kinds/value-function.ts";

export const hash = defineValueFunction({
  name: "hash",
  label: "Hash",
  family: "text",
  summary: "Makes a fingerprint of the UTF-8 bytes of a text, in hexadecimal digits.",
  inputs: [
    {
      name: "algorithm",
      label: "Algorithm",
      datatype: "picklist",
      defaultValue: "sha256",
      values: [
        { id: "sha256", label: "SHA-256" },
        { id: "md5", label: "MD5 (for systems that ask for it; it protects nothing)" },
      ],
    },
  ],
  config: z.object({ algorithm: z.enum(DIGESTS).default("sha256") }),
  output: "string",
  prepare:
    ({ algorithm }) =>
    (value) =>
      digestOf(textOf(value), algorithm),
  examples: [
    {
      says: "SHA-256 by default",
      config: {},
      in: "abc",
      out: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
    { says: "MD5", config: { algorithm: "md5" }, in: "abc", out: "900150983cd24fb0d6963f7d28e17f72" },
    { says: "null stays null", config: {}, in: null, out: null },
    {
      says: "a list is worked on item by item",
      config: { algorithm: "md5" },
      in: ["a"],
      out: ["0cc175b9c0f1b6a831c399e269772661"],
    },
    {
      says: "a number is taken as text",
      config: {},
      in: 12,
      out: "6b51d431df5d7f141cbececcf79edf3dd861c3b4069f0b11661a3eefacbba918",
    },
  ],
});
