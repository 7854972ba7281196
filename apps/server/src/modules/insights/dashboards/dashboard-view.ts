/** What a dashboard shows: its cards as they are drawn, and their data. Staff and guests see it through here alike. */
import { type Catalogue, type DatasetFilter, variablesOf } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { CrossFilters, Unfiltered } from "@accord/contracts/insights/cross-filter";
import type { Dashboard } from "@accord/contracts/insights/dashboards";
import type { CardMark, MarkRecords } from "@accord/contracts/insights/mark-records";
import type { Variable, VariableValues } from "@accord/contracts/insights/variables";
import { AppError } from "../../../platform/http/app-error.ts";
import type { CardsService, CardViewer } from "../cards/index.ts";
import type { DatasetsService } from "../datasets/index.ts";
import { findFilters, type PlacedQuestion } from "./cross-filters.ts";
import type { PublicationsService } from "./publications.service.ts";
import type { PublishedCard } from "./publications.store.ts";

export interface ShownCard {
  id: Id<"dataCard">;
  displayName: string;
  description: string;
  configuration: CardConfiguration;
  variables: Variable[];
}

export interface CardDataRequest extends CardViewer {
  cardId: string;
  /** Values chosen by whoever looks. */
  values: VariableValues;
  /** Values of variables that are not updatable are not looked at; filters are by values that the cards show. */
  onlyUpdatable: boolean;
  /** By marks of the other cards. */
  filters: CrossFilters;
  refresh: boolean;
}

export type DashboardView = ReturnType<typeof dashboardView>;

interface ViewNeeds {
  cards: CardsService;
  datasets: DatasetsService;
  publications: PublicationsService;
}

interface Content {
  cards: readonly PublishedCard[];
  catalogue: Catalogue;
}

interface FilteredQuestion extends PlacedQuestion {
  instanceId: Id<"instance">;
  filters: DatasetFilter[];
}

export function dashboardView({ cards, datasets, publications }: ViewNeeds) {
  /** The cards of a dashboard and the catalogue their datasets are found in: a published one shows its own copy of both. */
  async function contentOf(instanceId: Id<"instance">, dashboard: Dashboard): Promise<Content> {
    if (dashboard.draftStatus === "APPROVED") {
      const publication = await publications.read(instanceId, dashboard.id);
      return {
        cards: publication.cards,
        catalogue: await datasets.catalogueWith(instanceId, publication.datasets),
      };
    }
    const [current, catalogue] = await Promise.all([
      publications.currentDefinitions(instanceId, dashboard),
      datasets.catalogue(instanceId),
    ]);
    return { cards: current.cards, catalogue };
  }

  /** What a card asks on a dashboard, with the values that its variables have there. */
  function placedQuestion(
    { cards: placed, catalogue }: Content,
    dashboard: Dashboard,
    { cardId, values, onlyUpdatable }: Pick<CardDataRequest, "cardId" | "values" | "onlyUpdatable">,
  ): PlacedQuestion {
    const configuration = placed.find(({ id }) => id === cardId)?.configuration;
    if (!configuration) throw new AppError("not_found", { what: "Data card" });
    const dataset = catalogue.dataset(configuration.datasetId)?.config;
    if (!dataset) throw new AppError("not_found", { what: "Dataset" });
    const chosen = onlyUpdatable ? updatableValues(variablesOf(dataset, catalogue), values) : values;
    return { configuration, dataset, catalogue, values: [chosen, settingsOf(dashboard, cardId)] };
  }

  /** The same with what it is filtered by, and what it can't be filtered by. */
  async function questionOf(
    instanceId: Id<"instance">,
    dashboard: Dashboard,
    request: Omit<CardDataRequest, "refresh">,
  ): Promise<{ question: FilteredQuestion; unfiltered: Unfiltered[] }> {
    const { cardId, filters, principal, permissionVersion, caller } = request;
    const content = await contentOf(instanceId, dashboard);
    const question = placedQuestion(content, dashboard, request);
    const viewer = { principal, permissionVersion, caller };
    const found = await findFilters({
      filters,
      cardId,
      question,
      questionOf: async (other) => placedQuestion(content, dashboard, { ...request, cardId: other }),
      shownTo: request.onlyUpdatable
        ? async (other, before) =>
            (await cards.answer({ instanceId, ...other, filters: before, ...viewer, refresh: false })).data
        : null,
    });
    return { question: { instanceId, ...question, filters: found.filters }, unfiltered: found.unfiltered };
  }

  return {
    /** The cards with everything needed to draw them. */
    async cardsOf(instanceId: Id<"instance">, dashboard: Dashboard): Promise<ShownCard[]> {
      const content = await contentOf(instanceId, dashboard);
      return content.cards.map(({ id, displayName, description, configuration }) => ({
        id,
        displayName,
        description,
        configuration,
        variables: datasetVariables(content.catalogue, configuration.datasetId),
      }));
    },

    /** @throws AppError `not_found` for a card that does not stand on the dashboard. */
    async cardData(
      instanceId: Id<"instance">,
      dashboard: Dashboard,
      request: CardDataRequest,
    ): Promise<{ data: CardData; unfiltered: Unfiltered[] }> {
      const { principal, permissionVersion, caller, refresh } = request;
      const { question, unfiltered } = await questionOf(instanceId, dashboard, request);
      const { data } = await cards.answer({ ...question, principal, permissionVersion, caller, refresh });
      return { data, unfiltered };
    },

    /** @throws AppError `not_found` for a card that does not stand on the dashboard. */
    async markRecords(
      instanceId: Id<"instance">,
      dashboard: Dashboard,
      request: Omit<CardDataRequest, "refresh"> & { mark: CardMark },
    ): Promise<MarkRecords> {
      const { caller, mark } = request;
      const { question } = await questionOf(instanceId, dashboard, request);
      return cards.findMarkRecords({ ...question, caller, mark });
    },
  };
}

const datasetVariables = (catalogue: Catalogue, datasetId: string): Variable[] => {
  const dataset = catalogue.dataset(datasetId);
  return dataset ? variablesOf(dataset.config, catalogue) : [];
};

function updatableValues(variables: readonly Variable[], values: VariableValues): VariableValues {
  const names = new Set(variables.filter(({ updatable }) => updatable).map(({ apiName }) => apiName));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}

/** A card's settings on a dashboard: its own, over what the dashboard's variables set by default. */
function settingsOf(dashboard: Pick<Dashboard, "dataCards" | "variables">, cardId: string): VariableValues {
  const settings: VariableValues = {};
  for (const { variable, mappings } of dashboard.variables)
    for (const { dataCardId, apiName } of mappings) {
      const value = variable.variableDefaultValue?.defaultValue;
      if (dataCardId === cardId && value !== undefined) settings[apiName] = value;
    }
  return { ...settings, ...dashboard.dataCards.find(({ id }) => id === cardId)?.variablesMap };
}
