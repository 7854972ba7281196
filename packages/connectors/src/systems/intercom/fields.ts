/** Fields of Intercom's contacts and companies: those of every workspace, and the attributes that one has added. */
import { ConnectorError } from "@accord/connector-sdk";
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { choice, CREATE_ONLY, moment, READ_ONLY, text, texts, whole, yesNo, type FieldInput } from "../fields.ts";

/** Times are sent and shown as seconds since 1970; they are only read here. */
const time = (apiName: string, more: Partial<FieldInput> = {}): FieldInput =>
  moment(apiName, { ...more, ...READ_ONLY });

export const CONTACT_FIELDS: readonly FieldInput[] = [
  text("id", READ_ONLY),
  choice("role", ["user", "lead"], { nillable: false }),
  text("external_id"),
  text("email"),
  text("phone"),
  text("name"),
  whole("owner_id"),
  yesNo("unsubscribed_from_emails", { nillable: false }),
  text("language_override"),
  yesNo("has_hard_bounced", READ_ONLY),
  yesNo("marked_email_as_spam", READ_ONLY),
  text("browser", READ_ONLY),
  text("os", { displayName: "Operating system", ...READ_ONLY }),
  text("location_country", { path: "location.country", ...READ_ONLY }),
  text("location_city", { path: "location.city", ...READ_ONLY }),
  texts("company_ids", { path: "companies.data[*].id", ...READ_ONLY }),
  texts("tag_ids", { path: "tags.data[*].id", ...READ_ONLY }),
  time("signed_up_at"),
  time("last_seen_at"),
  time("last_contacted_at"),
  time("last_replied_at"),
  time("created_at", { isCreatedAtField: true }),
  time("updated_at", { isUpdatedAtField: true }),
];

export const COMPANY_FIELDS: readonly FieldInput[] = [
  text("id", READ_ONLY),
  text("company_id", { unique: true, nillable: false, ...CREATE_ONLY }),
  text("name"),
  text("plan", { path: "plan.name", writePath: "plan" }),
  whole("size"),
  text("website"),
  text("industry"),
  whole("monthly_spend"),
  whole("user_count", READ_ONLY),
  whole("session_count", READ_ONLY),
  time("last_request_at"),
  time("created_at", { isCreatedAtField: true }),
  time("updated_at", { isUpdatedAtField: true }),
];

const Attributes = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      label: z.string().nullish(),
      data_type: z.string(),
      custom: z.boolean().nullish(),
      archived: z.boolean().nullish(),
      api_writable: z.boolean().nullish(),
    }),
  ),
});

const CUSTOM = "custom_attributes.";
const TYPES: Record<string, DataType> = {
  string: "string",
  integer: "integer",
  float: "double",
  boolean: "boolean",
  date: "datetime",
};

/** A workspace's own attributes. */
export function attributesIn(answer: Value): FieldInput[] {
  const { data } = Attributes.safeParse(answer);
  if (!data) throw new ConnectorError("unexpected", "The list of attributes has another form than Intercom documents.");
  return data.data
    .filter(({ name, custom, archived }) => custom && !archived && name.length <= 150 && !/["[\]]/.test(name))
    .map(({ name, label, data_type, api_writable }): FieldInput => ({
      apiName: `${CUSTOM}${name}`,
      displayName: (label || name).slice(0, 120),
      dataType: TYPES[data_type] ?? "object",
      custom: true,
      ...((api_writable === false || data_type === "date" || !TYPES[data_type]) && READ_ONLY),
    }));
}

/** Where a field that was found before is read and sent: schemas keep its name alone. An attribute's name may hold dots. */
export function placesOf(
  { apiName }: FieldInput,
  known: readonly FieldInput[],
): Pick<FieldInput, "path" | "writePath"> {
  if (apiName.startsWith(CUSTOM)) return { path: `custom_attributes["${apiName.slice(CUSTOM.length)}"]` };
  const { path, writePath } = known.find((field) => field.apiName === apiName) ?? {};
  return { path, writePath };
}
