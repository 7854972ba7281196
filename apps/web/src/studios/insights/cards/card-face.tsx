/** A card's chart in every state: loading, failed, incomplete, empty, drawn; as a chart or as a table. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { CARD_VIEWS, cardModel, modelTable, ModelTable, type OnMark } from "@accord/cards/views";
import { problemsOfCard } from "@accord/cards/definitions";
import { IconAlertTriangle, IconChartDots, IconMoodEmpty } from "@tabler/icons-react";
import { Component, type ReactNode, useMemo, useState } from "react";
import { useWords } from "../../../app/words.ts";
import { CardError } from "./card-error.tsx";
import { CardNote } from "./card-note.tsx";
import { CardNotes } from "./card-notes.tsx";
import { type ChosenMark, MarkRecordsOffer, type RecordsOf } from "./mark-records.tsx";
import { useChartWords } from "./chart-words.ts";
import "./cards.css";

export interface CardQuery {
  data?: { data: CardData } | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface CardFaceProps {
  /** What the card is called: the name of its chart. */
  name?: string;
  configuration: CardConfiguration;
  query: CardQuery;
  asTable?: boolean;
  /** Where the cause of an error can be removed: the card, its dataset. */
  errorActions?: ReactNode;
  /** Asks for the records behind a mark; absent for people who may not read records. */
  recordsOf?: RecordsOf | undefined;
}

export function CardFace({ name, configuration, query, asTable = false, errorActions, recordsOf }: CardFaceProps) {
  const { t } = useWords("insights");
  const answer = query.data?.data;
  const label = configuration.vizLabelVisible ? (answer?.label ?? "") : "";
  const caption = label === "" ? null : <p className="ac-card-face__label">{label}</p>;
  return (
    <div className="ac-card-face" data-dimmed={(query.isFetching && answer !== undefined) || undefined}>
      {configuration.vizLabelPosition === "TOP" ? caption : null}
      <div className="ac-card-face__chart">
        <ChartBoundary
          key={JSON.stringify(configuration)}
          fallback={
            <CardNote
              icon={<IconAlertTriangle size={20} />}
              title={t("card.something_went_wrong")}
              body={t("card.generic_configuration_error")}
            />
          }
        >
          <FaceBody
            name={name ?? ""}
            configuration={configuration}
            query={query}
            answer={answer}
            asTable={asTable}
            errorActions={errorActions}
            recordsOf={recordsOf}
          />
        </ChartBoundary>
      </div>
      {configuration.vizLabelPosition === "BOTTOM" ? caption : null}
    </div>
  );
}

function FaceBody({
  name = "",
  configuration,
  query,
  answer,
  asTable = false,
  errorActions,
  recordsOf,
}: CardFaceProps & { answer: CardData | undefined }) {
  const { t } = useWords("insights");
  if (problemsOfCard(configuration).length > 0)
    return (
      <CardNote
        icon={<IconChartDots size={20} />}
        title={t("card.incomplete_config_title")}
        body={t("card.incomplete_config_body")}
      />
    );
  if (!answer)
    return query.isError ? (
      <CardError error={query.error} retry={() => void query.refetch()}>
        {errorActions}
      </CardError>
    ) : (
      <div className="ac-card-face__loading" aria-busy="true" />
    );
  if (answer.rows.length === 0)
    return (
      <CardNote icon={<IconMoodEmpty size={20} />} title={t("card.no_data_title")} body={t("card.no_data_body")} />
    );
  return <Drawn name={name} configuration={configuration} answer={answer} asTable={asTable} recordsOf={recordsOf} />;
}

/** The chart or its table, and below it what of the data it doesn't show. */
function Drawn({
  name,
  configuration,
  answer,
  asTable,
  recordsOf,
}: {
  name: string;
  configuration: CardConfiguration;
  answer: CardData;
  asTable: boolean;
  recordsOf: RecordsOf | undefined;
}) {
  const words = useChartWords();
  const [chosen, setChosen] = useState<ChosenMark | null>(null);
  const onMark = useMemo<OnMark | undefined>(
    () => recordsOf && ((target, at) => setChosen({ ...target, at, from: document.activeElement })),
    [recordsOf],
  );
  const model = useMemo(() => cardModel(configuration, answer, words), [configuration, answer, words]);
  const View = CARD_VIEWS[configuration.vizType];
  // A table has no axis that anything could go beyond.
  const notes = asTable ? model.notes.filter(({ code }) => code !== "rest_cut") : model.notes;
  return (
    <div className="ac-card-face__drawn">
      <div className="ac-card-face__chart">
        {asTable ? (
          <ModelTable model={modelTable(model)} words={words} onMark={onMark} />
        ) : (
          <View name={name} card={configuration} data={answer} words={words} onMark={onMark} />
        )}
      </div>
      <CardNotes notes={notes} />
      {chosen && recordsOf ? (
        <MarkRecordsOffer chosen={chosen} recordsOf={recordsOf} onClose={() => setChosen(null)} />
      ) : null}
    </div>
  );
}

/** A chart that throws takes down itself alone. */
class ChartBoundary extends Component<{ children: ReactNode; fallback: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
