/** Asks before a dataset is saved without columns or variables that something uses, naming what uses them. */
import { PartUse } from "@accord/contracts/insights/dataset-uses";
import { z } from "zod";
import { ApiError } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "../parts/change-list.css";

const Details = z.object({ parts: z.array(PartUse) });

/** What the server named when it refused to remove parts in use; null for every other answer. */
export function removedParts(error: unknown): PartUse[] | null {
  if (!(error instanceof ApiError) || error.code !== "dataset_parts_in_use") return null;
  return Details.safeParse(error.details).data?.parts ?? [];
}

export function AskRemoval({
  parts,
  onClose,
  onConfirm,
}: {
  parts: readonly PartUse[];
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}) {
  const { t } = useWords("insights");
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={t("definitions.removalTitle")}
      action={t("definitions.removalAction")}
      onConfirm={onConfirm}
    >
      <p>{t("definitions.removalBody")}</p>
      <div className="ac-changes">
        {parts.map(({ kind, name, displayName, usedBy }) => (
          <section key={`${kind} ${name}`}>
            <h3>{t(`definitions.${kind}`, { name: displayName })}</h3>
            <ul>
              {usedBy.map((use) => (
                <li key={`${use.kind} ${use.id}`}>{t(`definitions.use.${use.kind}`, { name: use.displayName })}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </ConfirmDialog>
  );
}
