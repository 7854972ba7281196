/** Deleting a custom synapse of any kind: asked first, and what keeps it from being deleted is said in a window of its own. */
import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { z } from "zod";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

interface DeleteSynapseDialogProps {
  /** null: nothing is being deleted. */
  name: string | null;
  onClose: () => void;
  /** Throws what the server says against it. */
  onDelete: () => Promise<unknown>;
}

export function DeleteSynapseDialog({ name, onClose, onDelete }: DeleteSynapseDialogProps) {
  const { t } = useWords("customSynapses");
  const [problem, setProblem] = useState<unknown>(null);
  const close = (): void => {
    setProblem(null);
    onClose();
  };
  return (
    <>
      <ConfirmDialog
        opened={name !== null && problem === null}
        title={t("deleteTitle", { name: name ?? "" })}
        action={t("delete")}
        onClose={onClose}
        onConfirm={async () => {
          try {
            await onDelete();
            toast.success(t("deleted", { name: name ?? "" }));
            onClose();
          } catch (error) {
            setProblem(error);
          }
        }}
      >
        {t("deleteBody")}
      </ConfirmDialog>
      <Modal opened={problem !== null} onClose={close} title={t("unable_to_delete_synapse")} size={440}>
        {problem === null ? null : <Refusal error={problem} />}
        <div className="ac-form__foot">
          <Button variant="default" onClick={close}>
            {t("shell:action.close")}
          </Button>
        </div>
      </Modal>
    </>
  );
}

const Uses = z.object({
  uses: z.array(z.object({ id: z.string(), name: z.string() })).catch([]),
  elsewhere: z.boolean().catch(false),
});

/** The server's message, and the connections that it names. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useWords("customSynapses");
  const { uses, elsewhere } = Uses.parse(error instanceof ApiError ? error.details : {});
  return (
    <>
      <p>{explanationOf(error)}</p>
      {uses.length > 0 || elsewhere ? (
        <ul className="ac-synapse-list">
          {uses.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {elsewhere ? <li>{t("usedElsewhere")}</li> : null}
        </ul>
      ) : null}
    </>
  );
}
