/** Some values of a dataset's text columns, read with the caller's rights when they ask for it. */
import { newCard, CARD_DEFINITIONS } from "@accord/cards/definitions";
import type { QuestionSource } from "@accord/cards/questions";
import { id } from "@accord/contracts";
import { ASSISTANT_LIMITS } from "@accord/contracts/insights/card-assistant";
import type { Ctx } from "../../../platform/ctx.ts";
import type { CardsService } from "../cards/index.ts";

const MAX_COLUMNS = 20;

export async function withSamples(ctx: Ctx, cards: CardsService, source: QuestionSource): Promise<QuestionSource> {
  ctx.demand("PREVIEW_DATACARD");
  const texts = source.columns.filter(({ dataType }) => dataType === "string").slice(0, MAX_COLUMNS);
  if (texts.length === 0) return source;
  const datasetId = id("dataset").parse(source.source.id);
  const configuration = {
    ...newCard(CARD_DEFINITIONS.TABLE, datasetId),
    top: ASSISTANT_LIMITS.sampleRows,
    columns: texts.map(({ name, displayName }) => ({
      column: name,
      name,
      displayName,
      displayFormat: "text" as const,
    })),
  };
  const { data } = await cards.preview(ctx, { datacard: { contents: { configuration } }, dataset: { id: datasetId } });
  const samples = new Map(
    texts.map(({ name }, at) => {
      const values = new Set(
        data.rows.flatMap((row) => {
          const value = row[`c${at}`];
          const isShort =
            typeof value === "string" && value.trim() !== "" && value.length <= ASSISTANT_LIMITS.sampleLength;
          return isShort ? [value] : [];
        }),
      );
      return [name, [...values].slice(0, ASSISTANT_LIMITS.samples)];
    }),
  );
  return { ...source, samples };
}
