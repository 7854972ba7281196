/** Where a question is typed: of which dataset, with examples from its own columns, and what was asked before. */
import { ASSISTANT_LIMITS } from "@accord/contracts/insights/card-assistant";
import { getDataset, listDatasets } from "@accord/contracts/insights/datasets";
import { Button, Checkbox, Select, Textarea } from "@mantine/core";
import { IconArrowBackUp, IconSend } from "@tabler/icons-react";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { asDatasetId } from "../parts/queries.ts";
import { exampleQuestions } from "./example-questions.ts";
import type { Asking, Questions } from "./use-questions.ts";
import type { Assistant } from "../parts/use-assistant.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

interface FormProps {
  assistant: Assistant;
  questions: Questions;
  asking: Asking;
  /** Whether nobody answers any more. */
  isOff: boolean;
  onAsking: (change: Partial<Asking>) => void;
  onStartOver: () => void;
}

export function QuestionForm({ assistant, questions, asking, isOff, onAsking, onStartOver }: FormProps) {
  const { t } = useWords("insights");
  const isFirst = questions.current === undefined;
  const ask = (): void => {
    if (!isOff) questions.ask(questions.question, asking);
  };
  return (
    <form
      className="ac-form"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      {isFirst ? <DatasetChoice assistant={assistant} asking={asking} onAsking={onAsking} /> : null}
      {isFirst ? null : <Asked questions={questions} onStartOver={onStartOver} />}
      {questions.error ? <RefusalBox error={questions.error} /> : null}
      <Textarea
        autoFocus
        autosize
        minRows={2}
        maxRows={6}
        maxLength={ASSISTANT_LIMITS.question}
        label={t(isFirst ? "assistant.question" : "assistant.refine")}
        description={t(isFirst ? "assistant.questionHelp" : "assistant.refineHelp")}
        value={questions.question}
        onChange={(event) => questions.setQuestion(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          ask();
        }}
      />
      <Button
        type="submit"
        leftSection={<IconSend size={16} />}
        loading={questions.isAsking}
        disabled={isOff || questions.question.trim() === ""}
      >
        {t("assistant.ask")}
      </Button>
      {isFirst && !isOff ? (
        <Examples datasetId={asking.datasetId} onChoose={(text) => questions.ask(text, asking)} />
      ) : null}
    </form>
  );
}

function DatasetChoice({ assistant, asking, onAsking }: Pick<FormProps, "assistant" | "asking" | "onAsking">) {
  const { t } = useWords("insights");
  const mayPreview = useCan("PREVIEW_DATACARD");
  const { data } = useEndpoint(listDatasets);
  const isModel = assistant.assistant === "model";
  return (
    <>
      <Select
        label={t("assistant.dataset")}
        placeholder={t("assistant.anyDataset")}
        searchable
        clearable
        value={asking.datasetId}
        data={(data?.datasets ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(datasetId) => onAsking({ datasetId })}
      />
      {asking.datasetId && mayPreview ? (
        <Checkbox
          label={t("assistant.samples")}
          description={t(isModel ? "assistant.samplesHelp.model" : "assistant.samplesHelp.builtIn")}
          checked={asking.samples}
          onChange={(event) => onAsking({ samples: event.currentTarget.checked })}
        />
      ) : null}
    </>
  );
}

function Asked({ questions, onStartOver }: Pick<FormProps, "questions" | "onStartOver">) {
  const { t } = useWords("insights");
  return (
    <section className="ac-assistant__asked" aria-label={t("assistant.asked")}>
      <h2>{t("assistant.asked")}</h2>
      <ol>
        {questions.turns.map(({ number, question }) => (
          <li key={number}>{question}</li>
        ))}
      </ol>
      <div className="ac-assistant__actions">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={14} />}
          disabled={questions.isAsking}
          onClick={questions.undo}
        >
          {t("assistant.undo")}
        </Button>
        <Button size="xs" variant="subtle" color="idle" disabled={questions.isAsking} onClick={onStartOver}>
          {t("assistant.startOver")}
        </Button>
      </div>
    </section>
  );
}

/** Of the chosen dataset, else of the first one. */
function Examples({ datasetId, onChoose }: { datasetId: string | null; onChoose: (question: string) => void }) {
  const { t } = useWords("insights");
  const { data } = useEndpoint(listDatasets);
  const id = datasetId ?? data?.datasets[0]?.id;
  const { data: about } = useEndpoint(
    getDataset,
    { params: { id: asDatasetId(id ?? "") } },
    { enabled: id !== undefined },
  );
  if (!about || about.columns.length === 0) return null;
  const examples = exampleQuestions(about.dataset.displayName, about.columns).map(({ key, facts }) =>
    t(`assistant.example.${key}`, facts),
  );
  return (
    <section className="ac-assistant__examples" aria-label={t("assistant.examples")}>
      <h2>{t("assistant.examples")}</h2>
      {examples.map((example) => (
        <button key={example} type="button" onClick={() => onChoose(example)}>
          {example}
        </button>
      ))}
    </section>
  );
}
