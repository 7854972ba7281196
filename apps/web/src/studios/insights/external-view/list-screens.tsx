/** Dashboards, datasets and data cards of the external product, and a search over all of them. */
import {
  listExternalDashboards,
  listExternalDataCards,
  listExternalDatasets,
} from "@accord/contracts/insights/external-view";
import { EmptyState, SearchBox, TableSkeleton, Toolbar } from "@accord/ui";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { AccessProblem } from "./access-problem.tsx";
import { ExternalLayout, type Product } from "./external-layout.tsx";
import { ExternalList, fitsText, ItemTable, type ListKind, Unlisted } from "./external-list.tsx";
import { ExternalSearch } from "./external-search-schema.ts";

/** The product is not asked again by each look at the window. */
const SELDOM = { staleTime: 60_000, refetchOnWindowFocus: false, retry: false } as const;

function Dashboards({ product }: { product: Product }) {
  return <ExternalList kind="dashboards" product={product} query={useEndpoint(listExternalDashboards, {}, SELDOM)} />;
}
function Datasets({ product }: { product: Product }) {
  return <ExternalList kind="datasets" product={product} query={useEndpoint(listExternalDatasets, {}, SELDOM)} />;
}
function DataCards({ product }: { product: Product }) {
  return <ExternalList kind="datacards" product={product} query={useEndpoint(listExternalDataCards, {}, SELDOM)} />;
}

export function ExternalDashboardsScreen() {
  const { t } = useWords("insights");
  return (
    <ExternalLayout tab="dashboards" title={t("external.tabs.dashboards")}>
      {(product) => <Dashboards product={product} />}
    </ExternalLayout>
  );
}

export function ExternalDatasetsScreen() {
  const { t } = useWords("insights");
  return (
    <ExternalLayout tab="datasets" title={t("external.tabs.datasets")}>
      {(product) => <Datasets product={product} />}
    </ExternalLayout>
  );
}

export function ExternalDataCardsScreen() {
  const { t } = useWords("insights");
  return (
    <ExternalLayout tab="datacards" title={t("external.tabs.datacards")}>
      {(product) => <DataCards product={product} />}
    </ExternalLayout>
  );
}

export function ExternalSearchScreen() {
  const { t } = useWords("insights");
  return (
    <ExternalLayout tab="search" title={t("external.tabs.search")}>
      {(product) => (product.hasLists ? <Search product={product} /> : <Unlisted name={product.name} />)}
    </ExternalLayout>
  );
}

function Search({ product }: { product: Product }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { q = "" } = ExternalSearch.parse(useSearch({ strict: false }));
  return (
    <>
      <Toolbar>
        <SearchBox
          value={q}
          width={360}
          placeholder={t("external.searchLabel")}
          onChange={(text) => void navigate({ to: ".", search: { q: text || undefined }, replace: true })}
        />
      </Toolbar>
      {q.trim() === "" ? (
        <EmptyState
          icon={<IconSearch size={22} />}
          title={t("external.searchTitle", { name: product.name })}
          body={t("external.searchStart")}
        />
      ) : (
        <Results text={q} product={product} />
      )}
    </>
  );
}

function Results({ text, product }: { text: string; product: Product }) {
  const { t } = useWords("insights");
  const mayDatasets = useCan("READ_INSIGHTS");
  const mayCards = useCan("VIEW_DATACARD");
  const lists = [
    { kind: "dashboards", query: useEndpoint(listExternalDashboards, {}, SELDOM) },
    { kind: "datasets", query: useEndpoint(listExternalDatasets, {}, { ...SELDOM, enabled: mayDatasets }) },
    { kind: "datacards", query: useEndpoint(listExternalDataCards, {}, { ...SELDOM, enabled: mayCards }) },
  ] as const satisfies readonly { kind: ListKind; query: object }[];
  // One that may not be asked is not waited for.
  if (lists.some(({ query }) => query.isLoading)) return <TableSkeleton columns={3} />;
  const failed = lists.filter(({ query }) => query.error);
  const [first] = failed;
  const found = lists.map(({ kind, query }) => ({
    kind,
    items: query.data?.items.filter((item) => fitsText(text, item)) ?? [],
  }));
  return (
    <>
      {first?.query.error ? (
        <AccessProblem error={first.query.error} onRetry={() => failed.forEach(({ query }) => void query.refetch())} />
      ) : null}
      {found.every(({ items }) => items.length === 0) && !first ? (
        <EmptyState icon={<IconSearchOff size={22} />} title={t("external.searchNone", { text: text.trim() })} />
      ) : null}
      {found.map(({ kind, items }) =>
        items.length === 0 ? null : (
          <section key={kind} className="ac-external__found" aria-labelledby={`found-${kind}`}>
            <h2 id={`found-${kind}`}>{t(`external.tabs.${kind}`)}</h2>
            <ItemTable kind={kind} label={t(`external.listed.${kind}`, { name: product.name })} items={items} />
          </section>
        ),
      )}
    </>
  );
}
