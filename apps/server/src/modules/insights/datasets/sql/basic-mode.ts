/** The way between the two modes of a dataset: from the basic one to SQL, and back where SQL says nothing more. */
import { basicAsSql } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import { DATASET_LIMITS, type DatasetConfig } from "@accord/contracts/insights/dataset-config";
import type { SqlProblem } from "@accord/contracts/insights/dataset-sql";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../../platform/deps.ts";
import { mapDatasetErrors } from "../../engine/index.ts";
import { TIME_ZONE } from "../dataset-config.ts";
import { foldName } from "../../sql-gate/index.ts";
import { resolveInTurns } from "../resolve-in-turns.ts";
import type { StoredDatasets } from "../stored-datasets.ts";
import { sqlAsBasic } from "./sql-as-basic.ts";

type At = Id<"instance">;
export type BasicMode = ReturnType<typeof basicMode>;

export function basicMode({ clock }: Pick<Deps, "clock">, stored: StoredDatasets) {
  return {
    async asSql(at: At, config: DatasetConfig, datasetId?: Id<"dataset">): Promise<{ sql: string; notes: string[] }> {
      const { catalogue, sources } = await stored.sqlSources(at, datasetId);
      const ids = config.sources.map((one) => one.datasetId);
      await resolveInTurns(ids, catalogue);
      const nameOf = (id: string) => sources.find((one) => one.datasetId === id)?.datasourceAlias;
      const printing = { timeZone: TIME_ZONE, now: clock.now().getTime() };
      const { sql, fixedVariables } = mapDatasetErrors(() => basicAsSql(config, catalogue, nameOf, printing));
      const { sqlNote } = insights;
      const blank = config.variables.find(({ apiName, required }) => !required && sql.includes(`{{${apiName}}}`));
      const notes = fixedVariables.map((name) => fill(sqlNote.fixed_variable, { name }));
      if (blank) notes.push(fill(sqlNote.blank_variable, { token: `{{${blank.apiName}}}` }));
      return { sql, notes };
    },

    async asBasic(
      at: At,
      config: DatasetConfig,
      datasetId?: Id<"dataset">,
    ): Promise<{ datasetConfig?: DatasetConfig; problems: SqlProblem[] }> {
      const { catalogue, sources } = await stored.sqlSources(at, datasetId);
      const text = foldName(config.sql ?? "");
      const named = sources.filter(({ datasourceAlias }) => text.includes(foldName(datasourceAlias)));
      const ids = named.slice(0, DATASET_LIMITS.sources).map((one) => one.datasetId);
      await resolveInTurns(ids, catalogue);
      return sqlAsBasic(config, { catalogue, sources });
    },
  };
}
