/** How values are compared: several data types share one kind of comparison. */
import type { DataType } from "@accord/contracts/data/values";

/** What an expression needs to know about a field. `FieldSchema` has this shape. */
export interface FieldShape {
  dataType: DataType;
  isMultiValueField?: boolean;
  length?: number;
  precision?: number;
  scale?: number;
  picklist?: readonly { id: string; label: string }[];
}

/**
 * text: case-insensitive · id: exact text · integer, decimal: exact · double: IEEE · date: whole days ·
 * moment: UTC milliseconds · list: multi-value, its items as text · object: only blank or not.
 */
export type Kind = "text" | "id" | "integer" | "decimal" | "double" | "boolean" | "date" | "moment" | "list" | "object";

export function kindOf(field: FieldShape): Kind {
  if (field.isMultiValueField) return "list";
  switch (field.dataType) {
    case "string":
    case "picklist":
    case "password":
      return "text";
    case "reference":
      return "id";
    case "integer":
    case "decimal":
    case "double":
    case "boolean":
    case "date":
      return field.dataType;
    case "datetime":
    case "timestamp":
      return "moment";
    case "object":
    case "child":
    case "complex":
      return "object";
    default:
      return unknownType(field.dataType);
  }
}

function unknownType(dataType: never): never {
  throw new Error(`unknown data type ${String(dataType)}`);
}
