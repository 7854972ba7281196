/** The chart of the card that is being made, asked for once its setup is complete. */
import { CARD_DEFINITIONS, newCard, problemsOfCard } from "@accord/cards/definitions";
import { type CardConfiguration, previewDataCard } from "@accord/contracts/insights/cards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { previewMarkRecords } from "@accord/contracts/insights/mark-records";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChartDots } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { endpointQuery, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { asGroup, completeOnly } from "../../../shared/predicate-builder/predicate.model.ts";
import { CardFace, type CardQuery } from "../cards/card-face.tsx";
import { CardNote } from "../cards/card-note.tsx";
import type { RecordsOf } from "../parts/queries.ts";

interface Preview {
  /** What is drawn: the card once typing has paused; null before a type is chosen. */
  configuration: CardConfiguration | null;
  query: CardQuery;
  recordsOf: RecordsOf | undefined;
}

/** @param dataset one being made in the wizard; null when the card's saved one is used. */
export function useCardPreview(card: CardConfiguration | null, dataset: DatasetConfig | null): Preview {
  const [settled] = useDebouncedValue(card, 250);
  const isComplete = settled !== null && problemsOfCard(settled).length === 0;
  const question = {
    datacard: { contents: { configuration: asked(settled ?? newCard(CARD_DEFINITIONS.COLUMN)) } },
    dataset: dataset ? { datasetConfig: dataset } : {},
  };
  const query = useEndpoint(
    previewDataCard,
    { body: question },
    { enabled: isComplete, placeholderData: keepPreviousData, retry: false },
  );
  const mayRead = useCan("READ_DATA_STUDIO");
  const isSettled = settled?.vizType === card?.vizType;
  // An answer to another question draws nothing sensible: the type may have changed meanwhile.
  const isAnswer = isComplete && (isSettled || query.isPlaceholderData);
  return {
    configuration: isSettled ? settled : card,
    query: { ...query, data: isAnswer ? query.data?.contents : undefined },
    recordsOf: mayRead ? (mark) => endpointQuery(previewMarkRecords, { body: { ...question, mark } }) : undefined,
  };
}

export function CardPreview({ preview: { configuration, query, recordsOf } }: { preview: Preview }) {
  const { t } = useWords("insights");
  return (
    <section className="ac-card-preview" aria-label={t("wizard.preview")}>
      <h2>{t("wizard.preview")}</h2>
      <div className="ac-card-preview__box">
        {configuration ? (
          <CardFace configuration={configuration} query={query} recordsOf={recordsOf} />
        ) : (
          <CardNote
            icon={<IconChartDots size={20} />}
            title={t("card.incomplete_config_title")}
            body={t("card.incomplete_config_body")}
          />
        )}
      </div>
    </section>
  );
}

/** Looks do not change what is asked, so that restyling keeps the answer. */
function asked(card: CardConfiguration): CardConfiguration {
  const plain = newCard(CARD_DEFINITIONS[card.vizType], card.datasetId);
  const { xaxis, yaxis, series, category, subCategory, value, columns, measure, dataField, variablesMap, vizLabel } =
    card;
  const { filter, top, rowOrder } = card;
  return {
    ...plain,
    xaxis,
    yaxis,
    series,
    category,
    subCategory,
    value,
    columns,
    measure,
    dataField,
    variablesMap,
    vizLabel,
    ...{ ranges: [], top, rowOrder },
    // Conditions that are still being written filter nothing.
    ...(filter ? { filter: completeOnly(asGroup(filter)) } : {}),
  };
}
