/** Descriptions of the register's companies, as a person would have entered them. */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { Values } from "@accord/contracts/data/values";

type Paging = NonNullable<HttpEntityInput["list"]["paging"]>;

export const companies = (
  style: string,
  paging: Paging,
  list: Partial<HttpEntityInput["list"]> = {},
): HttpEntityInput => ({
  apiName: "companies",
  displayName: "Company",
  idField: "id",
  watermarkField: "updated_at",
  missingMeansDeleted: true,
  fields: [
    { apiName: "id", displayName: "Id", dataType: "integer", updateable: false, initializable: false },
    { apiName: "name", displayName: "Name" },
    { apiName: "email", displayName: "E-mail" },
    { apiName: "size", displayName: "Size", dataType: "integer" },
    { apiName: "active", displayName: "Active", dataType: "boolean" },
    { apiName: "tags", displayName: "Tags", isMultiValueField: true },
    { apiName: "city", displayName: "City", path: "address.city" },
    { apiName: "updated_at", displayName: "Updated", dataType: "datetime", updateable: false },
  ],
  list: {
    path: `/${style}/companies`,
    recordSelector: "items",
    paging,
    watermark: { param: "updated_after", overlapSeconds: 2 },
    ...list,
  },
  getById: { path: `/${style}/companies/{{id}}` },
  lookup: { path: `/${style}/companies?email={{value}}`, recordSelector: "items", field: "email" },
  create: { method: "POST", path: `/${style}/companies`, idempotencyHeader: "Idempotency-Key" },
  update: { method: "PATCH", path: `/${style}/companies/{{id}}` },
  delete: { method: "DELETE", path: `/${style}/companies/{{id}}` },
});

export const configFor = (url: string, entities: HttpEntityInput[]): Values =>
  JSON.parse(JSON.stringify({ baseUrl: url, errorSelector: "error.message", timeoutSeconds: 1, entities })) as Values;
