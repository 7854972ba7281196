/** A question becomes a card: asked, looked at as a difference beside the chart, changed by further questions, and saved. */
import { type KeptSetup, problemsOfCard } from "@accord/cards/definitions";
import { titleOf } from "@accord/cards/proposals";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { EmptyState, ErrorBox, FormSkeleton, PageBody, PageHeader } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconMessageQuestion, IconSettings } from "@tabler/icons-react";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { CardPreview, useCardPreview } from "../card-wizard/card-preview.tsx";
import { CardStep } from "../card-wizard/card-step.tsx";
import { NameCard, useTitleWords } from "../card-wizard/name-card.tsx";
import type { SaveProgress } from "../card-wizard/wizard-work.ts";
import { AssistantSettings } from "./assistant-settings.tsx";
import { ProposalDiff } from "./proposal-diff.tsx";
import { QuestionForm } from "./question-form.tsx";
import { type Assistant, useAssistant } from "../parts/use-assistant.ts";
import { type Asking, type Turn, useQuestions } from "./use-questions.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import "../card-wizard/card-wizard.css";
import "./assistant.css";

export function AssistantScreen() {
  return (
    <Demand anyOf={["UPDATE_DATACARD"]} alsoNeeds="CREATE_DATACARD">
      <Enabled />
    </Demand>
  );
}

/** While the feature is off. */
const OFF: Assistant = { assistant: "none", host: "", model: "", mayConfigure: false };

/** Where the feature is off there is no such page, unless somebody has work on it: that stays. */
function Enabled() {
  const { isEnabled, assistant, error } = useAssistant();
  const work = useWork();
  useUnsavedChanges(work.questions.hasWork);
  if (isEnabled !== false) return <Page {...{ assistant, error, work }} />;
  return work.questions.hasWork ? <Page assistant={OFF} error={null} work={work} /> : <NotFoundScreen />;
}

interface PageProps {
  assistant: Assistant | undefined;
  error: Error | null;
  work: AssistantWork;
}

function Page({ assistant, error, work }: PageProps) {
  const { t } = useWords("insights");
  const [isConfiguring, setConfiguring] = useState(false);
  usePage({
    title: t("assistant.title"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("assistant.title") }],
  });
  const configure = assistant?.mayConfigure ? (
    <Button variant="default" leftSection={<IconSettings size={16} />} onClick={() => setConfiguring(true)}>
      {t("assistant.configure")}
    </Button>
  ) : null;
  const { host = "", model = "" } = assistant ?? {};
  return (
    <PageBody>
      <PageHeader title={t("assistant.title")} subtitle={t("assistant.subtitle")} actions={configure} />
      {assistant && assistant.assistant !== "none" ? (
        <p className="ac-quiet ac-assistant__by">{t(`assistant.by.${assistant.assistant}`, { host, model })}</p>
      ) : null}
      {error ? <RefusalBox error={error} /> : null}
      {assistant ? <Answering assistant={assistant} work={work} /> : error ? null : <FormSkeleton />}
      {isConfiguring ? <AssistantSettings onClose={() => setConfiguring(false)} /> : null}
    </PageBody>
  );
}

function Answering({ assistant, work }: { assistant: Assistant; work: AssistantWork }) {
  const { t } = useWords("insights");
  if (assistant.assistant !== "none" || work.questions.hasWork)
    return <Questioning assistant={assistant} work={work} />;
  return (
    <EmptyState
      icon={<IconMessageQuestion size={22} />}
      title={t("assistant.offTitle")}
      body={t(assistant.mayConfigure ? "assistant.offBody" : "assistant.offAsk")}
    />
  );
}

/** The card as somebody goes on with it. */
interface Edited {
  card: CardConfiguration;
  kept?: KeptSetup | undefined;
}

/** What somebody has on the screen, whoever answers meanwhile. */
function useWork() {
  const questions = useQuestions();
  const [asking, setAsking] = useState<Asking>({ datasetId: null, samples: false });
  const [edited, setEdited] = useState<Edited>();
  const [progress, setProgress] = useState<SaveProgress>({});
  return { questions, asking, setAsking, edited, setEdited, progress, setProgress };
}

type AssistantWork = ReturnType<typeof useWork>;

function Questioning({ assistant, work }: { assistant: Assistant; work: AssistantWork }) {
  const { t } = useWords("insights");
  const { questions, asking, setAsking, edited, setEdited } = work;
  const [isDropping, setDropping] = useState(false);
  const { current } = questions;
  const isOff = assistant.assistant === "none";
  const banner = isOff ? <ErrorBox tone="info" message={t("assistant.nowOff")} /> : null;
  if (current && edited)
    return (
      <>
        {banner}
        <Editing turn={current} {...{ work, edited }} onChange={setEdited} onBack={() => setEdited(undefined)} />
      </>
    );
  return (
    <>
      {banner}
      <div className="ac-card-step ac-assistant">
        <div className="ac-assistant__talk">
          <QuestionForm
            {...{ assistant, questions, asking, isOff }}
            onAsking={(change) => setAsking((before) => ({ ...before, ...change }))}
            onStartOver={() => setDropping(true)}
          />
          {current ? <ProposalDiff before={questions.before} after={current.proposal} /> : null}
        </div>
        <Preview turn={current} />
      </div>
      <Foot work={work} onEdit={(card) => setEdited({ card })} />
      {isDropping ? <DropDialog onClose={() => setDropping(false)} onDrop={questions.startOver} /> : null}
    </>
  );
}

function Preview({ turn }: { turn: Turn | undefined }) {
  const preview = useCardPreview(turn?.proposal.card ?? null, turn?.proposal.dataset.datasetConfig ?? null);
  const { t } = useWords("insights");
  if (turn) return <CardPreview preview={preview} />;
  return (
    <section className="ac-card-preview" aria-label={t("wizard.preview")}>
      <h2>{t("wizard.preview")}</h2>
      <div className="ac-card-preview__box ac-assistant__blank">
        <EmptyState compact icon={<IconMessageQuestion size={22} />} title={t("assistant.empty")} />
      </div>
    </section>
  );
}

function DropDialog({ onClose, onDrop }: { onClose: () => void; onDrop: () => void }) {
  const { t } = useWords("insights");
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t("wizard.discard")}
      action={t("assistant.startOver")}
      onConfirm={() => {
        onClose();
        onDrop();
      }}
    >
      <p>{t("assistant.startOverBody")}</p>
    </ConfirmDialog>
  );
}

interface EditingProps {
  turn: Turn;
  work: AssistantWork;
  edited: Edited;
  onChange: (edited: Edited) => void;
  onBack: () => void;
}

/** The ordinary editor of cards, on what was proposed. */
function Editing({ turn, work, edited, onChange, onBack }: EditingProps) {
  const { t } = useWords("insights");
  const [isAsking, setAsking] = useState(false);
  const isChanged = JSON.stringify(edited.card) !== JSON.stringify(turn.proposal.card);
  const { dataset } = turn.proposal;
  return (
    <>
      <CardStep
        card={edited.card}
        dataset={dataset.datasetConfig}
        datasetId={dataset.id ?? ""}
        kept={edited.kept}
        onChange={(card, kept = edited.kept) => onChange({ card, kept })}
      />
      <Foot work={work} card={edited.card} onBack={() => (isChanged ? setAsking(true) : onBack())} />
      {isAsking ? (
        <ConfirmDialog
          opened
          onClose={() => setAsking(false)}
          title={t("wizard.discard")}
          action={t("assistant.backToProposal")}
          onConfirm={onBack}
        >
          <p>{t("assistant.backBody")}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface FootProps {
  work: AssistantWork;
  /** As it was edited; absent: as it is proposed. */
  card?: CardConfiguration;
  onEdit?: (card: CardConfiguration) => void;
  onBack?: () => void;
}

function Foot({ work, card: edited, onEdit, onBack }: FootProps) {
  const { t } = useWords("insights");
  const { turns } = work.questions;
  const navigate = useNavigate();
  const { dashboardId, version = "draft" } = useParams({ strict: false });
  const [isNaming, setNaming] = useState(false);
  const proposal = turns.at(-1)?.proposal;
  const wordsFor = useTitleWords(proposal?.dataset.displayName ?? "");
  const card = edited ?? proposal?.card;
  const close = (ignoreBlocker = false): void =>
    void (dashboardId
      ? navigate({ to: "/insights-studio/$dashboardId/$version", params: { dashboardId, version }, ignoreBlocker })
      : navigate({ to: "/insights-studio/cards", ignoreBlocker }));
  return (
    <div className="ac-explore__foot ac-assistant__foot">
      <Button variant="subtle" color="idle" onClick={() => close()}>
        {t("assistant.close")}
      </Button>
      {onBack ? (
        <Button variant="default" onClick={onBack}>
          {t("assistant.backToProposal")}
        </Button>
      ) : null}
      {onEdit ? (
        <Button variant="default" disabled={!card} onClick={() => card && onEdit(card)}>
          {t("assistant.edit")}
        </Button>
      ) : null}
      <Button disabled={!card || problemsOfCard(card).length > 0} onClick={() => setNaming(true)}>
        {t("assistant.save")}
      </Button>
      {isNaming && card && proposal ? (
        <NameCard
          card={card}
          dataset={
            proposal.dataset.datasetConfig
              ? { displayName: proposal.dataset.displayName, config: proposal.dataset.datasetConfig }
              : null
          }
          description={turns
            .map(({ question }) => question)
            .join("; ")
            .slice(0, 1_000)}
          proposed={wordsFor(titleOf(card))}
          dashboardId={dashboardId && version === "draft" ? dashboardId : null}
          progress={work.progress}
          onProgress={work.setProgress}
          onClose={() => setNaming(false)}
          onSaved={() => close(true)}
        />
      ) : null}
    </div>
  );
}
