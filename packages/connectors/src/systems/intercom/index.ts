/** Intercom: contacts and companies. Written by its REST API reference (https://developers.intercom.com/docs/references/rest-api/api.intercom.io). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { byToken } from "../sign-in.ts";
import { defineSystem, type FoundEntity } from "../system.ts";
import { attributesIn, COMPANY_FIELDS, CONTACT_FIELDS, placesOf } from "./fields.ts";

const CONTACT = { apiName: "contacts", displayName: "Contact" };
const COMPANY = { apiName: "companies", displayName: "Company" };

/** Searches know days, not moments, as their reference says: `=` is the day itself then, and `>` the days after it. */
const changedSince = ["=", ">"].map((operator) => ({ field: "updated_at", operator, value: "{{watermark.start}}" }));

/** Searches show a contact minutes after it was created. */
const SEARCH_LAG_SECONDS = 600;

const contacts = {
  ...CONTACT,
  missingMeansDeleted: true,
  list: {
    path: "/contacts",
    recordSelector: "data",
    paging: {
      kind: "cursor",
      cursorSelector: "pages.next.starting_after",
      cursorParam: "starting_after",
      sizeParam: "per_page",
      size: 150,
    },
    watermark: { format: "epochSeconds", overlapSeconds: SEARCH_LAG_SECONDS },
    changes: {
      method: "POST",
      path: "/contacts/search",
      body: JSON.stringify({
        query: { operator: "OR", value: changedSince },
        pagination: { per_page: 150, starting_after: "{{cursor}}" },
      }),
      recordSelector: "data",
      paging: { kind: "cursor", cursorSelector: "pages.next.starting_after", cursorParam: "" },
    },
  },
  lookup: {
    field: "email",
    method: "POST",
    path: "/contacts/search",
    body: JSON.stringify({ query: { field: "email", operator: "=", value: "{{value}}" } }),
    recordSelector: "data",
  },
} as const;

/** Companies without contacts are not listed: one that is missing has not been deleted. */
const companies = {
  ...COMPANY,
  list: {
    method: "POST",
    path: "/companies/list",
    recordSelector: "data",
    paging: { kind: "page", sizeParam: "per_page", size: 50 },
    // More than that can't be listed.
    stop: { totalSelector: "total_count", maxRecords: 10_000 },
  },
} as const;

function described({ apiName, fields }: FoundEntity): HttpEntityInput | null {
  const entity = [contacts, companies].find((candidate) => candidate.apiName === apiName);
  if (!entity) return null;
  const one = `/${apiName}/{{id}}`;
  return {
    ...entity,
    idField: "id",
    watermarkField: "updated_at",
    fields: fields.map((field) => ({
      ...field,
      ...placesOf(field, entity === contacts ? CONTACT_FIELDS : COMPANY_FIELDS),
    })),
    getById: { path: one },
    // A company that is posted changes the one that has its company_id already: none is made here.
    ...(entity === contacts && { create: { method: "POST", path: `/${apiName}` } }),
    update: { method: "PUT", path: one },
    delete: { method: "DELETE", path: one },
  };
}

const REGIONS = { us: "https://api.intercom.io", eu: "https://api.eu.intercom.io", au: "https://api.au.intercom.io" };

export const intercom = defineSystem({
  type: "intercom",
  displayName: "Intercom",
  description: "Contacts and companies with the attributes of your workspace; companies are changed, not created.",
  icon: "intercom",
  backgroundColor: "blue",
  helpUrl: "https://developers.intercom.com/docs/references/rest-api/api.intercom.io/",
  inputs: { region: z.enum(["us", "eu", "au"]).nullish() },
  inputFields: [
    {
      name: "region",
      label: "Region of the workspace",
      datatype: "picklist",
      defaultValue: "us",
      values: [
        { id: "us", label: "United States" },
        { id: "eu", label: "Europe" },
        { id: "au", label: "Australia" },
      ],
    },
  ],
  signIn: [byToken({ label: "Access token", helpText: "Of an app of your workspace, from the Developer Hub." })],
  api: ({ region }) => ({
    baseUrl: REGIONS[region ?? "us"],
    checkPath: "/me",
    errorSelector: "errors[0].message",
    headers: [{ name: "Intercom-Version", value: "2.11" }],
  }),
  entities: {
    async find(_, calls) {
      const ofContacts = attributesIn(await calls.get("/data_attributes?model=contact"));
      const ofCompanies = attributesIn(await calls.get("/data_attributes?model=company"));
      return [
        described({ ...CONTACT, fields: [...CONTACT_FIELDS, ...ofContacts] }),
        described({ ...COMPANY, fields: [...COMPANY_FIELDS, ...ofCompanies] }),
      ].flatMap((entity) => entity ?? []);
    },
    describe: described,
  },
  // A company that was created is listed, and a contact found, some time later.
  readDelaySeconds: 60,
});
