/** Fields of described systems, written in a line each. */
import { titleOf } from "@accord/connector-sdk";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import type { DataType } from "@accord/contracts/data/values";

export type FieldInput = NonNullable<HttpEntityInput["fields"]>[number];
type More = Partial<Omit<FieldInput, "apiName" | "dataType">>;

const made =
  (dataType: DataType) =>
  (apiName: string, more: More = {}): FieldInput => ({ apiName, displayName: titleOf(apiName), dataType, ...more });

export const text = made("string");
export const whole = made("integer");
export const amount = made("double");
export const yesNo = made("boolean");
export const moment = made("datetime");
export const day = made("date");
export const json = made("object");
/** Several texts. */
export const texts = (apiName: string, more: More = {}): FieldInput =>
  text(apiName, { isMultiValueField: true, ...more });
/** One of several texts. */
export const choice = (apiName: string, options: readonly string[], more: More = {}): FieldInput =>
  made("picklist")(apiName, { picklist: options.map((id) => ({ id, label: titleOf(id) })), ...more });
/** The id of a record of another entity. */
export const link = (apiName: string, referenceTo: string, more: More = {}): FieldInput =>
  made("reference")(apiName, { referenceTo, ...more });

/** Names of fields go into addresses, which may not grow without end; an entity has a thousand fields at most. */
const MAX_NAMES_LENGTH = 6_500;
const MAX_FIELDS = 900;

/** As many as fit into an address: `isFirst` ones, then the system's own, then those that the account has added. */
export function fittingAddress(
  fields: readonly FieldInput[],
  isFirst: (field: FieldInput) => boolean = () => false,
): FieldInput[] {
  let length = 0;
  const rank = (field: FieldInput): number => (isFirst(field) ? 0 : field.custom ? 2 : 1);
  return [...fields]
    .sort((one, other) => rank(one) - rank(other))
    .filter(({ apiName }) => (length += apiName.length + 1) <= MAX_NAMES_LENGTH)
    .slice(0, MAX_FIELDS);
}

/** What the system sets by itself. */
export const READ_ONLY = { initializable: false, updateable: false } as const;
export const CREATE_ONLY = { createOnly: true, updateable: false } as const;
