/** Compute hash. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { splitList, textOf } from "@accord/expressions";
import { z } from "zod";
import { type Digest, digestOf } from "../values/digest.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { fieldFaults } from "../kinds/field-setting.ts";
import { setResult } from "../flow.ts";

const Config = z.looseObject({
  fields: z
    .union([z.array(z.string()), z.string().transform(splitList)], nodeSettings.chooseFields)
    .refine((fields) => fields.length > 0, nodeSettings.chooseFields),
  algorithm: z.enum(["sha256", "md5", "uuid"]).default("sha256"),
});

/** A UUID of version 8 (RFC 9562): its bits are those of a hash, so that equal fields give an equal one. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}

export const computeHash: FunctionDefinition = {
  name: "computeHash",
  label: "Compute hash",
  family: "record",
  summary: "Makes a stable key of several fields: the same values always give the same key.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "fields",
      label: "Fields",
      datatype: "multiselectField",
      renderType: "coreField",
      required: true,
      hideTokenPicker: true,
    }),
    input({
      name: "algorithm",
      label: "Key",
      datatype: "picklist",
      defaultValue: "sha256",
      values: [
        { id: "sha256", label: "SHA-256" },
        { id: "md5", label: "MD5 (for systems that ask for it; it protects nothing)" },
        { id: "uuid", label: "UUID" },
      ],
    }),
  ],
  edgeTypes: null,
  output: "string",
  check: (configuration, fields) => {
    const parsed = Config.safeParse(configuration);
    if (!parsed.success) return schemaIssues(Config, configuration, () => false);
    return parsed.data.fields.flatMap((field) => fieldFaults(field, fields, "fields"));
  },
  compile: (configuration, { slot }) => {
    const { fields, algorithm } = Config.parse(configuration);
    const digest: Digest = algorithm === "md5" ? "md5" : "sha256";
    return (page) => {
      for (const record of page) {
        if (record.failure) continue;
        // As JSON, so that ["a", "bc"] and ["ab", "c"] differ.
        const hex = digestOf(JSON.stringify(fields.map((field) => textOf(record.values[field]))), digest);
        setResult(record, slot, algorithm === "uuid" ? uuidOf(hex) : hex);
      }
      return "default";
    };
  },
  examples: [
    {
      says: "a key of two fields",
      config: { fields: ["Name", "size"], algorithm: "md5" },
      record: { values: { Name: "Acme", size: 1 } },
      out: "d3b52c3ed48f2a1c1771f16396deb455",
    },
    {
      says: "as a UUID",
      config: { fields: ["Name"], algorithm: "uuid" },
      record: { values: { Name: "Acme" } },
      out: "23bc9c7f-a866-8780-9031-2fe463c30b87",
    },
    {
      says: "blanks count as empty texts",
      config: { fields: ["Name"], algorithm: "md5" },
      record: { values: { Name: null } },
      out: "399fc6670871474cd7ce0458401fd299",
    },
    {
      says: "lists and numbers count by their text",
      config: { fields: ["tags", "size"], algorithm: "md5" },
      record: { values: { tags: ["a", "b"], size: 1 } },
      out: "8725ff3ca69cb8001af629d9c4a4b5d0",
    },
  ],
};
