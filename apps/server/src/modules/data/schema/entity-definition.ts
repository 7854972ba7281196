/** What an entity looks like in one version, which definitions are right, and what lies between two of them. */
import { CoreField } from "@accord/contracts/data/entities";
import { EntityOrigin } from "@accord/contracts/data/entities";
import { isListable } from "@accord/contracts/data/from-connector";
import type { FieldProblem } from "@accord/contracts";
import { isSecretField } from "@accord/expressions";
import { z } from "zod";
import { columnType, lossless } from "./record-table.ts";

/** Stored per version. */
export const EntityDefinition = z.strictObject({
  displayName: z.string(),
  pluralName: z.string(),
  description: z.string().default(""),
  tags: z.array(z.string()).default([]),
  nameField: z.string().nullable().default(null),
  child: z.boolean().default(false),
  madeFrom: EntityOrigin.nullable().default(null),
  fields: z.array(CoreField),
});
export type EntityDefinition = z.output<typeof EntityDefinition>;

/** What the rules need to know beyond the definition itself. */
export interface DefinitionContext {
  published: EntityDefinition | null;
  /** Api names of the instance's entities, this one included. */
  entities: ReadonlySet<string>;
}

/** Everything wrong with a definition; each problem names the field it is about and what to do. */
export function definitionProblems(definition: EntityDefinition, context: DefinitionContext): FieldProblem[] {
  const problems = definition.fields.flatMap((field, index) =>
    fieldProblems(field, context).map((problem) => ({ ...problem, path: `fields.${index}.${problem.path}` })),
  );
  definition.fields.forEach((field, index) => {
    if (definition.fields.findIndex((other) => sameName(other.apiName, field.apiName)) < index)
      problems.push({
        path: `fields.${index}.apiName`,
        message: `The field ${field.apiName} exists already: choose another api name`,
      });
  });
  const named = definition.fields.find((field) => field.apiName === definition.nameField);
  if (definition.nameField !== null && (!named || columnType(named) !== "text"))
    problems.push({ path: "nameField", message: `${definition.nameField} must be a text field of this entity` });
  else if (named && isSecretField(named))
    problems.push({ path: "nameField", message: `${named.apiName} is a password field: name records by another one` });
  return problems;
}

/** What is wrong with one field; paths are relative to it. */
export function fieldProblems(field: CoreField, { published, entities }: DefinitionContext): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const refuse = (path: keyof CoreField, message: string) => problems.push({ path, message });
  if (field.apiName === "isDeleted")
    refuse("apiName", "isDeleted is Accord's own mark of deleted records: choose another api name");
  if (field.dataType === "reference" && (!field.referenceTo || !entities.has(field.referenceTo)))
    refuse(
      "referenceTo",
      field.referenceTo
        ? `There is no entity ${field.referenceTo}: choose one of this instance`
        : "Choose the entity it points to",
    );
  if (field.dataType === "picklist") {
    const ids = (field.picklist ?? []).map((option) => option.id);
    if (ids.length === 0) refuse("picklist", "Add at least one option");
    if (new Set(ids).size < ids.length) refuse("picklist", "Two options have the same id: give each its own");
  }
  if (field.unique && columnType(field) === "jsonb") refuse("unique", "Only single, plain values can be unique");
  if (field.isMultiValueField && !isListable(field.dataType))
    refuse("isMultiValueField", `A ${field.dataType} field holds one value`);
  const before = published?.fields.find((other) => other.id === field.id);
  if (before && before.apiName !== field.apiName)
    refuse("apiName", `The api name ${before.apiName} is fixed since the field was published`);
  if (before && lossless(before, field) === null)
    refuse(
      "dataType",
      `${before.dataType} cannot become ${field.dataType} without losing values: add a new field instead`,
    );
  return problems;
}

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** What publishing has to do to the records' table. */
export interface TableChanges {
  added: CoreField[];
  removed: CoreField[];
  retyped: { from: CoreField; to: CoreField }[];
  reindexed: CoreField[];
}

export function tableChanges(published: EntityDefinition | null, draft: EntityDefinition): TableChanges {
  const before = new Map(published?.fields.map((field) => [field.id, field]));
  const after = new Set(draft.fields.map((field) => field.id));
  const kept = draft.fields.flatMap((to) => {
    const from = before.get(to.id);
    return from ? [{ from, to }] : [];
  });
  const retyped = kept.filter(({ from, to }) => columnType(from) !== columnType(to) || needsRewrite(from, to));
  const rewritten = new Set(retyped.map(({ to }) => to.id));
  return {
    added: draft.fields.filter((field) => !before.has(field.id)),
    removed: (published?.fields ?? []).filter((field) => !after.has(field.id)),
    retyped,
    reindexed: kept.filter(({ from, to }) => from.unique !== to.unique && !rewritten.has(to.id)).map(({ to }) => to),
  };
}

/** A reference that becomes plain text sorts differently: its column is made anew. */
const needsRewrite = (from: CoreField, to: CoreField): boolean =>
  from.dataType === "reference" && to.dataType !== "reference";
