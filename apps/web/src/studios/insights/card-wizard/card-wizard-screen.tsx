/** Makes, changes or copies a data card in three steps: basic, dataset, data card, with a live preview at the last. */
import { CARD_DEFINITIONS, changeDataset, newCard, problemsOfCard } from "@accord/cards/definitions";
import {
  type CardConfiguration,
  createDataCard,
  dataCardData,
  getDataCard,
  listDataCards,
  updateDataCard,
} from "@accord/contracts/insights/cards";
import { getDashboard, listDashboards, updateDashboard } from "@accord/contracts/insights/dashboards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { createDataset, listDatasets } from "@accord/contracts/insights/datasets";
import { ErrorBox, FormSkeleton, PageBody, PageHeader, WizardFrame } from "@accord/ui";
import { Button, Radio, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../app/api.ts";
import { ApiError, wordsOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { endpointQuery, queryClient, refresh, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { placeNewCard } from "../dashboards/board.tsx";
import { DatasetEditor, runnable } from "../dataset-editor/dataset-editor.tsx";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { nameFrom } from "../name-from.ts";
import { asCardId, asDashboardId, asDatasetId } from "../queries.ts";
import { CardStep } from "./card-step.tsx";
import "./card-wizard.css";

type Step = "basic" | "dataset" | "card";

interface Work {
  displayName: string;
  description: string;
  existing: boolean;
  datasetId: string;
  config: DatasetConfig;
  card: CardConfiguration | null;
}

export function CardWizardScreen() {
  const { t } = useWords("insights");
  const { dataCardId = "new", copy } = useParams({ strict: false });
  const title = t(copy ? "wizard.copyTitle" : dataCardId === "new" ? "wizard.newTitle" : "wizard.editTitle");
  usePage({ title, crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: title }] });
  return (
    <Demand anyOf={["UPDATE_DATACARD"]}>
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

interface Before {
  id: ReturnType<typeof asCardId>;
  version: number;
  displayName: string;
  description: string;
  configuration: CardConfiguration;
}

function Wizard({ before, copy }: { before?: Before; copy?: string | undefined }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { dashboardId = "", version = "draft" } = useParams({ strict: false });
  const { dataset: given } = useSearch({ strict: false });
  const [work, setWork] = useState<Work>({
    displayName: before?.displayName ?? "",
    description: before?.description ?? "",
    existing: before !== undefined || given !== undefined,
    datasetId: before?.configuration.datasetId ?? given ?? "",
    config: emptyConfig(),
    card: before?.configuration ?? null,
  });
  const [step, setStep] = useState<Step>(before ? "card" : "basic");
  const [reached, setReached] = useState<Step>(before ? "card" : "basic");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const change = (next: Partial<Work>): void => {
    setProblem(undefined);
    setWork((old) => ({ ...old, ...next }));
  };
  const close = (): void =>
    void navigate({ to: "/insights-studio/$dashboardId/$version", params: { dashboardId, version } });
  const go = (next: Step): void => {
    setStep(next);
    if (STEPS.indexOf(next) > STEPS.indexOf(reached)) setReached(next);
  };
  const addsToDashboard = version === "draft" && (!before || copy === "copy-add");

  const next = async (): Promise<void> => {
    const refusal = refusalOf(step, work);
    setProblem(refusal ? String(t(refusal.key, refusal.facts as never)) : undefined);
    if (refusal) return;
    if (step === "basic") return go("dataset");
    if (step === "dataset") return enterCard();
    setBusy(true);
    try {
      await save(work, before, copy, addsToDashboard ? dashboardId : null);
      toast.success(t(addsToDashboard ? "board.card_added" : "wizard.saved"));
      await refresh(listDataCards, getDataCard, listDatasets, getDashboard, listDashboards, dataCardData);
      close();
    } catch (error) {
      const words =
        error instanceof ApiError && error.fieldProblems[0] ? error.fieldProblems[0].message : wordsOf(error);
      setProblem(addsToDashboard ? `${t("board.data_card_not_added")} ${words}` : words);
    } finally {
      setBusy(false);
    }
  };

  /** A new dataset has to run before a card can stand on it. */
  const enterCard = async (): Promise<void> => {
    const datasetId = work.existing ? work.datasetId : "";
    if (work.card && work.card.datasetId !== datasetId)
      change({ card: changeDataset(work.card, CARD_DEFINITIONS[work.card.vizType], datasetId) });
    if (!work.card) change({ card: newCard(CARD_DEFINITIONS.COLUMN, datasetId) });
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
        onNext={() => void next()}
        nextLabel={step === "card" ? t(addsToDashboard ? "wizard.finishAdd" : "wizard.finish") : undefined}
        nextDisabled={
          step === "card" &&
          work.card !== null &&
          problemsOfCard(work.card).some(({ code }) => code === "max_error" || code === "range_error")
        }
        busy={busy}
        footer={
          <Button variant="subtle" color="idle" onClick={close}>
            {t("wizard.close")}
          </Button>
        }
      >
        {problem ? <ErrorBox message={problem} /> : null}
        {step === "basic" ? <BasicStep work={work} onChange={change} /> : null}
        {step === "dataset" ? <DatasetStep work={work} onChange={change} /> : null}
        {step === "card" && work.card ? (
          <CardStep
            card={work.card}
            dataset={work.existing ? null : runnable(work.config)}
            datasetId={work.datasetId}
            onChange={(card) => change({ card })}
          />
        ) : null}
      </WizardFrame>
    </div>
  );
}

const STEPS: readonly Step[] = ["basic", "dataset", "card"];

function BasicStep({ work, onChange }: StepProps) {
  const { t } = useWords("insights");
  return (
    <div className="ac-form ac-card-wizard__narrow">
      <TextInput
        data-autofocus
        autoFocus
        label={t("wizard.displayName")}
        withAsterisk
        value={work.displayName}
        onChange={(event) => onChange({ displayName: event.currentTarget.value })}
      />
      <Textarea
        label={t("wizard.description")}
        autosize
        minRows={2}
        value={work.description}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
    </div>
  );
}

interface StepProps {
  work: Work;
  onChange: (change: Partial<Work>) => void;
}

function DatasetStep({ work, onChange }: StepProps) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(listDatasets);
  return (
    <div className="ac-form">
      <Radio.Group
        aria-label={t("wizard.dataset")}
        value={work.existing ? "existing" : "new"}
        onChange={(next) => onChange({ existing: next === "existing" })}
      >
        <Stack gap="xs">
          <Radio value="existing" label={t("wizard.useExisting")} />
          <Radio value="new" label={t("wizard.makeNew")} />
        </Stack>
      </Radio.Group>
      {work.existing ? (
        <Select
          className="ac-card-wizard__narrow"
          label={t("wizard.existing")}
          placeholder={t("wizard.choose")}
          searchable
          value={work.datasetId || null}
          data={(data?.datasets ?? []).map(({ id, displayName, sources }) => ({
            value: id,
            label: `${displayName} (${sources.join(", ")})`,
          }))}
          onChange={(next) => onChange({ datasetId: next ?? "" })}
        />
      ) : (
        <DatasetEditor config={work.config} onChange={(config) => onChange({ config })} />
      )}
    </div>
  );
}

/** The word for what keeps a step from being left. */
function refusalOf(step: Step, work: Work) {
  if (work.displayName.trim() === "") return { key: "wizard.nameEmpty" as const, facts: {} };
  if (step === "basic") return null;
  if (work.existing && !work.datasetId) return { key: "wizard.datasetEmpty" as const, facts: {} };
  if (!work.existing && work.config.sources.length === 0) return { key: "problem.sources_missing" as const, facts: {} };
  if (!work.existing && work.config.selectedFields.length + work.config.calculatedFields.length === 0)
    return { key: "problem.fields_missing" as const, facts: {} };
  if (step !== "card") return null;
  if (!work.card) return { key: "wizard.vizTypeEmpty" as const, facts: {} };
  const [first] = problemsOfCard(work.card);
  return first ? { key: `cardProblem.${first.code}` as const, facts: first.facts } : null;
}

/** Saves the dataset when it is new, then the card, then puts it on the dashboard. */
async function save(
  work: Work,
  before: Before | undefined,
  copy: string | undefined,
  dashboardId: string | null,
): Promise<void> {
  const { displayName, description } = work;
  const datasetId = work.existing
    ? work.datasetId
    : (
        await call(createDataset, {
          body: { displayName, name: `${nameFrom(displayName)}_${suffix()}`, datasetConfig: runnable(work.config) },
        })
      ).id;
  const configuration = { ...work.card!, datasetId: asDatasetId(datasetId) };
  const body = { displayName, description, contents: { configuration } };
  if (before && !copy) {
    await call(updateDataCard, { params: { id: before.id }, body: { ...body, version: before.version } });
    return;
  }
  const card = await call(createDataCard, { body: { ...body, name: `${nameFrom(displayName)}_${suffix()}` } });
  if (!dashboardId) return;
  const dashboard = await draftOf(dashboardId);
  const layout = placeNewCard(dashboard.dataCards, card.id);
  const { displayName: title, description: about, tags, variables, version } = dashboard;
  await call(updateDashboard, {
    params: { id: asDashboardId(dashboard.id) },
    body: {
      displayName: title,
      description: about,
      tags,
      variables,
      version,
      dataCards: [...dashboard.dataCards, { id: card.id, layout }],
    },
  });
}

async function draftOf(dashboardId: string) {
  const { dashboard } = await queryClient.fetchQuery({
    ...endpointQuery(getDashboard, { params: { id: asDashboardId(dashboardId) } }),
    staleTime: 0,
  });
  if (dashboard.draftStatus === "NEW" || !dashboard.draft) return dashboard;
  return (
    await queryClient.fetchQuery({
      ...endpointQuery(getDashboard, { params: { id: asDashboardId(dashboard.draft) } }),
      staleTime: 0,
    })
  ).dashboard;
}

/** Two cards may carry one display name; their API names differ. */
const suffix = (): string => crypto.randomUUID().slice(0, 6);
