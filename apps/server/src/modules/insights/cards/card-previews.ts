/** What a card that may not be saved yet shows, and the records behind its marks. */
import type { CardPreview } from "@accord/contracts/insights/cards";
import type { CardMark, MarkRecords } from "@accord/contracts/insights/mark-records";
import type { Ctx } from "../../../platform/ctx.ts";
import { invalidField } from "../../../platform/http/app-error.ts";
import type { DatasetsService } from "../datasets/index.ts";
import type { AnswerCard, CardAnswer } from "./card-data.ts";
import { cardViewer } from "./card-viewer.ts";
import type { FindMarkRecords } from "./mark-records.ts";

interface Parts {
  datasets: DatasetsService;
  answer: AnswerCard;
  findMarkRecords: FindMarkRecords;
}

export function cardPreviews({ datasets, answer, findMarkRecords }: Parts) {
  /** What a card that may not be saved yet asks of which dataset. */
  async function previewed(ctx: Ctx, { datacard, dataset: { id, datasetConfig } }: CardPreview) {
    const { configuration } = datacard.contents;
    const named = [id, configuration.datasetId].flatMap((one) => (one ? [one] : []));
    // Both are looked up, so that neither can name another instance's dataset; the one beside the card wins.
    const [saved] = await Promise.all(named.map((one) => datasets.read(ctx.instanceId, one)));
    const dataset = datasetConfig ? await datasets.complete(ctx, datasetConfig, id) : saved?.datasetConfig;
    if (!dataset) throw invalidField("datasetId", "Select existing Data set cannot be empty.");
    const catalogue = await datasets.catalogue(ctx.instanceId);
    return { instanceId: ctx.instanceId, configuration, dataset, catalogue, values: [] };
  }

  return {
    preview: async (ctx: Ctx, body: CardPreview): Promise<CardAnswer> =>
      answer({ ...(await previewed(ctx, body)), ...cardViewer(ctx), refresh: false }),

    async previewMarkRecords(ctx: Ctx, { mark, ...body }: CardPreview & { mark: CardMark }): Promise<MarkRecords> {
      return findMarkRecords({ ...(await previewed(ctx, body)), ...cardViewer(ctx), mark });
    },
  };
}
