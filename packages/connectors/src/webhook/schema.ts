/** The one entity of a webhook: its fields as a person settled them, else as the example has them. */
import { ConnectorError, inferFields, titleOf } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { WebhookConfig } from "./config.ts";
import { exampleRecords, ID_FIELD } from "./records.ts";

export const PAYLOAD = "payload";

/** Fields that a person settled, else those of the example. */
function fieldsOf(config: WebhookConfig): FieldSchema[] {
  if (config.fields.length > 0)
    return config.fields.map((field) =>
      FieldSchema.parse({ ...field, displayName: field.displayName || titleOf(field.apiName) }),
    );
  if (config.sample.trim() === "") return [];
  const samples = exampleRecords(config);
  if (samples.length === 0)
    throw new ConnectorError("configuration", "The example holds no record at this path.", {
      hint: "Correct the path to the records, or the example.",
    });
  return inferFields(samples);
}

export function schemaOf(config: WebhookConfig): EntitySchema {
  const id = FieldSchema.parse({ apiName: ID_FIELD, displayName: "Record id", dataType: "string" });
  const fields = fieldsOf(config).filter(({ apiName }) => apiName !== ID_FIELD);
  return EntitySchema.parse({
    apiName: PAYLOAD,
    displayName: titleOf(PAYLOAD),
    readOnly: true,
    fields: [{ ...id, isIdField: true, unique: true }, ...fields],
  });
}
