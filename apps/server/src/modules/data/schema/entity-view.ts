/** An entity as the API shows it, and a field put into its definition. */
import type { Id } from "@accord/contracts";
import type { CoreEntity, CoreField, CoreFieldInput } from "@accord/contracts/data/entities";
import { AppError } from "../../../platform/http/app-error.ts";
import { fieldProblems, sameName, type EntityDefinition } from "./entity-definition.ts";
import type { StoredEntity } from "./schema.store.ts";

export type VersionChoice = "published" | "draft";

/** The definition with the field added or replaced. Throws `name_taken` and `validation_failed`. */
export function withField(
  definition: EntityDefinition,
  field: CoreField,
  entity: StoredEntity,
  entities: ReadonlySet<string>,
): EntityDefinition {
  const others = definition.fields.filter((other) => other.id !== field.id);
  if (others.some((other) => sameName(other.apiName, field.apiName)))
    throw new AppError("name_taken", { name: field.apiName });
  const problems = fieldProblems(field, { published: entity.published?.definition ?? null, entities });
  if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
  const at = definition.fields.findIndex((other) => other.id === field.id);
  return { ...definition, fields: at < 0 ? [...others, field] : definition.fields.with(at, field) };
}

/** A person says what a field is; the marks of connected systems are never theirs to set. */
export const toField = (input: CoreFieldInput, id: Id<"field">): CoreField => ({
  ...input,
  id,
  status: "ACTIVE",
  isSystem: false,
  isIdField: false,
  isWatermarkField: false,
  isCreatedAtField: false,
  isUpdatedAtField: false,
});

/** In the version asked for; null when there is none. */
export function view(entity: StoredEntity, choice: VersionChoice): CoreEntity | null {
  const shown = choice === "draft" ? (entity.draft ?? entity.published) : entity.published;
  if (!shown) return null;
  return {
    id: entity.id,
    apiName: entity.apiName,
    ...shown.definition,
    version: entity.version,
    state: shown.state,
    revision: shown.revision,
    hasDraft: entity.draft !== null,
    createdAt: entity.createdAt,
    updatedAt: shown.updatedAt,
  };
}

/** The version that every entity has: its draft, else the published one. */
export function newestView(entity: StoredEntity): CoreEntity {
  const newest = view(entity, "draft");
  if (!newest) throw new Error(`entity ${entity.id} has no version`);
  return newest;
}

/** Plural of an English name; people may say another one. */
export const plural = (name: string): string =>
  /[^aeiou]y$/i.test(name) ? `${name.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
