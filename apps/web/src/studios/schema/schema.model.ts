/** What the schema studio shows of a field or entity, and what a draft changes. Pure. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { DataType } from "@accord/contracts/data/values";

/** Stands for the built-in connector that owns the unified model. */
export const CORE = "core";

/** Types a person can choose for a field by hand, the common ones first. */
export const CHOOSABLE_TYPES = [
  "string",
  "integer",
  "decimal",
  "double",
  "boolean",
  "date",
  "datetime",
  "picklist",
  "reference",
  "object",
  "password",
] as const satisfies readonly DataType[];

export type FieldTag = "unique" | "required" | "readOnly" | "multi" | "calculated" | "id" | "watermark" | "inactive";

export function tagsOf(field: FieldSchema): FieldTag[] {
  const tags: (FieldTag | false)[] = [
    field.isIdField && "id",
    field.isWatermarkField && "watermark",
    field.unique && !field.isIdField && "unique",
    !field.nillable && "required",
    field.isMultiValueField && "multi",
    field.calculated ? "calculated" : !field.updateable && "readOnly",
    field.status === "INACTIVE" && "inactive",
  ];
  return tags.filter((tag) => tag !== false);
}

export type EntityState = "NEW" | "APPROVED" | "PUBLISHED_WITH_DRAFT";

export const stateOf = (entity: CoreEntity): EntityState =>
  entity.version === 0 ? "NEW" : entity.hasDraft ? "PUBLISHED_WITH_DRAFT" : "APPROVED";

/** `Invoice no.` → `invoiceNo`: the api name proposed for a label. */
export function apiNameFor(label: string): string {
  const words = label
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9 ]+/g, "")
    .split(/\s+/)
    .filter(Boolean);
  const name = words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : (word[0] ?? "").toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join("")
    .slice(0, 50);
  return /^[A-Za-z]/.test(name) ? name : name === "" ? "" : `x${name}`.slice(0, 50);
}

/** `Sales order` → `SalesOrder`. */
export function entityApiNameFor(label: string): string {
  const name = apiNameFor(label);
  return name === "" ? "" : (name[0] ?? "").toUpperCase() + name.slice(1);
}

export interface DraftChanges {
  added: CoreField[];
  changed: CoreField[];
  removed: CoreField[];
}

/** What publishing would do to the fields. */
export function draftChanges(published: CoreEntity | undefined, draft: CoreEntity): DraftChanges {
  const before = new Map(published?.fields.map((field) => [field.id, field]));
  const after = new Set(draft.fields.map((field) => field.id));
  return {
    added: draft.fields.filter((field) => !before.has(field.id)),
    changed: draft.fields.filter((field) => {
      const old = before.get(field.id);
      return old !== undefined && JSON.stringify(old) !== JSON.stringify(field);
    }),
    removed: (published?.fields ?? []).filter((field) => !after.has(field.id)),
  };
}
