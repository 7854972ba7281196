/** What an uploaded synapse says of itself: read from its code once, in a sandbox, and judged like any stranger's word. */
import { z } from "zod";
import { InputDefinition } from "../config/inputs.ts";

/** Ways to sign in that need nobody's browser. */
export const UPLOADED_AUTH_TYPES = [
  "none",
  "userPassword",
  "apiKey",
  "bearerToken",
  "apiSecretKey",
  "userPasswordToken",
] as const;

export const UPLOADED_CAPABILITIES = [
  "read",
  "create",
  "update",
  "delete",
  "getById",
  "lookup",
  "readByWatermark",
  "readDeletes",
  "listIds",
  "readChanges",
  "idempotentCreate",
  "conditionalWrite",
  "checkedWrite",
] as const;

const FieldName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,49}$/, "must start with a letter and hold only letters, digits and underscores")
  .refine((name) => !(name in {}), "is a reserved word: choose another name");

const Input = InputDefinition.extend({ name: FieldName, label: z.string().min(1).max(120) });

/** `https://{account}.example.com:8443`, or one input that holds a whole address: `{baseUrl}`. */
export const ORIGIN_PATTERN =
  /^(?:https?:\/\/(?:[A-Za-z0-9.-]|\{[A-Za-z][A-Za-z0-9_]*\})+(?::\d{1,5})?|\{[A-Za-z][A-Za-z0-9_]*\})$/;

export const SynapseDescription = z
  .object({
    displayName: z.string().trim().min(1).max(60),
    description: z.string().max(300).default(""),
    helpUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional(),
    configFields: z.array(Input).max(50).default([]),
    authMethods: z
      .array(
        z.object({
          type: z.enum(UPLOADED_AUTH_TYPES),
          label: z.string().min(1).max(60),
          fields: z.array(Input).max(20).default([]),
        }),
      )
      .min(1)
      .max(10)
      .default([{ type: "none", label: "None", fields: [] }]),
    capabilities: z.array(z.enum(UPLOADED_CAPABILITIES)).min(1).max(UPLOADED_CAPABILITIES.length),
    origins: z
      .array(
        z.string().max(300).regex(ORIGIN_PATTERN, "must be an address like https://api.example.com, without a path"),
      )
      .max(20),
    readPageSize: z.int().min(1).max(1_000).default(200),
    writeBatchSize: z.int().min(1).max(100).default(20),
    readDelaySeconds: z.int().min(0).max(600).default(0),
  })
  .superRefine((description, context) => {
    const inputs = new Set(description.configFields.map(({ name }) => name));
    for (const [at, origin] of description.origins.entries())
      for (const [, input = ""] of origin.matchAll(/\{([^}]+)\}/g))
        if (!inputs.has(input))
          context.addIssue({
            code: "custom",
            path: ["origins", at],
            message: `names an input {${input}} that configFields does not have`,
          });
    for (const [at, { fields }] of description.authMethods.entries())
      if (fields.some(({ secret, datatype }) => datatype === "password" && !secret))
        context.addIssue({
          code: "custom",
          path: ["authMethods", at],
          message: "has a password that is not marked: add secret: true",
        });
    if (description.configFields.some(({ secret }) => secret))
      context.addIssue({
        code: "custom",
        path: ["configFields"],
        message: "may hold no secrets: move them to the fields of a sign-in method",
      });
  });
export type SynapseDescription = z.output<typeof SynapseDescription>;
