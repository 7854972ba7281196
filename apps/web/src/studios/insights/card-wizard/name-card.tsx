/** Saves a card whose name comes last: one is proposed by what it shows. */
import type { CardTitle } from "@accord/cards/proposals";
import { type CardConfiguration, listDataCards } from "@accord/contracts/insights/cards";
import { getDashboard } from "@accord/contracts/insights/dashboards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { ErrorBox } from "@accord/ui";
import { Button, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { explanationOf } from "../../../app/api-error.ts";
import { refresh } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { showSuccess } from "../parts/show-success.ts";
import { save, savedPart, type SaveProgress } from "./wizard-work.ts";

/** What a chart is called by what it shows. */
export function useTitleWords(datasetName: string): (title: CardTitle) => string {
  const { t } = useWords("insights");
  return ({ key, facts }) => t(`explore.proposed.${key}`, { ...facts, dataset: datasetName });
}

interface NameProps {
  card: CardConfiguration;
  /** One that is made together with the card; null when the card's saved one is used. */
  dataset: { displayName: string; config: DatasetConfig } | null;
  description?: string;
  proposed: string;
  /** Where the card goes besides, for people who may change dashboards. */
  dashboardId: string | null;
  /** What an earlier attempt saved. */
  progress: SaveProgress;
  onProgress: (progress: SaveProgress) => void;
  onClose: () => void;
  onSaved: () => void;
}

export function NameCard({ card, dataset, description = "", proposed, dashboardId, ...props }: NameProps) {
  const { progress, onProgress, onClose, onSaved } = props;
  const { t } = useWords("insights");
  const mayAdd = useCan("UPDATE_DASHBOARD");
  const target = mayAdd ? dashboardId : null;
  const [displayName, setDisplayName] = useState(proposed.slice(0, 120));
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const work = {
    displayName,
    description,
    existing: dataset === null,
    datasetId: card.datasetId,
    datasetName: dataset?.displayName,
    config: dataset?.config ?? emptyConfig(),
    card,
  };
  const saved = savedPart(work, progress);
  const store = async (): Promise<void> => {
    if (displayName.trim() === "") return setProblem(t("wizard.nameEmpty"));
    setBusy(true);
    try {
      await save(work, { dashboardId: target, progress, onProgress });
      await refresh(listDataCards, listDatasets, getDashboard);
      showSuccess(t(target ? "board.card_added" : "wizard.saved"));
      onSaved();
    } catch (error) {
      setProblem(explanationOf(error));
      setBusy(false);
      void refresh(listDataCards, listDatasets);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t("explore.nameTitle")}>
      <form
        className="ac-form"
        onSubmit={(event) => {
          event.preventDefault();
          void store();
        }}
      >
        {problem ? <ErrorBox message={problem} /> : null}
        {saved && !isBusy ? <ErrorBox tone="info" message={t(`wizard.savedPart.${saved}`)} /> : null}
        <TextInput
          data-autofocus
          withAsterisk
          maxLength={120}
          label={t("wizard.displayName")}
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          {t(target ? "wizard.finishAdd" : "wizard.finish")}
        </Button>
      </form>
    </Modal>
  );
}
