/** How a dashboard's working state differs from its published version: cards, places, settings, datasets. Pure. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import type { ChangedPart, UnpublishedChange } from "@accord/contracts/insights/dashboard-changes";
import type { Dashboard, DashboardCard } from "@accord/contracts/insights/dashboards";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";

export interface CardDefinition {
  id: string;
  displayName: string;
  description: string;
  configuration: CardConfiguration;
}

export interface DatasetDefinition {
  id: string;
  name: string;
  displayName: string;
  config: DatasetConfig;
}

export type DashboardWords = Pick<Dashboard, "id" | "displayName" | "description" | "tags" | "dataCards" | "variables">;

/** A dashboard with the definitions of its cards and of the datasets below them. */
export interface DashboardContents {
  dashboard: DashboardWords;
  cards: readonly CardDefinition[];
  datasets: readonly DatasetDefinition[];
}

export function dashboardChanges(published: DashboardContents, current: DashboardContents): UnpublishedChange[] {
  const words = wordsChanged(published.dashboard, current.dashboard);
  const { id, displayName } = current.dashboard;
  return [
    ...(words.length === 0
      ? []
      : [{ kind: "dashboard" as const, id, displayName, change: "updated" as const, parts: words }]),
    ...cardChanges(published, current),
    ...datasetChanges(published.datasets, current.datasets),
  ];
}

export const sameCard = (one: CardDefinition, other: CardDefinition): boolean =>
  same(
    [one.displayName, one.description, one.configuration],
    [other.displayName, other.description, other.configuration],
  );

export const sameDataset = (one: DatasetDefinition, other: DatasetDefinition): boolean =>
  same([one.displayName, one.config], [other.displayName, other.config]);

function wordsChanged(before: DashboardWords, after: DashboardWords): ChangedPart[] {
  return [
    ...named("displayName", before.displayName, after.displayName),
    ...differs("description", before.description, after.description),
    ...differs("tags", before.tags, after.tags),
    ...differs("dashboardVariables", before.variables, after.variables),
  ];
}

function cardChanges(published: DashboardContents, current: DashboardContents): UnpublishedChange[] {
  const places = { before: byId(published.dashboard.dataCards), after: byId(current.dashboard.dataCards) };
  const cards = { before: byId(published.cards), after: byId(current.cards) };
  const datasetName = (id: string): string =>
    [...current.datasets, ...published.datasets].find((one) => one.id === id)?.displayName ?? "";
  const ids = new Set([...places.before.keys(), ...places.after.keys()]);
  return [...ids].flatMap((id): UnpublishedChange[] => {
    const [placedBefore, placedAfter] = [places.before.get(id), places.after.get(id)];
    const [before, after] = [cards.before.get(id), cards.after.get(id)];
    const displayName = (after ?? before)?.displayName ?? "";
    const entry = { kind: "dataCard" as const, id, displayName, parts: [] };
    if (!before) return after && placedAfter ? [{ ...entry, change: "added" }] : [];
    if (!placedAfter) return placedBefore ? [{ ...entry, change: "removed" }] : [];
    if (!after) return [{ ...entry, change: "deleted" }];
    const parts = [
      ...(placedBefore ? placeParts(placedBefore, placedAfter) : []),
      ...cardParts(before, after, datasetName),
    ];
    return parts.length === 0 ? [] : [{ ...entry, change: "updated", parts }];
  });
}

function placeParts(before: DashboardCard, after: DashboardCard): ChangedPart[] {
  const [from, to] = [before.layout, after.layout];
  return [
    ...differs("position", [from.x, from.y], [to.x, to.y]),
    ...differs("size", [from.w, from.h], [to.w, to.h]),
    ...differs("settings", before.variablesMap ?? {}, after.variablesMap ?? {}),
  ];
}

function cardParts(before: CardDefinition, after: CardDefinition, datasetName: (id: string) => string): ChangedPart[] {
  const [from, to] = [before.configuration, after.configuration];
  return [
    ...named("displayName", before.displayName, after.displayName),
    ...differs("description", before.description, after.description),
    ...named("vizType", from.vizType, to.vizType),
    ...(from.datasetId === to.datasetId
      ? []
      : named("dataset", datasetName(from.datasetId), datasetName(to.datasetId))),
    ...differs("shownColumns", shown(from), shown(to)),
    ...differs("label", labels(from), labels(to)),
    ...differs("legend", legend(from), legend(to)),
    ...differs("ranges", from.ranges, to.ranges),
    ...differs("cardVariables", from.variablesMap, to.variablesMap),
    ...differs("appearance", appearance(from), appearance(to)),
  ];
}

const shown = ({
  xaxis,
  yaxis,
  series,
  category,
  subCategory,
  value,
  columns,
  measure,
  dataField,
}: CardConfiguration) =>
  [xaxis, yaxis, series, category, subCategory, value, columns, measure, dataField].map((one) => one ?? null);
/** Whatever no other part names: colours, stacking, order. */
const appearance = (configuration: CardConfiguration) => ({
  ...configuration,
  ...{ vizType: null, datasetId: null, ranges: null, variablesMap: null, legendPosition: null, legendVisible: null },
  ...{ vizLabel: null, vizLabelVisible: null, vizLabelPosition: null, labelVisible: null, labelPosition: null },
  ...{ xaxis: null, yaxis: null, series: null, category: null, subCategory: null, value: null, columns: null },
  ...{ measure: null, dataField: null },
});
const labels = ({ vizLabel, vizLabelVisible, vizLabelPosition, labelVisible, labelPosition }: CardConfiguration) => [
  vizLabel,
  vizLabelVisible,
  vizLabelPosition,
  labelVisible,
  labelPosition ?? null,
];
const legend = ({ legendPosition, legendVisible }: CardConfiguration) => [legendPosition, legendVisible];

/** A dataset that no card stands on any more, or that a card stands on anew, is the change of that card. */
function datasetChanges(
  before: readonly DatasetDefinition[],
  after: readonly DatasetDefinition[],
): UnpublishedChange[] {
  const now = byId(after);
  return before.flatMap((published): UnpublishedChange[] => {
    const current = now.get(published.id);
    if (!current || sameDataset(published, current)) return [];
    const { id, displayName } = current;
    const parts = datasetParts(published, current);
    return [{ kind: "dataset", id, displayName, change: "updated", parts }];
  });
}

function datasetParts(before: DatasetDefinition, after: DatasetDefinition): ChangedPart[] {
  const [from, to] = [before.config, after.config];
  const parts = [
    ...named("displayName", before.displayName, after.displayName),
    ...differs("sources", [from.sources, from.sql ?? null], [to.sources, to.sql ?? null]),
    ...differs("joins", from.joins, to.joins),
    ...items("column", columnsOf(from), columnsOf(to)),
    ...differs("filter", from.filter ?? null, to.filter ?? null),
    ...differs("grouping", [from.group, from.groupBy], [to.group, to.groupBy]),
    ...differs("having", from.having ?? null, to.having ?? null),
    ...differs("sort", from.sort, to.sort),
    ...named("limit", String(from.limit ?? ""), String(to.limit ?? "")),
    ...items("variable", variablesIn(from), variablesIn(to)),
  ];
  return parts.length === 0 ? [{ part: "datasetOther" }] : parts;
}

interface Item {
  id: string;
  displayName: string;
  content: unknown;
}

const columnsOf = ({ selectedFields, calculatedFields }: DatasetConfig): Item[] => [
  ...selectedFields.map((field) => ({ id: field.alias, displayName: field.displayName, content: field })),
  ...calculatedFields.map((field) => ({ id: field.aliasName, displayName: field.displayName, content: field })),
];

const variablesIn = ({ variables, variablesMap }: DatasetConfig): Item[] =>
  variables.map((variable) => ({
    id: variable.apiName,
    displayName: variable.displayName,
    content: [variable, variablesMap[variable.apiName] ?? null],
  }));

/** Columns or variables that came, went or changed, each by the name people know. */
function items(kind: "column" | "variable", before: readonly Item[], after: readonly Item[]): ChangedPart[] {
  const [old, now] = [byId(before), byId(after)];
  return [
    ...before
      .filter(({ id }) => !now.has(id))
      .map((one): ChangedPart => ({
        part: `${kind}Removed`,
        name: one.displayName,
      })),
    ...after.flatMap((one): ChangedPart[] => {
      const known = old.get(one.id);
      if (!known) return [{ part: `${kind}Added`, name: one.displayName }];
      return same(known.content, one.content) ? [] : [{ part: `${kind}Changed`, name: one.displayName }];
    }),
  ];
}

const byId = <Item extends { id: string }>(list: readonly Item[]): Map<string, Item> =>
  new Map(list.map((one) => [one.id, one]));

const differs = (part: ChangedPart["part"], before: unknown, after: unknown): ChangedPart[] =>
  same(before, after) ? [] : [{ part }];

const named = (part: ChangedPart["part"], before: string, after: string): ChangedPart[] =>
  before === after ? [] : [{ part, before, after }];

/** Equal as JSON, whatever the order of keys: the database keeps its own. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
