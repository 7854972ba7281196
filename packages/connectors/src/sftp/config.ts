/** What files on another server need: its address and host key, the folder, how the files are written, and who reads them. */
import type { AuthMethod } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { z } from "zod";
import { TEXT_FIELDS, TEXT_SHAPE } from "../files/config.ts";
import { CONNECT_FIELD, CONNECT_SHAPE, hostFields, hostShape } from "../host-config.ts";

/** As `ssh-keygen -l` prints it: 32 bytes in base64, with or without the padding. */
const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}=?$/;
/** A server has a key for each algorithm. */
const MAX_FINGERPRINTS = 5;

export const fingerprintsIn = (text: string): string[] => text.split(/[\s,]+/).filter((part) => part !== "");

export const SftpConfig = z.object({
  ...hostShape(22),
  /** Empty until somebody has compared what the server shows. */
  fingerprint: z
    .string()
    .trim()
    .max(500)
    .default("")
    .refine((text) => fingerprintsIn(text).every((part) => FINGERPRINT.test(part)), {
      error: "must look like SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    })
    .refine((text) => fingerprintsIn(text).length <= MAX_FINGERPRINTS, {
      error: `must be ${MAX_FINGERPRINTS} fingerprints at most`,
    }),
  /** Empty: the folder in which a session of this user begins. */
  folder: z.string().trim().max(1000).default(""),
  ...TEXT_SHAPE,
  ...CONNECT_SHAPE,
  answerSeconds: z.coerce.number().int().min(1).max(600).default(30),
});
export type SftpConfig = z.output<typeof SftpConfig>;

export const SFTP_CONFIG_FIELDS: InputDefinition[] = [
  ...hostFields(22, "files.example.com"),
  {
    name: "fingerprint",
    label: "Fingerprint of the host key",
    datatype: "string",
    helpText:
      "Leave it empty once: testing the connection says which key the server shows. Compare that with what its operator says (ssh-keygen -lf on the server), then enter it here.",
  },
  {
    name: "folder",
    label: "Folder",
    datatype: "string",
    helpText:
      "Empty for the folder in which a session begins. Each CSV or JSON Lines file and each sheet of an XLSX workbook in it becomes an entity, each subfolder one for all of its files.",
  },
  ...TEXT_FIELDS,
  CONNECT_FIELD,
  {
    name: "answerSeconds",
    label: "Longest wait for an answer (seconds)",
    datatype: "integer",
    defaultValue: 30,
    fieldSet: "Advanced",
  },
];

const USER_NAME: InputDefinition = { name: "username", label: "User name", datatype: "string", required: true };

export const SFTP_AUTH_METHODS: AuthMethod[] = [
  {
    type: "userPassword",
    label: "User name and password",
    fields: [USER_NAME, { name: "password", label: "Password", datatype: "password", secret: true, required: true }],
  },
  {
    type: "privateKey",
    label: "User name and private key",
    fields: [
      USER_NAME,
      {
        name: "privateKey",
        label: "Private key",
        datatype: "password",
        secret: true,
        required: true,
        helpText: "The whole text of a key in the format of OpenSSH or PEM, with its first and last line.",
      },
      { name: "passphrase", label: "Passphrase of the key", datatype: "password", secret: true },
    ],
  },
];
