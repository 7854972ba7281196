/** HubSpot: contacts, companies and deals. Written by its CRM API reference (https://developers.hubspot.com/docs/api/crm). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { byToken } from "../sign-in.ts";
import { defineSystem, type FoundEntity } from "../system.ts";
import { OWN_FIELDS, propertiesIn } from "./properties.ts";

/** `changedAt`: the property with the time of the last change. */
const OBJECTS = [
  { apiName: "contacts", displayName: "Contact", changedAt: "lastmodifieddate" },
  { apiName: "companies", displayName: "Company", changedAt: "hs_lastmodifieddate" },
  { apiName: "deals", displayName: "Deal", changedAt: "hs_lastmodifieddate" },
] as const;

/** HubSpot refuses a sign-in that asks for less than the app requires. */
const SCOPES = [
  "oauth",
  ...OBJECTS.flatMap(({ apiName }) => [`crm.objects.${apiName}.read`, `crm.objects.${apiName}.write`]),
  ...OBJECTS.map(({ apiName }) => `crm.schemas.${apiName}.read`),
];

/** A search shows so many records and no more. */
const SEARCH_ENDS = 10_000;

function described({ apiName, fields }: FoundEntity): HttpEntityInput | null {
  const object = OBJECTS.find((candidate) => candidate.apiName === apiName);
  if (!object) return null;
  const { displayName, changedAt } = object;
  const path = `/crm/v3/objects/${apiName}`;
  const isProperty = (name: string): boolean => !OWN_FIELDS.some((field) => field.apiName === name);
  const properties = fields.map((field) => field.apiName).filter(isProperty);
  const shown = `properties=${properties.join(",")}`;
  const one = `${path}/{{id}}`;
  const search = (filter: { propertyName: string; operator: string; value: string }, more = {}): string =>
    JSON.stringify({ filterGroups: [{ filters: [filter] }], properties, limit: 100, ...more });
  return {
    apiName,
    displayName,
    idField: "id",
    watermarkField: "updatedAt",
    missingMeansDeleted: true,
    blankAsText: true,
    fields: fields.map((field) =>
      isProperty(field.apiName)
        ? { ...field, path: `properties.${field.apiName}`, writePath: field.apiName }
        : { ...field },
    ),
    list: {
      path: `${path}?${shown}`,
      recordSelector: "results",
      paging: {
        kind: "cursor",
        cursorSelector: "paging.next.after",
        cursorParam: "after",
        sizeParam: "limit",
        size: 100,
      },
      // Searches show a change some seconds after it was made.
      watermark: { sorted: true, overlapSeconds: 120 },
      changes: {
        method: "POST",
        path: `${path}/search`,
        body: search(
          { propertyName: changedAt, operator: "GTE", value: "{{watermark.start}}" },
          { sorts: [{ propertyName: changedAt, direction: "ASCENDING" }], after: "{{cursor}}" },
        ),
        recordSelector: "results",
        paging: { kind: "cursor", cursorSelector: "paging.next.after", cursorParam: "" },
        stop: { maxRecords: SEARCH_ENDS },
      },
    },
    getById: { path: `${one}?${shown}` },
    ...(apiName === "contacts" && {
      lookup: {
        field: "email",
        method: "POST",
        path: `${path}/search`,
        body: search({ propertyName: "email", operator: "EQ", value: "{{value}}" }),
        recordSelector: "results",
      },
    }),
    create: { method: "POST", path, recordPath: "properties" },
    update: { method: "PATCH", path: one, recordPath: "properties" },
    delete: { method: "DELETE", path: one },
  };
}

export const hubspot = defineSystem({
  type: "hubspot",
  displayName: "HubSpot",
  description: "Contacts, companies and deals with the properties of your account, read and written.",
  icon: "contacts",
  backgroundColor: "gold",
  helpUrl: "https://developers.hubspot.com/docs/api/crm",
  inputs: {},
  inputFields: [],
  signIn: [
    byToken({
      label: "Private app token",
      input: "Access token of a private app",
      helpText: "With the scopes to read and write contacts, companies and deals, and to read their schemas.",
    }),
  ],
  consent: {
    idLabel: "Client ID",
    secretLabel: "Client secret",
    helpText: "Of an app of your own in HubSpot that has the scopes which stand under Advanced.",
    addresses: () => ({
      authorizationUrl: "https://app.hubspot.com/oauth/authorize",
      tokenUrl: "https://api.hubapi.com/oauth/v3/token",
    }),
    scope: SCOPES.join(" "),
    clientAuthentication: "body",
    pkce: false,
    account: { from: "tokenAnswer", member: "hub_id", part: null, nameMember: null },
    errorCodes: {
      BAD_REFRESH_TOKEN: "invalid_grant",
      BAD_AUTH_CODE: "invalid_grant",
      BAD_CLIENT_ID: "invalid_client",
      BAD_CLIENT_SECRET: "invalid_client",
    },
  },
  api: () => ({
    baseUrl: "https://api.hubapi.com",
    checkPath: "/crm/v3/objects/contacts?limit=1",
    errorSelector: "message",
  }),
  entities: {
    find: async (_, calls) => {
      const found: HttpEntityInput[] = [];
      for (const { apiName, displayName } of OBJECTS) {
        const properties = propertiesIn(await calls.get(`/crm/v3/properties/${apiName}`));
        const entity = described({ apiName, displayName, fields: [...OWN_FIELDS, ...properties] });
        if (entity) found.push(entity);
      }
      return found;
    },
    describe: described,
  },
  readDelaySeconds: 30,
});
