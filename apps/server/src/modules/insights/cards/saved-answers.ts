/** What saved cards show by themselves: to people who look at them, and to their alerts. */
import type { Id } from "@accord/contracts";
import type { VariableValues } from "@accord/contracts/insights/variables";
import type { Ctx } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { DatasetsService } from "../datasets/index.ts";
import type { AnswerCard } from "./card-data.ts";
import { type CardViewer, cardViewer } from "./card-viewer.ts";
import type { StoredCard } from "./cards.store.ts";

interface Parts {
  datasets: DatasetsService;
  answer: AnswerCard;
  read(at: Id<"instance">, id: Id<"dataCard">): Promise<StoredCard>;
}
interface Options {
  values: VariableValues;
  refresh: boolean;
}

export function savedAnswers({ datasets, answer, read }: Parts) {
  async function answerSaved(
    instanceId: Id<"instance">,
    id: Id<"dataCard">,
    options: Options & { viewer: CardViewer },
  ) {
    const { configuration } = (await read(instanceId, id)).contents;
    if (configuration.datasetId === "") throw new AppError("not_found", { what: "Dataset" });
    const { datasetConfig } = await datasets.read(instanceId, configuration.datasetId);
    const { variables, data } = await answer({
      instanceId,
      configuration,
      dataset: datasetConfig,
      catalogue: await datasets.catalogue(instanceId),
      values: [options.values],
      ...options.viewer,
      refresh: options.refresh,
    });
    return { configuration, variables, data };
  }

  return {
    answerSaved,
    /** The data of a saved card by itself; on a dashboard it answers through the dashboard. */
    data: (ctx: Ctx, id: Id<"dataCard">, options: Options) =>
      answerSaved(ctx.instanceId, id, { ...options, viewer: cardViewer(ctx) }),
  };
}
