/** Looks into a dataset before anything is named: charts are proposed at once, changed at will, and saved at last. */
import { differentValues, proposeCards, type CardTitle, type Proposal, titleOf } from "@accord/cards/proposals";
import { type KeptSetup, problemsOfCard } from "@accord/cards/definitions";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { getDataset, listDatasets, previewDataset } from "@accord/contracts/insights/datasets";
import { DATASET_LIMITS } from "@accord/contracts/insights/dataset-config";
import { EmptyState, ErrorBox, FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { IconDatabaseSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { CardIcon } from "../cards/card-icon.tsx";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { asDatasetId } from "../parts/queries.ts";
import { CardStep } from "./card-step.tsx";
import { NameCard, useTitleWords } from "./name-card.tsx";
import type { SaveProgress } from "./wizard-work.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import "./card-wizard.css";

export function ExploreScreen() {
  const { t } = useWords("insights");
  const { dataset, dashboard } = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useEndpoint(listDatasets);
  usePage({
    title: t("explore.title"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("explore.title") }],
  });
  return (
    <Demand anyOf={["UPDATE_DATACARD"]} alsoNeeds="CREATE_DATACARD">
      <PageBody>
        <PageHeader title={t("explore.title")} subtitle={t("explore.subtitle")} />
        <QueryView query={query} skeleton={<FormSkeleton />}>
          {({ datasets }) => (
            <Select
              className="ac-card-wizard__narrow"
              label={t("wizard.existing")}
              placeholder={t("wizard.choose")}
              searchable
              allowDeselect={false}
              value={dataset ?? null}
              data={datasets.map(({ id, displayName, sources }) => ({
                value: id,
                label: `${displayName} (${sources.join(", ")})`,
              }))}
              onChange={(next) =>
                next && void navigate({ to: ".", search: (old) => ({ ...old, dataset: next }), replace: true })
              }
            />
          )}
        </QueryView>
        {dataset ? (
          <Explored key={dataset} datasetId={dataset} dashboardId={dashboard ?? null} />
        ) : (
          <EmptyState icon={<IconDatabaseSearch size={22} />} title={t("explore.choose")} />
        )}
      </PageBody>
    </Demand>
  );
}

/** Charts made of the dataset's columns, and of how many different values some of its rows have. */
function useProposals(datasetId: string) {
  const { t } = useWords("insights");
  const saved = useEndpoint(getDataset, { params: { id: asDatasetId(datasetId) } }, { refetchOnWindowFocus: false });
  const config = saved.data?.dataset.datasetConfig;
  const rows = useEndpoint(
    previewDataset,
    {
      body: {
        ...{ datasetConfig: config ?? emptyConfig(), datasetId: asDatasetId(datasetId) },
        rows: DATASET_LIMITS.previewRows,
      },
    },
    { enabled: config !== undefined, retry: false, refetchOnWindowFocus: false },
  );
  const rowCount = t("wizard.rowCount");
  const proposals = useMemo(() => {
    if (!rows.data) return null;
    const { columns } = rows.data;
    return proposeCards({ datasetId, columns, different: differentValues(columns, rows.data.rows), rowCount });
  }, [rows.data, datasetId, rowCount]);
  const error = saved.error ?? rows.error;
  return { proposals, error, name: saved.data?.dataset.displayName ?? "" };
}

function Explored({ datasetId, dashboardId }: { datasetId: string; dashboardId: string | null }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { proposals, error, name } = useProposals(datasetId);
  const [changed, setChanged] = useState<{ card: CardConfiguration; kept?: KeptSetup | undefined }>();
  const [isNaming, setNaming] = useState(false);
  const [progress, setProgress] = useState<SaveProgress>({});
  useUnsavedChanges(changed !== undefined);
  const wordsFor = useTitleWords(name);
  if (error) return <RefusalBox error={error} />;
  if (!proposals) return <FormSkeleton />;
  const card = changed?.card ?? proposals[0]?.card;
  if (!card) return <ErrorBox message={t("problem.fields_missing")} />;
  const close = (ignoreBlocker = false): void =>
    void (dashboardId
      ? navigate({
          to: "/insights-studio/$dashboardId/$version",
          params: { dashboardId, version: "draft" },
          ignoreBlocker,
        })
      : navigate({ to: "/insights-studio/cards", ignoreBlocker }));
  return (
    <div className="ac-explore">
      <Proposals {...{ proposals, card, wordsFor }} onChoose={(next) => setChanged({ card: next })} />
      <CardStep
        card={card}
        dataset={null}
        datasetId={datasetId}
        kept={changed?.kept}
        onChange={(next, kept = changed?.kept) => setChanged({ card: next, kept })}
      />
      <div className="ac-explore__foot">
        <Button variant="subtle" color="idle" onClick={() => close()}>
          {t("wizard.close")}
        </Button>
        <Button disabled={problemsOfCard(card).length > 0} onClick={() => setNaming(true)}>
          {t("explore.save")}
        </Button>
      </div>
      {isNaming ? (
        <NameCard
          card={card}
          dataset={null}
          proposed={wordsFor(titleOf(card))}
          dashboardId={dashboardId}
          progress={progress}
          onProgress={setProgress}
          onClose={() => setNaming(false)}
          onSaved={() => close(true)}
        />
      ) : null}
    </div>
  );
}

interface ProposalsProps {
  proposals: readonly Proposal[];
  card: CardConfiguration;
  wordsFor: (title: CardTitle) => string;
  onChoose: (card: CardConfiguration) => void;
}

/** Takes the place of a chart that somebody changed only after a question. */
function Proposals({ proposals, card, wordsFor, onChoose }: ProposalsProps) {
  const { t } = useWords("insights");
  const [asked, setAsked] = useState<CardConfiguration>();
  const isShown = (one: Proposal): boolean => JSON.stringify(one.card) === JSON.stringify(card);
  const isChanged = !proposals.some(isShown);
  return (
    <div className="ac-explore__proposals" role="group" aria-label={t("explore.proposals")}>
      {proposals.map((proposal) => (
        <button
          key={JSON.stringify(proposal.card)}
          type="button"
          aria-pressed={isShown(proposal)}
          onClick={() => (isChanged ? setAsked(proposal.card) : onChoose(proposal.card))}
        >
          <CardIcon type={proposal.card.vizType} size={22} />
          <span>{wordsFor(proposal.title)}</span>
        </button>
      ))}
      {asked ? (
        <ConfirmDialog
          opened
          onClose={() => setAsked(undefined)}
          title={t("wizard.discard")}
          action={t("explore.replace")}
          onConfirm={() => {
            setAsked(undefined);
            onChoose(asked);
          }}
        >
          <p>{t("explore.replaceBody")}</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
