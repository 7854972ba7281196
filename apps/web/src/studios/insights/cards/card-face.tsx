/** A card's chart in every state: loading, failed, incomplete, empty, drawn; as a chart or as a table. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { CARD_VIEWS, dataTableModel, ModelTable } from "@accord/cards/views";
import { problemsOfCard } from "@accord/cards/definitions";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconChartDots, IconMoodEmpty } from "@tabler/icons-react";
import { Component, type ReactNode, useMemo } from "react";
import { wordsOf } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import "./cards.css";

export interface CardQuery {
  data?: { data: CardData } | undefined;
  error: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

export interface CardFaceProps {
  configuration: CardConfiguration;
  query: CardQuery;
  asTable?: boolean;
  /** The label to show when the answer's own is not there yet. */
  label?: string;
}

export function CardFace({ configuration, query, asTable = false }: CardFaceProps) {
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
          <FaceBody configuration={configuration} query={query} answer={answer} asTable={asTable} />
        </ChartBoundary>
      </div>
      {configuration.vizLabelPosition === "BOTTOM" ? caption : null}
    </div>
  );
}

function FaceBody({ configuration, query, answer, asTable }: CardFaceProps & { answer: CardData | undefined }) {
  const { t } = useWords("insights");
  const words = useMemo(() => ({ other: t("card.other"), blank: t("card.blank"), total: t("card.total") }), [t]);
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
      <CardNote icon={<IconAlertTriangle size={20} />} title={t("card.error_getting_data")} body={wordsOf(query.error)}>
        <Button size="xs" variant="default" onClick={() => void query.refetch()}>
          {t("card.retry")}
        </Button>
      </CardNote>
    ) : (
      <div className="ac-card-face__loading" aria-busy="true" />
    );
  if (answer.rows.length === 0)
    return (
      <CardNote icon={<IconMoodEmpty size={20} />} title={t("card.no_data_title")} body={t("card.no_data_body")} />
    );
  if (asTable) return <ModelTable model={dataTableModel(configuration, answer, words.other)} />;
  const View = CARD_VIEWS[configuration.vizType];
  return <View card={configuration} data={answer} words={words} />;
}

function CardNote({
  icon,
  title,
  body,
  children,
}: {
  icon: ReactNode;
  title: string;
  body: string;
  children?: ReactNode;
}) {
  return (
    <div className="ac-card-note">
      {icon}
      <strong>{title}</strong>
      <span>{body}</span>
      {children}
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
