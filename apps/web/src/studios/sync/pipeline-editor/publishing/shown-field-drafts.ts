/** Which field drafts a choice takes, and what became of those that were shown. Pure. */
import type { FieldChoice, FieldDraftChange } from "@accord/contracts/sync/field-choice";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";

export const draftsIn = (fields: readonly FieldPipelineRow[] = []): FieldPipelineRow[] =>
  fields.filter(({ draft }) => draft !== null);

export const isReady = ({ draft }: FieldPipelineRow): boolean => draft?.ready === true;

export function takenOf(drafts: readonly FieldPipelineRow[], choice: FieldChoice): FieldPipelineRow[] {
  if (typeof choice !== "string") return drafts.filter(({ id }) => choice.includes(id));
  return drafts.filter((row) => choice === "all" || isReady(row));
}

/** As the server judges it: by what the choice took then, and takes now. */
export function changesSince(
  shown: readonly FieldPipelineRow[],
  now: readonly FieldPipelineRow[],
  choice: FieldChoice,
): FieldDraftChange[] {
  const [before, after] = [takenOf(shown, choice), takenOf(now, choice)];
  const changed = before.flatMap((row): FieldDraftChange[] => {
    const current = after.find(({ id }) => id === row.id);
    if (current?.draft?.revision === row.draft?.revision) return [];
    return [{ fieldId: row.id, label: row.displayName, change: current ? "changed" : "removed" }];
  });
  const added = after.filter((row) => before.every(({ id }) => id !== row.id));
  return [
    ...changed,
    ...added.map(({ id, displayName }) => ({ fieldId: id, label: displayName, change: "added" as const })),
  ];
}
