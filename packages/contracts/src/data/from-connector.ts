/** Turns an entity of a connected system into one of the unified model: for the server, and for screens that show it first. */
import type { CreateEntityBody } from "./core-schema.ts";
import type { CoreEntity, CoreFieldInput } from "./entities.ts";
import { ApiName, type EntitySchema, type FieldSchema } from "./schema.ts";
import type { DataType } from "./values.ts";

const WITHOUT_LISTS: ReadonlySet<DataType> = new Set(["object", "complex", "password", "boolean"]);

/** Whether a field of the unified model of this type may hold several values. */
export const isListable = (dataType: DataType): boolean => !WITHOUT_LISTS.has(dataType);

export interface FromConnector {
  connectorId: string;
  entity: EntitySchema;
  /** Api names of the fields wanted; all when absent. */
  fields?: readonly string[];
  /** Entities of the unified model that exist: references lead to those made from the same connector. */
  existing: readonly Pick<CoreEntity, "apiName" | "madeFrom">[];
  apiName?: string;
  displayName?: string;
}

/** A field of the system with the field of the unified model that is made from it. */
export interface FieldFromConnector {
  connectorField: string;
  field: CoreFieldInput;
}

const apiNameOf = ({ apiName, entity, existing }: FromConnector): string =>
  apiName ??
  toApiName(
    entity.apiName,
    existing.map((other) => other.apiName),
  );

/** The fields to create, each with the one that it is made from. */
export function coreFieldsFrom(from: FromConnector): FieldFromConnector[] {
  const { entity, existing, connectorId } = from;
  const targets = new Map(
    existing.flatMap((other) =>
      other.madeFrom?.connectorId === connectorId ? [[other.madeFrom.entityApiName, other.apiName] as const] : [],
    ),
  );
  targets.set(entity.apiName, apiNameOf(from));
  const taken: string[] = [];
  return entity.fields
    .filter((field) => field.status === "ACTIVE" && (!from.fields || from.fields.includes(field.apiName)))
    .map((field) => {
      const name = toApiName(field.apiName, taken);
      taken.push(name);
      return { connectorField: field.apiName, field: coreFieldFrom(field, name, targets) };
    });
}

/** The entity to create. A reference to something the unified model does not hold becomes the text of its key. */
export function coreEntityFrom(from: FromConnector): Omit<CreateEntityBody, "publish"> {
  const { entity } = from;
  const fields = coreFieldsFrom(from).map(({ field }) => field);
  return {
    apiName: apiNameOf(from),
    displayName: from.displayName ?? entity.displayName,
    pluralName: entity.pluralName ?? from.displayName ?? entity.displayName,
    description: entity.description ?? "",
    tags: [],
    nameField:
      fields.find((field) => /name|title|subject/i.test(field.apiName) && field.dataType === "string")?.apiName ?? null,
    fields,
  };
}

function coreFieldFrom(field: FieldSchema, apiName: string, targets: ReadonlyMap<string, string>): CoreFieldInput {
  const referenceTo = field.referenceTo === undefined ? undefined : targets.get(field.referenceTo);
  const orphaned = field.dataType === "reference" && referenceTo === undefined;
  const optionless = field.dataType === "picklist" && !field.picklist?.length;
  // Lists of what the unified model has no lists of are JSON there.
  const isJsonList = field.isMultiValueField && !isListable(field.dataType);
  return {
    apiName,
    displayName: field.displayName || field.apiName,
    dataType: isJsonList ? "object" : orphaned || optionless ? "string" : field.dataType,
    ...(field.description ? { description: field.description } : {}),
    ...(referenceTo && field.dataType === "reference" ? { referenceTo } : {}),
    ...(field.picklist?.length ? { picklist: field.picklist } : {}),
    ...(field.length ? { length: field.length } : {}),
    ...(field.precision ? { precision: field.precision, scale: field.scale ?? 0 } : {}),
    custom: false,
    // The unified model may learn a value from any system, so it accepts what one of them leaves out or fixes.
    nillable: true,
    initializable: true,
    updateable: true,
    createOnly: false,
    calculated: false,
    unique: field.unique || field.isIdField,
    isMultiValueField: field.isMultiValueField && !isJsonList,
  };
}

/** A legal api name close to a foreign one: `invoice-no.` → `invoice_no`; numbered when taken. */
function toApiName(foreign: string, taken: readonly string[]): string {
  const letters = foreign
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 44);
  const started = /^[A-Za-z]/.test(letters) ? letters : `x_${letters}`;
  const legal = ApiName.safeParse(started).success && started !== "isDeleted" ? started : `x_${started}`;
  const used = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? legal : `${legal}_${number}`;
    if (!used.has(name.toLowerCase())) return name;
  }
}
