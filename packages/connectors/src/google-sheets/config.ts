/** What a spreadsheet of Google needs: its address, the id column, how many calls there are, and who is let in. */
import type { AuthMethod, AuthorizationSettings } from "@accord/connector-sdk";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { z } from "zod";
import { Address } from "../http/config.ts";
import { isEncrypted } from "../http/sign-in/authorization.ts";

const ID = /^[A-Za-z0-9_-]{20,200}$/;
const ADDRESS =
  /^https:\/\/docs\.google\.com\/(?:a\/[^/]+\/)?spreadsheets\/(?:u\/\d+\/)?d\/([A-Za-z0-9_-]{20,200})(?:[/?#]|$)/;

/** The id in an address of the browser, or the id itself; null for anything else, such as the address of a published copy. */
const spreadsheetIdIn = (text: string): string | null => (ID.test(text) ? text : (ADDRESS.exec(text)?.[1] ?? null));

export const SheetsConfig = z.object({
  spreadsheet: z
    .string()
    .trim()
    .min(1, "is required")
    .max(2000)
    .refine((text) => text === "" || spreadsheetIdIn(text) !== null, { error: googleSheets.spreadsheetForm }),
  /** Of every tab for which no other one was chosen. */
  idColumn: z.string().trim().max(200).default("id"),
  readsPerMinute: z.coerce.number().int().min(1).max(100_000).default(60),
  writesPerMinute: z.coerce.number().int().min(1).max(100_000).default(60),
  answerSeconds: z.coerce.number().int().min(1).max(300).default(60),
  baseUrl: Address.or(z.literal("")).nullish(),
});
export type SheetsConfig = z.output<typeof SheetsConfig>;

export const spreadsheetIdOf = ({ spreadsheet }: SheetsConfig): string => spreadsheetIdIn(spreadsheet) ?? "";

export interface Addresses {
  /** Origins, without a slash at the end. */
  sheets: string;
  drive: string;
  token: string;
  consent: string;
}

export function addressesOf({ baseUrl }: Pick<SheetsConfig, "baseUrl">): Addresses {
  if (!baseUrl)
    return {
      sheets: "https://sheets.googleapis.com",
      drive: "https://www.googleapis.com",
      token: "https://oauth2.googleapis.com/token",
      consent: "https://accounts.google.com/o/oauth2/v2/auth",
    };
  const base = baseUrl.replace(/\/+$/, "");
  return { sheets: base, drive: base, token: `${base}/token`, consent: `${base}/o/oauth2/v2/auth` };
}

/** `host:port` of each server that is asked, and of the page where a person signs in. */
export function hostsOf(config: SheetsConfig, authType?: string): string[] {
  const { sheets, drive, token, consent } = addressesOf(config);
  const urls = [sheets, drive, token, ...(authType === "oauth" ? [consent] : [])].map((address) => new URL(address));
  return [
    ...new Set(
      urls.map(({ protocol, hostname, port }) => `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`),
    ),
  ];
}

/** The origins of both APIs; and where tokens are given out, in full. */
export function destinationsOf(config: SheetsConfig, authType?: string): string[] {
  const { sheets, drive, token } = addressesOf(config);
  const origins = [sheets, drive].map((address) => new URL(address).origin);
  return [...new Set([...origins, authType === undefined ? new URL(token).origin : token])];
}

export const signInProblemsOf = (config: SheetsConfig) =>
  isEncrypted(addressesOf(config).token) ? [] : [{ path: "baseUrl", message: googleSheets.httpsForm }];

/** Reading and writing spreadsheets; and whether the file was changed, without reading it. */
export const SCOPES = [
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/drive.metadata.readonly",
];

/** Google gives a refresh token for `offline` alone, and once for each consent: so it is asked for each time. */
export function authorizationOf(
  config: SheetsConfig,
  credentials: Readonly<Record<string, string>>,
): AuthorizationSettings {
  const { consent, token } = addressesOf(config);
  return {
    authorizationUrl: consent,
    tokenUrl: token,
    clientId: credentials["clientId"] ?? "",
    clientSecret: credentials["clientSecret"] || null,
    clientAuthentication: "body",
    scope: ["openid", "email", ...SCOPES].join(" "),
    parameters: { access_type: "offline", prompt: "consent" },
    issuer: null,
    pkce: true,
    tokenRequestFormat: "form",
    instanceMember: null,
    errorCodes: {},
    account: { from: "idToken" },
  };
}

export const SHEETS_CONFIG_FIELDS: InputDefinition[] = [
  {
    name: "spreadsheet",
    label: "Spreadsheet",
    datatype: "string",
    required: true,
    helpText: "Its address in the browser, https://docs.google.com/spreadsheets/d/…, or the id in it.",
  },
  {
    name: "idColumn",
    label: "Id column",
    datatype: "string",
    defaultValue: "id",
    helpText:
      "Name of the column that identifies the rows of each tab: always filled, each time with another value. For single tabs another one can be chosen on the page of the entity.",
  },
  {
    name: "readsPerMinute",
    label: "Reads a minute",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
    helpText: "What Google lets this account read: 60 calls a minute unless Google granted the project more.",
  },
  {
    name: "writesPerMinute",
    label: "Writes a minute",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
    helpText: "Likewise for writing: many rows are written in one call.",
  },
  {
    name: "answerSeconds",
    label: "Longest wait for an answer (seconds)",
    datatype: "integer",
    defaultValue: 60,
    fieldSet: "Advanced",
  },
  {
    name: "baseUrl",
    label: "Base address of the API",
    datatype: "url",
    fieldSet: "Advanced",
    helpText: "Only where Google is reached at another address than its usual ones, such as through a proxy.",
  },
];

export const SHEETS_AUTH_METHODS: AuthMethod[] = [
  {
    type: "privateKey",
    label: "Service account key",
    readableMembers: ["type", "client_email", "project_id", "auth_uri", "token_uri", "universe_domain"],
    fields: [
      {
        name: "serviceAccountKey",
        label: "Service account key (JSON)",
        datatype: "password",
        secret: true,
        required: true,
        helpText:
          "The whole text of the JSON file that Google gives out for a key. Share the spreadsheet with the address that stands in it as client_email, as Editor: testing the connection names it.",
      },
    ],
  },
  {
    type: "oauth",
    label: "Sign in at Google",
    fields: [
      {
        name: "clientId",
        label: "Client ID",
        datatype: "string",
        required: true,
        helpText: "Of an OAuth client of the type Web application, which you make in the Google Cloud console.",
      },
      { name: "clientSecret", label: "Client secret", datatype: "password", secret: true, required: true },
    ],
  },
];
