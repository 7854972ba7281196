/** Reads the statements of several datasets one after the other: what then resolves all of them at once finds them read. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Catalogue, DatasetError, resolveDataset } from "@accord/analytics-engine";

/** Each may read many statements, up to a fifth of a second: everybody else is answered in between. */
export async function resolveInTurns(datasetIds: readonly string[], catalogue: Catalogue): Promise<void> {
  for (const datasetId of datasetIds) {
    const dataset = catalogue.dataset(datasetId);
    if (!dataset) continue;
    try {
      resolveDataset(dataset.config, catalogue, { datasetId });
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
    }
    await nextTurn();
  }
}
