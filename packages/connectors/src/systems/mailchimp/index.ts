/** Mailchimp: the members of one audience. Written by its Marketing API reference (https://mailchimp.com/developer/marketing/api/list-members). */
import { ConnectorError } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { choice, json, moment, READ_ONLY, text, texts, whole, yesNo, type FieldInput } from "../fields.ts";
import { defineSystem, type FoundEntity } from "../system.ts";

const MEMBER = { apiName: "members", displayName: "Member" };
const MERGE = "merge_fields.";

const MEMBER_FIELDS: readonly FieldInput[] = [
  // The id that most calls show is a hash of the address, and another one when that is changed.
  text("contact_id", { displayName: "Contact ID", ...READ_ONLY }),
  text("email_address", { nillable: false, unique: true }),
  choice("status", ["subscribed", "unsubscribed", "cleaned", "pending", "transactional", "archived"], {
    nillable: false,
  }),
  choice("email_type", ["html", "text"]),
  text("language"),
  yesNo("vip", { displayName: "VIP" }),
  texts("tags", { path: "tags[*].name", ...READ_ONLY }),
  whole("member_rating", READ_ONLY),
  text("source", READ_ONLY),
  json("location", READ_ONLY),
  moment("timestamp_signup", { displayName: "Signed up", ...READ_ONLY }),
  moment("timestamp_opt", { displayName: "Opted in", isCreatedAtField: true, ...READ_ONLY }),
  moment("last_changed", { isUpdatedAtField: true, ...READ_ONLY }),
];

const MergeFields = z.object({
  merge_fields: z.array(
    z.object({
      tag: z.string(),
      name: z.string(),
      type: z.string(),
      options: z.object({ choices: z.array(z.string()).optional() }).optional(),
    }),
  ),
});

const TYPES: Record<string, DataType> = { number: "double", date: "string", address: "object" };

function mergeFieldsIn(answer: Value): FieldInput[] {
  const { data } = MergeFields.safeParse(answer);
  if (!data)
    throw new ConnectorError("unexpected", "The list of merge fields has another form than Mailchimp documents.");
  return data.merge_fields
    .filter(({ tag }) => /^\w{1,50}$/.test(tag))
    .map(({ tag, name, type, options }): FieldInput => ({
      apiName: `${MERGE}${tag}`,
      displayName: name.slice(0, 120) || tag,
      custom: true,
      ...((type === "dropdown" || type === "radio") && options?.choices
        ? { dataType: "picklist", picklist: options.choices.filter(Boolean).map((id) => ({ id, label: id })) }
        : { dataType: TYPES[type] ?? "string" }),
    }));
}

interface Audience {
  dataCenter: string;
  audienceId: string;
}

/** A schema keeps the names of fields alone. A bare name may hold dots: it is taken for one key, not for a path. */
const pathOf = ({ apiName }: FieldInput): string | undefined =>
  apiName.startsWith(MERGE) ? apiName : MEMBER_FIELDS.find((field) => field.apiName === apiName)?.path;

function described({ apiName, fields }: FoundEntity, { audienceId }: Audience): HttpEntityInput | null {
  if (apiName !== MEMBER.apiName) return null;
  const path = `/lists/${audienceId}/members`;
  const one = `${path}/{{id}}`;
  return {
    ...MEMBER,
    idField: "contact_id",
    watermarkField: "last_changed",
    deletedField: "status",
    deletedValue: "archived",
    missingMeansDeleted: true,
    blankAsText: true,
    fields: fields.map((field) => ({ ...field, path: pathOf(field) })),
    list: {
      path,
      recordSelector: "members",
      paging: { kind: "offset", offsetParam: "offset", limitParam: "count", size: 500 },
      stop: { totalSelector: "total_items" },
      watermark: { param: "since_last_changed" },
    },
    getById: { path: one },
    lookup: {
      field: "email_address",
      path: `/search-members?list_id=${audienceId}&query={{value}}`,
      recordSelector: "exact_matches.members",
    },
    create: { method: "POST", path },
    update: { method: "PATCH", path: one },
    delete: { method: "DELETE", path: one },
  };
}

export const mailchimp = defineSystem({
  type: "mailchimp",
  displayName: "Mailchimp",
  description: "The members of one audience with their merge fields, read and written.",
  icon: "newsletter",
  backgroundColor: "gold",
  helpUrl: "https://mailchimp.com/developer/marketing/api/list-members/",
  inputs: {
    dataCenter: z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z]{2,4}\d{1,3}$/, "is what stands behind the dash in the API key, e.g. us21"),
    audienceId: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{4,32}$/, "holds only letters and digits"),
  },
  inputFields: [
    {
      name: "dataCenter",
      label: "Data center",
      datatype: "string",
      required: true,
      helpText: "What stands behind the dash in the API key, and in front of .admin.mailchimp.com, e.g. us21.",
    },
    {
      name: "audienceId",
      label: "Audience ID",
      datatype: "string",
      required: true,
      helpText: "In the audience's settings, under Audience name and defaults.",
    },
  ],
  signIn: [
    {
      type: "apiKey",
      label: "API key",
      fields: [{ name: "apiKey", label: "API key", datatype: "password", secret: true, required: true }],
      as: ({ apiKey = "" }) => ({ type: "userPassword", credentials: { username: "accord", password: apiKey } }),
    },
  ],
  consent: {
    idLabel: "Client ID",
    secretLabel: "Client secret",
    helpText: "Of an app that is registered in your Mailchimp account, under Extras and Registered apps.",
    addresses: () => ({
      authorizationUrl: "https://login.mailchimp.com/oauth2/authorize",
      tokenUrl: "https://login.mailchimp.com/oauth2/token",
    }),
    scope: "",
    clientAuthentication: "body",
    pkce: false,
    account: { from: "call", url: "/", headers: {}, idSelector: "account_id", nameSelector: "account_name" },
  },
  api: ({ dataCenter, audienceId }) => ({
    baseUrl: `https://${dataCenter}.api.mailchimp.com/3.0`,
    checkPath: `/lists/${audienceId}?fields=id`,
    errorSelector: "detail",
  }),
  entities: {
    async find(inputs, calls) {
      const own = mergeFieldsIn(await calls.get(`/lists/${inputs.audienceId}/merge-fields?count=100`));
      const entity = described({ ...MEMBER, fields: [...MEMBER_FIELDS, ...own] }, inputs);
      return entity ? [entity] : [];
    },
    describe: described,
  },
});
