/** What a connection to any database server needs: address, encryption, time limits, and a user with a password. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";
import { CONNECT_FIELD, CONNECT_SHAPE, hostFields, hostShape } from "../host-config.ts";

/** `nameLength`: characters that the name of a database may have there. */
export const addressShape = ({ port, nameLength }: { port: number; nameLength: number }) => ({
  ...hostShape(port),
  database: z.string().trim().min(1, "is required").max(nameLength),
});

export const LINE_SHAPE = {
  encryption: z.enum(["verified", "unverified", "none"]).default("verified"),
  certificate: z.string().max(50_000).nullish(),
  ...CONNECT_SHAPE,
  statementSeconds: z.coerce.number().int().min(1).max(3600).default(60),
};

export const addressFields = (port: number): InputDefinition[] => [
  ...hostFields(port, "db.example.com"),
  { name: "database", label: "Database", datatype: "string", required: true },
];

export const LINE_FIELDS: readonly InputDefinition[] = [
  {
    name: "encryption",
    label: "Encryption",
    datatype: "picklist",
    defaultValue: "verified",
    values: [
      { id: "verified", label: "Encrypted, certificate checked" },
      { id: "unverified", label: "Encrypted, any certificate" },
      { id: "none", label: "None" },
    ],
  },
  {
    name: "certificate",
    label: "Certificate of the authority",
    datatype: "textarea",
    helpText: "Paste the PEM text if the server's certificate is signed by an authority of your own.",
    visibilityDependsOnFieldValue: { field: "encryption", value: "verified" },
  },
  CONNECT_FIELD,
  {
    name: "statementSeconds",
    label: "Longest statement (seconds)",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
  },
];

export const USER_AND_PASSWORD: AuthMethod = {
  type: "userPassword",
  label: "User name and password",
  fields: [
    { name: "username", label: "User name", datatype: "string", required: true },
    { name: "password", label: "Password", datatype: "password", secret: true },
  ],
};
