/** The words that charts say by themselves, in the language of the page. */
import type { ChartWords } from "@accord/cards/views";
import { formatNumber } from "@accord/cards/definitions";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";

/** What is offered at the marks of a card. */
export interface MarkOffers {
  records: boolean;
  filter: boolean;
}
const RECORDS: MarkOffers = { records: true, filter: false };

export function useChartWords({ records, filter }: MarkOffers = RECORDS): ChartWords {
  const { t } = useWords("insights");
  return useMemo(
    () => ({
      other: t("card.other"),
      otherOf: (count) => t("card.otherOf", { number: formatNumber(count) }),
      blank: t("card.blank"),
      emptyText: t("card.emptyText"),
      total: t("card.total"),
      reference: t("card.reference"),
      records: (label) => (records ? t("records.of", { label }) : t("mark.of", { label })),
      kindOf: (type) => t(`cardType.${type}.kind`),
      keys: t("chart.keys"),
      enter: filter ? t("chart.enterFilter") : t("chart.enter"),
      addedUp: t("chart.addedUp"),
      noValue: t("chart.noValue"),
      noRows: t("chart.noRows"),
      chosen: t("chart.chosen"),
      noRecords: records ? t("chart.noRecords") : t("chart.noMark"),
      notOffered: t("chart.notOffered"),
      more: (count) => t("card.more", { number: formatNumber(count) }),
    }),
    [t, records, filter],
  );
}
