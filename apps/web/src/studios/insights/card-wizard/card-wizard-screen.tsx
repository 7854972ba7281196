/** Makes, changes or copies a data card in three steps: basic, dataset, data card, with a live preview at the last. */
import { CARD_DEFINITIONS, changeDataset, problemsOfCard } from "@accord/cards/definitions";
import { dataCardDependencies, getDataCard, listDataCards } from "@accord/contracts/insights/cards";
import { dashboardCardData, getDashboard, listDashboards } from "@accord/contracts/insights/dashboards";
import { listDatasets } from "@accord/contracts/insights/datasets";
import { ErrorBox, FormSkeleton, PageBody, PageHeader, WizardFrame } from "@accord/ui";
import { Button } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { reasonOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { refresh, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { runnable } from "../dataset-editor/dataset-editor.tsx";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { PublishedUses } from "../parts/published-uses.tsx";
import { asCardId } from "../parts/queries.ts";
import { CardStep } from "./card-step.tsx";
import { BasicStep, DatasetStep } from "./wizard-steps.tsx";
import {
  type Before,
  type Refusal,
  refusalOf,
  save,
  type SaveProgress,
  type Step,
  STEPS,
  type Work,
} from "./wizard-work.ts";
import "./card-wizard.css";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";

export function CardWizardScreen() {
  const { t } = useWords("insights");
  const { dataCardId = "new", copy } = useParams({ strict: false });
  const title = t(copy ? "wizard.copyTitle" : dataCardId === "new" ? "wizard.newTitle" : "wizard.editTitle");
  const { dashboardId } = useParams({ strict: false });
  const list = dashboardId ? [] : [{ label: t("definitions.cards"), to: "/insights-studio/cards" }];
  usePage({ title, crumbs: [{ label: t("title"), to: "/insights-studio" }, ...list, { label: title }] });
  return (
    <Demand anyOf={["UPDATE_DATACARD"]} alsoNeeds={dataCardId === "new" || copy ? "CREATE_DATACARD" : undefined}>
      <PageBody>
        <PageHeader title={title} />
        {dataCardId === "new" ? <Wizard /> : <Existing id={dataCardId} copy={copy} />}
      </PageBody>
    </Demand>
  );
}

function Existing({ id, copy }: { id: string; copy: string | undefined }) {
  const query = useEndpoint(getDataCard, { params: { id: asCardId(id) } }, { refetchOnWindowFocus: false });
  return (
    <QueryView isScreen query={query} skeleton={<FormSkeleton />}>
      {(card) => (
        <Wizard
          key={`${card.id} ${copy ?? ""}`}
          copy={copy}
          before={{
            id: card.id,
            version: card.version,
            displayName: copy ? `${card.displayName} 2` : card.displayName,
            description: card.description,
            configuration: card.contents.configuration,
          }}
        />
      )}
    </QueryView>
  );
}

function CopiesOf({ id }: { id: Before["id"] }) {
  const { data } = useEndpoint(dataCardDependencies, { params: { id } });
  return <PublishedUses uses={data?.publishedOn ?? []} drafts={data?.dependencies ?? []} />;
}

function Wizard({ before, copy }: { before?: Before; copy?: string | undefined }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { dashboardId = "", version = "draft" } = useParams({ strict: false });
  const { dataset: given } = useSearch({ strict: false });
  const datasets = useEndpoint(listDatasets).data?.datasets;
  const [{ existing, ...rest }, setWork] = useState<Omit<Work, "existing"> & { existing?: boolean | undefined }>({
    displayName: before?.displayName ?? "",
    description: before?.description ?? "",
    existing: before !== undefined || given !== undefined || undefined,
    datasetId: before?.configuration.datasetId ?? given ?? "",
    config: emptyConfig(),
    card: before?.configuration ?? null,
  });
  // Until one is chosen: a dataset that there is, rather than one more of the same.
  const work: Work = { ...rest, existing: existing ?? datasets?.length !== 0 };
  useUnsavedChanges(useIsChanged({ ...rest, existing, kept: undefined }));
  const [step, setStep] = useState<Step>(before ? "card" : "basic");
  const [reached, setReached] = useState<Step>(before ? "card" : "basic");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [progress, setProgress] = useState<SaveProgress>({});
  const change = (next: Partial<Work>): void => {
    setProblem(undefined);
    setWork((old) => ({ ...old, ...next }));
  };
  const close = (ignoreBlocker = false): void =>
    void (dashboardId
      ? navigate({ to: "/insights-studio/$dashboardId/$version", params: { dashboardId, version }, ignoreBlocker })
      : navigate({ to: "/insights-studio/cards", ignoreBlocker }));
  const go = (next: Step): void => {
    setStep(next);
    if (STEPS.indexOf(next) > STEPS.indexOf(reached)) setReached(next);
  };
  const mayAdd = useCan("UPDATE_DASHBOARD");
  const addsToDashboard = mayAdd && dashboardId !== "" && version === "draft" && (!before || copy === "copy-add");

  const wordsFor = ({ key, facts, slot }: Refusal): string => {
    const words = String(t(key, facts as never));
    return slot ? t("wizard.slotProblem", { slot: t(`slot.${slot}`), problem: words }) : words;
  };
  const next = async (): Promise<void> => {
    const refusal = refusalOf(step, work);
    setProblem(refusal ? wordsFor(refusal) : undefined);
    if (refusal) return;
    if (step === "basic") return go("dataset");
    if (step === "dataset") return enterCard();
    const { card } = work;
    if (!card) return;
    setBusy(true);
    try {
      await save(
        { ...work, card },
        { before, copy, dashboardId: addsToDashboard ? dashboardId : null, progress, onProgress: setProgress },
      );
      showSuccess(t(addsToDashboard ? "board.card_added" : "wizard.saved"));
      await refresh(listDataCards, getDataCard, listDatasets, getDashboard, listDashboards, dashboardCardData);
      close(true);
    } catch (error) {
      const words = reasonOf(error);
      setProblem(addsToDashboard ? `${t("board.data_card_not_added")} ${words}` : words);
    } finally {
      setBusy(false);
    }
  };

  /** A new dataset has to run before a card can stand on it. */
  const enterCard = async (): Promise<void> => {
    const datasetId = work.existing ? work.datasetId : "";
    if (work.card && work.card.datasetId !== datasetId)
      change({ card: changeDataset(work.card, CARD_DEFINITIONS[work.card.vizType], datasetId), kept: undefined });
    go("card");
  };

  return (
    <div className="ac-card-wizard">
      <WizardFrame
        steps={STEPS.map((id) => ({ id, label: t(`wizard.${id}`) }))}
        current={step}
        reached={reached}
        onStep={(id) => setStep(id as Step)}
        onBack={step === "basic" ? undefined : () => setStep(step === "card" ? "dataset" : "basic")}
        backLabel={t("wizard.previous")}
        onNext={() => void next()}
        nextLabel={step === "card" ? t(addsToDashboard ? "wizard.finishAdd" : "wizard.finish") : undefined}
        nextDisabled={
          step === "card" &&
          work.card !== null &&
          problemsOfCard(work.card).some(({ code }) => code === "max_error" || code === "range_error")
        }
        busy={busy}
        footer={
          <Button variant="subtle" color="idle" onClick={() => close()}>
            {t("wizard.close")}
          </Button>
        }
      >
        {problem ? (
          <div className="ac-card-wizard__problem">
            <ErrorBox message={problem} />
          </div>
        ) : null}
        {before && !copy ? <CopiesOf id={before.id} /> : null}
        {step === "basic" ? <BasicStep work={work} isNew={!before} onChange={change} /> : null}
        {step === "dataset" ? <DatasetStep work={work} onChange={change} /> : null}
        {step === "card" ? (
          <CardStep
            card={work.card}
            dataset={work.existing ? null : runnable(work.config)}
            datasetId={work.datasetId}
            kept={work.kept}
            onChange={(card, kept = work.kept) => change({ card, kept })}
          />
        ) : null}
      </WizardFrame>
    </div>
  );
}
