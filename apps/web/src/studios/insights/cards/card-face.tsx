/** A card's chart in every state: loading, failed, incomplete, empty, drawn; as a chart or as a table. */
import { cardShapeOf, chosenColumns } from "@accord/contracts/insights/card-configuration";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { CARD_VIEWS, cardModel, isOfCard, modelTable, ModelTable, type OnMark, withFields } from "@accord/cards/views";
import { problemsOfCard } from "@accord/cards/definitions";
import { IconAlertTriangle, IconChartDots, IconMoodEmpty } from "@tabler/icons-react";
import { Component, type ReactNode, useMemo, useState } from "react";
import { useWords } from "../../../app/words.ts";
import { CardError } from "./card-error.tsx";
import { CardNote } from "./card-note.tsx";
import { CardNotes } from "./card-notes.tsx";
import { chosenAs, filtersOf } from "../cross-filter/choose-marks.ts";
import type { CardFilter } from "../cross-filter/use-cross-filters.ts";
import { type ChosenMark, MarkOffer } from "./mark-records.tsx";
import type { RecordsOf } from "../parts/queries.ts";
import { useChartWords } from "../parts/chart-words.ts";
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
  /** Filters the other cards beside it by its marks; absent where there are none. */
  filter?: CardFilter | undefined;
}

export function CardFace(props: CardFaceProps) {
  const { configuration, query } = props;
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
          <FaceBody {...props} answer={answer} />
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
  filter,
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
  return <Drawn {...{ name, configuration, answer, asTable, recordsOf, filter }} />;
}

/** The chart or its table, and below it what of the data it doesn't show. */
function Drawn({
  name,
  configuration,
  answer,
  asTable,
  recordsOf,
  filter,
}: {
  name: string;
  configuration: CardConfiguration;
  answer: CardData;
  asTable: boolean;
  recordsOf: RecordsOf | undefined;
  filter: CardFilter | undefined;
}) {
  const own = useOwnFilter(filter, configuration);
  const words = useChartWords({ records: recordsOf !== undefined, filter: own !== undefined });
  const [offered, setOffered] = useState<ChosenMark | null>(null);
  const onMark = useOnMark(recordsOf, own, setOffered);
  const choices = own && offered ? filtersOf(offered.mark.groups) : [];
  const model = useMemo(() => cardModel(configuration, answer, words), [configuration, answer, words]);
  const View = CARD_VIEWS[configuration.vizType];
  // A table has no axis that anything could go beyond.
  const notes = asTable ? model.notes.filter(({ code }) => code !== "rest_cut") : model.notes;
  return (
    <div className="ac-card-face__drawn">
      <div className="ac-card-face__chart">
        {asTable ? (
          <ModelTable model={modelTable(model)} words={words} onMark={onMark} chosen={own?.chosen} />
        ) : (
          <View name={name} card={configuration} data={answer} words={words} onMark={onMark} chosen={own?.chosen} />
        )}
      </div>
      <CardNotes notes={notes} />
      {offered ? (
        <MarkOffer
          chosen={offered}
          recordsOf={recordsOf}
          filter={own ? { choices, card: { configuration, data: answer }, choose: own.choose } : undefined}
          onClose={() => setOffered(null)}
        />
      ) : null}
    </div>
  );
}

/** The filter by marks of the card as it is now: those chosen before it was changed are none of its marks any more. */
function useOwnFilter(filter: CardFilter | undefined, card: CardConfiguration): CardFilter | undefined {
  return useMemo(
    () =>
      filter && groupsRows(card)
        ? {
            ...filter,
            chosen: filter.chosen.filter((mark) => isOfCard(mark, card)),
            choose: (mark, adds) => filter.choose(withFields(mark, card), adds),
          }
        : undefined,
    [filter, card],
  );
}

/** Whether marks of the card stand for some of the rows and not for all of them. */
function groupsRows(card: CardConfiguration): boolean {
  switch (cardShapeOf(card.vizType).kind) {
    case "chart":
      return true;
    case "number":
      return false;
    case "rows":
      return chosenColumns(card).some(({ column, aggregate }) => column !== ROW_COUNT && aggregate === undefined);
  }
}

/**
 * A mark opens what it leads to. One that filters the dashboard already is taken away by it; with Ctrl, Cmd or Shift it
 * is chosen besides others at once, as it is where there is nothing else to choose.
 */
function useOnMark(
  recordsOf: RecordsOf | undefined,
  filter: CardFilter | undefined,
  offer: (mark: ChosenMark) => void,
): OnMark | undefined {
  return useMemo(() => {
    if (!recordsOf && !filter) return undefined;
    return (target, at, adds) => {
      const { groups } = target.mark;
      const chosen = filter && chosenAs(filter.chosen, groups);
      const [first, ...more] = filter ? filtersOf(groups) : [];
      const isOnly = !recordsOf && more.length === 0;
      if (chosen) return filter?.remove(chosen);
      if (first && (adds || isOnly) && filter?.choose(sameColumns(first, more, filter.chosen), adds)) return;
      if (first || recordsOf) offer({ ...target, at, from: document.activeElement });
    };
  }, [recordsOf, filter, offer]);
}

/** What adds up with the marks that were chosen: one about the same columns, where there is one. */
const sameColumns = (first: FilterMark, more: readonly FilterMark[], chosen: readonly FilterMark[]): FilterMark => {
  const names = (mark: FilterMark | undefined): string => JSON.stringify(mark?.map(({ column }) => column).toSorted());
  return [first, ...more].find((one) => names(one) === names(chosen[0])) ?? first;
};

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
