/** Salesforce: accounts, contacts, leads, opportunities and further objects. Written by its REST API reference (https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest). */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { inAddress } from "../address.ts";
import { fittingAddress } from "../fields.ts";
import { byClientCredentials } from "../sign-in.ts";
import { defineSystem, type FoundEntity, type SystemCalls } from "../system.ts";
import { isEssential, objectIn } from "./fields.ts";

const API_VERSION = "v68.0";

/** By which field a record is searched: those that distinguish it from others, as far as the object has one. */
const OBJECTS: Readonly<Record<string, string>> = {
  Account: "Name",
  Contact: "Email",
  Lead: "Email",
  Opportunity: "Name",
};

interface Org {
  domain: string;
  moreObjects?: string | null | undefined;
}

const namesOf = ({ moreObjects }: Org): string[] => [
  ...new Set([...Object.keys(OBJECTS), ...(moreObjects ?? "").split(/[\s,;]+/).filter((name) => name !== "")]),
];

/** A SOQL query; in the query of an address commas may stand, and spaces are plus signs. */
const query = (resource: "query" | "queryAll", soql: string): string =>
  `/${resource}?q=${inAddress(soql).replaceAll("%2C", ",").replaceAll("%20", "+")}`;

/** A page names the address of the next one; the last says that the query is done. */
const PAGES = {
  recordSelector: "records",
  paging: { kind: "nextLink", linkSelector: "nextRecordsUrl" },
  stop: { endSelector: "done" },
} as const;

/** Records get their time of change when they are saved, and are seen when their transaction ends: ten minutes later at most. */
const LONGEST_TRANSACTION_SECONDS = 600;

function described({ apiName, displayName, fields }: FoundEntity, org: Org): HttpEntityInput | null {
  if (!namesOf(org).includes(apiName)) return null;
  const names = ["Id", ...fields.map((field) => field.apiName).filter((name) => name !== "Id")];
  const select = `SELECT ${names.join(",")} FROM ${apiName}`;
  const searched = OBJECTS[apiName];
  const isKept = names.includes("IsDeleted");
  const path = `/sobjects/${apiName}`;
  const one = `${path}/{{id}}`;
  return {
    apiName,
    displayName,
    idField: "Id",
    watermarkField: "SystemModstamp",
    // Changes show the deleted records that the recycle bin still holds; whatever else is gone is missing from the list.
    deletedField: isKept ? "IsDeleted" : null,
    missingMeansDeleted: true,
    fields: [...fields],
    list: {
      // Archived activities are in this list alone, and not deleted.
      path: isKept ? query("queryAll", `${select} WHERE IsDeleted = false`) : query("query", select),
      ...PAGES,
      watermark: { format: "isoSeconds", overlapSeconds: LONGEST_TRANSACTION_SECONDS },
      changes: {
        path: query("queryAll", `${select} WHERE SystemModstamp >= {{watermark.start}} ORDER BY SystemModstamp`),
        ...PAGES,
      },
    },
    // All fields: the tag of an account is that of the whole record.
    getById: { path: one },
    ...(searched !== undefined &&
      names.includes(searched) && {
        lookup: {
          field: searched,
          path: query("query", `${select} WHERE ${searched} = '{{value | escaped}}'`),
          recordSelector: "records",
        },
      }),
    create: { method: "POST", path, idSelector: "id" },
    update: { method: "PATCH", path: one },
    delete: { method: "DELETE", path: one },
    // Accounts alone have tags. No condition is kept when a record is deleted.
    concurrency:
      apiName === "Account"
        ? { kind: "etag", ignoredByDelete: true }
        : {
            kind: "versionField",
            field: "LastModifiedDate",
            sendAs: "header",
            name: "If-Unmodified-Since",
            asHttpDate: true,
            ignoredByDelete: true,
          },
  };
}

export const salesforce = defineSystem({
  type: "salesforce",
  displayName: "Salesforce",
  description: "Accounts, contacts, leads, opportunities and objects of your own, with all fields; read and written.",
  icon: "crm",
  backgroundColor: "blue",
  helpUrl: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/intro_rest.htm",
  inputs: {
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}(\.[a-z]{1,20})?$/, "is the part in front of .my.salesforce.com"),
    moreObjects: z
      .string()
      .trim()
      .max(2000)
      .regex(/^(\w{1,80}([\s,;]+\w{1,80})*)?$/, "are API names, with commas between them")
      .nullish(),
  },
  inputFields: [
    {
      name: "domain",
      label: "My Domain",
      datatype: "string",
      required: true,
      helpText: "acme, where the org's address is acme.my.salesforce.com; of a sandbox acme--name.sandbox",
    },
    {
      name: "moreObjects",
      label: "Further objects",
      datatype: "string",
      helpText: "API names with commas between them, such as Case, Invoice__c.",
    },
  ],
  signIn: [
    byClientCredentials({
      label: "Client ID and secret of an app",
      idLabel: "Consumer key",
      secretLabel: "Consumer secret",
      helpText:
        "Of an app in your org whose client credentials flow is enabled, with the scope api and a user to run as.",
    }),
  ],
  consent: {
    idLabel: "Consumer key",
    secretLabel: "Consumer secret",
    helpText: "Of an app in your org whose authorization code flow is enabled, with the scopes api and refresh_token.",
    addresses: ({ domain }) => ({
      authorizationUrl: `https://${domain}.my.salesforce.com/services/oauth2/authorize`,
      tokenUrl: `https://${domain}.my.salesforce.com/services/oauth2/token`,
    }),
    scope: "api refresh_token",
    clientAuthentication: "body",
    pkce: true,
    // The identity address names org and user; records are the org's, whoever of it signs in.
    account: { from: "tokenAnswer", member: "id", part: "/id/([A-Za-z0-9]{15,18})/", nameMember: "instance_url" },
    instanceMember: "instance_url",
    errorCodes: { invalid_client_id: "invalid_client", invalid_client_credentials: "invalid_client" },
  },
  api: ({ domain }) => ({
    baseUrl: `https://${domain}.my.salesforce.com/services/data/${API_VERSION}`,
    tokenUrl: `https://${domain}.my.salesforce.com/services/oauth2/token`,
    checkPath: "/query?q=SELECT+Id+FROM+Account+LIMIT+1",
    errorSelector: "[0].message",
    errorCodeSelector: "[0].errorCode",
    errorStatuses: {
      REQUEST_LIMIT_EXCEEDED: 429,
      UNABLE_TO_LOCK_ROW: 423,
      DUPLICATES_DETECTED: 409,
      DUPLICATE_VALUE: 409,
      ENTITY_IS_DELETED: 404,
    },
  }),
  entities: {
    async find(org, calls) {
      const names = namesOf(org);
      const found: HttpEntityInput[] = [];
      for (const apiName of names) {
        const object = await objectOf(apiName, new Set(names), calls);
        const entity = object && described({ apiName, ...object }, org);
        if (entity) found.push(entity);
      }
      return found;
    },
    describe: described,
  },
});

/** null: the user may not see it, or its changes can't be asked for. */
async function objectOf(
  name: string,
  known: ReadonlySet<string>,
  calls: SystemCalls,
): Promise<Omit<FoundEntity, "apiName"> | null> {
  try {
    const { label, fields } = objectIn(await calls.get(`/sobjects/${name}/describe`), known);
    const shown = fittingAddress(fields, isEssential);
    const isAskedForChanges = ["Id", "SystemModstamp"].every((essential) =>
      shown.some(({ apiName }) => apiName === essential),
    );
    return isAskedForChanges ? { displayName: label.slice(0, 120), fields: shown } : null;
  } catch (error) {
    if (error instanceof ConnectorError && error.kind === "notFound") return null;
    throw error;
  }
}
