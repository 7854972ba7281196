/** Airtable: the tables of one base. Written by its Web API reference (https://airtable.com/developers/web/api). */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { inAddress } from "../address.ts";
import { moment, READ_ONLY, type FieldInput } from "../fields.ts";
import { byToken } from "../sign-in.ts";
import { defineSystem, type FoundEntity } from "../system.ts";
import { fieldOf } from "./field-types.ts";

const Tables = z.object({
  tables: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      fields: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          options: z.record(z.string(), z.json()).nullish(),
        }),
      ),
    }),
  ),
});

/** What a record has beside its fields. */
const OWN_FIELDS: readonly FieldInput[] = [
  { apiName: "id", displayName: "Record ID", ...READ_ONLY },
  moment("createdTime", { displayName: "Created", isCreatedAtField: true, ...READ_ONLY }),
];
const isOwn = ({ apiName }: { apiName: string }): boolean => OWN_FIELDS.some((field) => field.apiName === apiName);

interface Base {
  baseId: string;
}

/** By ids, so that a column that is renamed stays the same field. */
const BY_ID = "returnFieldsByFieldId";

function described({ apiName, displayName, fields }: FoundEntity, { baseId }: Base): HttpEntityInput {
  const path = `/${baseId}/${encodeURIComponent(apiName)}`;
  const one = `${path}/{{id}}`;
  const written = { recordPath: "fields", body: JSON.stringify({ [BY_ID]: true }) };
  const paging = { kind: "cursor", cursorSelector: "offset", cursorParam: "offset", sizeParam: "pageSize" } as const;
  // A record that nobody has changed yet has no time of change; a computed field that changes sets none.
  const isSince = (time: string): string => `NOT(IS_BEFORE(${time},'{{watermark.start}}'))`;
  const changed = `IF(LAST_MODIFIED_TIME(),${isSince("LAST_MODIFIED_TIME()")},${isSince("CREATED_TIME()")})`;
  return {
    apiName,
    displayName,
    idField: "id",
    fields: fields.map((field) =>
      isOwn(field) ? field : { ...field, path: `fields.${field.apiName}`, writePath: field.apiName },
    ),
    leavesOutEmpty: true,
    missingMeansDeleted: true,
    list: {
      path: `${path}?${BY_ID}=true`,
      recordSelector: "records",
      paging,
      watermark: { overlapSeconds: 60 },
      changes: {
        path: `${path}?${BY_ID}=true&filterByFormula=${inAddress(changed)}`,
        recordSelector: "records",
        paging,
      },
    },
    getById: { path: `${one}?${BY_ID}=true` },
    create: { method: "POST", path, ...written },
    update: { method: "PATCH", path: one, ...written },
    delete: { method: "DELETE", path: one },
  };
}

export const airtable = defineSystem({
  type: "airtable",
  displayName: "Airtable",
  description: "The tables of one base, read and written. Columns keep their identity when they are renamed.",
  icon: "airtable",
  backgroundColor: "gold",
  helpUrl: "https://airtable.com/developers/web/api",
  inputs: {
    baseId: z
      .string()
      .trim()
      .regex(/^app[A-Za-z0-9]{8,30}$/, "starts with app, as in the address of the base"),
  },
  inputFields: [
    {
      name: "baseId",
      label: "Base ID",
      datatype: "string",
      required: true,
      helpText: "The part of the base's address that starts with app: airtable.com/app…",
    },
  ],
  signIn: [
    byToken({
      label: "Personal access token",
      helpText: "With the scopes data.records:read, data.records:write and schema.bases:read, for this base.",
    }),
  ],
  consent: {
    idLabel: "Client ID",
    secretLabel: "Client secret",
    helpText:
      "Of an OAuth integration of your own in Airtable's builder hub that has the scopes which stand under Advanced.",
    addresses: () => ({
      authorizationUrl: "https://airtable.com/oauth2/v1/authorize",
      tokenUrl: "https://airtable.com/oauth2/v1/token",
    }),
    scope: "data.records:read data.records:write schema.bases:read",
    clientAuthentication: "basic",
    pkce: true,
    account: { from: "call", url: "/meta/whoami", headers: {}, idSelector: "id", nameSelector: "email" },
  },
  api: ({ baseId }) => ({
    baseUrl: "https://api.airtable.com/v0",
    checkPath: `/meta/bases/${baseId}/tables`,
    errorSelector: "error.message",
    // A base takes five calls a second; whoever calls more often waits for 30 seconds.
    parallelWrites: 3,
    rateLimitWaitSeconds: 30,
  }),
  entities: {
    async find({ baseId }, calls) {
      const { data } = Tables.safeParse(await calls.get(`/meta/bases/${baseId}/tables`));
      if (!data) throw new ConnectorError("unexpected", "The list of tables has another form than Airtable documents.");
      return data.tables.map(({ id, name, fields }): HttpEntityInput =>
        described(
          { apiName: id, displayName: name.slice(0, 120), fields: [...OWN_FIELDS, ...fields.map(fieldOf)] },
          { baseId },
        ),
      );
    },
    describe: described,
  },
});
