/** Compares the field drafts that go along with a publication with those that were shown before it. Pure. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { FieldDraftChange, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import type { FieldDraft } from "./field-pipelines.store.ts";

/** One entry for each field whose draft is not the one that was shown, in the order of the entity's fields. */
export function changedSinceShown(
  { fields }: Pick<CoreEntity, "fields">,
  shown: FieldDraftRevisions,
  taken: readonly Pick<FieldDraft, "field" | "revision">[],
): FieldDraftChange[] {
  const before = new Map(shown.map(({ fieldId, revision }) => [fieldId, revision]));
  const now = new Map(taken.map(({ field, revision }) => [field, revision]));
  return fields.flatMap(({ id, apiName, displayName }) => {
    const [wasAt, isAt] = [before.get(id), now.get(apiName)];
    if (wasAt === isAt) return [];
    const change = wasAt === undefined ? "added" : isAt === undefined ? "removed" : "changed";
    return [{ fieldId: id, label: displayName, change }];
  });
}
