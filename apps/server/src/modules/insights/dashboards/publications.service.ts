/** What a published dashboard shows: the copy made of its cards and datasets when it was published. */
import type { Id } from "@accord/contracts";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import type { PublishedUse } from "@accord/contracts/insights/datasets";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { CardsService } from "../cards/index.ts";
import { type DatasetsService, usesEntity } from "../datasets/index.ts";
import type { SchemaService } from "../../data/schema/index.ts";
import type { ShareCounts } from "./dashboard-base.ts";
import type { Written } from "./dashboards.store.ts";
import * as store from "./publications.store.ts";

type InstanceId = Id<"instance">;
export type PublicationsService = ReturnType<typeof publicationsService>;

export interface PublicationsNeeds {
  cards: CardsService;
  datasets: DatasetsService;
  schema: Pick<SchemaService, "addUses">;
  shareCounts: ShareCounts;
}

export function publicationsService(
  { appDb }: Pick<Deps, "appDb">,
  { cards, datasets, schema, shareCounts }: PublicationsNeeds,
) {
  async function holding(instanceId: InstanceId, definition: store.Definition): Promise<PublishedUse[]> {
    const [found, shares] = await Promise.all([
      store.publicationsHolding(appDb, instanceId, definition),
      shareCounts.count(instanceId),
    ]);
    return found.map((one) => ({ ...one, shares: shares.get(one.id) ?? 0 }));
  }
  cards.findPublishedUses((instanceId, id) => holding(instanceId, { kind: "cards", id }));
  datasets.findPublishedUses((instanceId, id) => holding(instanceId, { kind: "datasets", id }));
  schema.addUses(async (instanceId, entity, field) =>
    (await store.readPublications(appDb, instanceId))
      .filter((one) => one.datasets.some(({ config }) => usesEntity(config, entity.id, field?.apiName)))
      .map(({ id, displayName }) => ({
        kind: "dashboard" as const,
        name: `Published dashboard ${displayName}`,
        href: `/insights-studio/${id}`,
      })),
  );

  /** The cards as they are now, with the datasets they stand on and those below. */
  async function currentDefinitions(
    instanceId: InstanceId,
    { dataCards }: { dataCards: readonly Pick<DashboardCard, "id">[] },
  ): Promise<store.Publication> {
    const placed = await cards.readMany(
      instanceId,
      dataCards.map(({ id }) => id),
    );
    const below = await datasets.readWithSources(
      instanceId,
      placed.map(({ contents }) => contents.configuration.datasetId),
    );
    return {
      cards: placed.map(({ id, displayName, description, version, contents: { configuration } }) => ({
        ...{ id, displayName, description, version, configuration },
      })),
      datasets: below.map(({ id, name, displayName, version, datasetConfig: config }) => ({
        ...{ id, name, displayName, version, config },
      })),
    };
  }

  async function read(instanceId: InstanceId, dashboardId: string): Promise<store.Publication> {
    return (await store.readPublication(appDb, instanceId, dashboardId)) ?? { cards: [], datasets: [] };
  }

  return {
    read,
    currentDefinitions,
    cardTypes: (instanceId: InstanceId) => store.readPublishedTypes(appDb, instanceId),

    /** Copies what the dashboard's cards are now into its published version. */
    async write(
      db: Db,
      instanceId: InstanceId,
      dashboardId: string,
      { dataCards, ...written }: Pick<Dashboard, "dataCards"> & Written,
    ): Promise<void> {
      const definitions = await currentDefinitions(instanceId, { dataCards });
      await store.writePublication(db, instanceId, dashboardId, { ...definitions, ...written });
    },
  };
}
