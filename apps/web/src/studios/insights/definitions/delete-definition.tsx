/** Asks before a card or dataset is deleted, naming what uses it; what a draft or another dataset needs can't be. */
import { dataCardDependencies, deleteDataCard, listDataCards } from "@accord/contracts/insights/cards";
import { getDashboard } from "@accord/contracts/insights/dashboards";
import { listDatasetUses } from "@accord/contracts/insights/dataset-uses";
import { datasetDependencies, deleteDataset, listDatasets } from "@accord/contracts/insights/datasets";
import type { Dependency, PublishedUse } from "@accord/contracts/insights/datasets";
import { ErrorBox } from "@accord/ui";
import { Button, Group, Modal } from "@mantine/core";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { asCardId, asDatasetId } from "../parts/queries.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export interface Definition {
  id: string;
  displayName: string;
}

interface DeleteDefinitionProps {
  definition: Definition;
  onClose: () => void;
  /** After it was deleted. */
  onDeleted?: () => void;
}

export function DeleteCard({ definition, onClose, onDeleted }: DeleteDefinitionProps) {
  const { t } = useWords("insights");
  const params = { id: asCardId(definition.id) };
  const query = useEndpoint(dataCardDependencies, { params }, { staleTime: 0, gcTime: 0 });
  const remove = useCall(deleteDataCard, { refreshes: [listDataCards, listDatasets, listDatasetUses, getDashboard] });
  return (
    <QueryView query={query} skeleton={null}>
      {(uses) => (
        <AskDelete
          {...{ definition, uses, onClose }}
          also={uses.alerts > 0 ? t("alerts.deletedWithCard", { count: uses.alerts }) : ""}
          title={t("definitions.deleteCard", { name: definition.displayName })}
          action={t("definitions.deleteCardAction")}
          onConfirm={async () => {
            await remove.mutateAsync({ params, query: { confirmed: "true" } });
            onDeleted?.();
          }}
        />
      )}
    </QueryView>
  );
}

export function DeleteDataset({ definition, onClose, onDeleted }: DeleteDefinitionProps) {
  const { t } = useWords("insights");
  const params = { id: asDatasetId(definition.id) };
  const query = useEndpoint(datasetDependencies, { params }, { staleTime: 0, gcTime: 0 });
  const remove = useCall(deleteDataset, { refreshes: [listDatasets, listDatasetUses] });
  return (
    <QueryView query={query} skeleton={null}>
      {(uses) => (
        <AskDelete
          {...{ definition, uses, onClose }}
          title={t("definitions.deleteDataset", { name: definition.displayName })}
          action={t("definitions.deleteDatasetAction")}
          onConfirm={async () => {
            await remove.mutateAsync({ params, query: { confirmed: "true" } });
            onDeleted?.();
          }}
        />
      )}
    </QueryView>
  );
}

interface AskDeleteProps {
  title: string;
  action: string;
  /** What goes with it. */
  also?: string;
  uses: { dependencies: readonly Dependency[]; publishedOn: readonly PublishedUse[] };
  onClose: () => void;
  onConfirm: () => Promise<void>;
}

function AskDelete({ title, action, uses, also = "", onClose, onConfirm }: AskDeleteProps) {
  const { t } = useWords("insights");
  const names = (list: readonly { displayName: string }[]) => list.map(({ displayName }) => displayName).join(", ");
  if (uses.dependencies.length > 0)
    return (
      <Modal opened onClose={onClose} title={title} size={440}>
        <div className="ac-form">
          <ErrorBox
            tone="info"
            title={t("definitions.inUse")}
            message={
              <ul className="ac-uses">
                {uses.dependencies.map(({ kind, id, displayName }) => (
                  <li key={`${kind} ${id}`}>{t(`definitions.use.${kind}`, { name: displayName })}</li>
                ))}
              </ul>
            }
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("wizard.close")}
            </Button>
          </Group>
        </div>
      </Modal>
    );
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={title}
      action={action}
      onConfirm={async () => {
        await onConfirm();
        showSuccess(t("remove.done"));
      }}
    >
      {uses.publishedOn.length > 0
        ? t("definitions.publishedBody", { names: names(uses.publishedOn) })
        : t("definitions.unusedBody")}{" "}
      {also}
    </ConfirmDialog>
  );
}
