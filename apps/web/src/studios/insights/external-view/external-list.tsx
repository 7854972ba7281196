/** A list of the external product: searched here, each row leading to its own screen. */
import type { ReplyOf } from "@accord/contracts";
import type { ExternalItem, listExternalDashboards } from "@accord/contracts/insights/external-view";
import { DataTable, EmptyState, RelativeTime, SearchBox, TableSkeleton, Toolbar } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconDatabaseOff, IconListSearch } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { UseQueryResult } from "@tanstack/react-query";
import { useWords } from "../../../app/words.ts";
import { AccessProblem } from "./access-problem.tsx";
import { ExternalSearch } from "./external-search-schema.ts";
import type { Product } from "./external-layout.tsx";

export type ListKind = "dashboards" | "datasets" | "datacards";
type List = ReplyOf<typeof listExternalDashboards>;

/** Where the screens of one item are. */
export const ITEM_ADDRESS = {
  dashboards: "/insights-studio/ts/dashboards/$key",
  datasets: "/insights-studio/ts/datasets/$key",
  datacards: "/insights-studio/ts/datacards/$key",
} as const;

export const fitsText = (text: string, { name, description, id }: ExternalItem): boolean =>
  `${name} ${description} ${id}`.toLowerCase().includes(text.trim().toLowerCase());

interface ListProps {
  product: Product;
  kind: ListKind;
  query: UseQueryResult<List>;
}

export function ExternalList({ product, kind, query }: ListProps) {
  if (query.data)
    return (
      <>
        {query.error ? <AccessProblem error={query.error} onRetry={() => void query.refetch()} /> : null}
        <Listed product={product} kind={kind} list={query.data} />
      </>
    );
  if (query.error) return <AccessProblem error={query.error} onRetry={() => void query.refetch()} />;
  return <TableSkeleton columns={3} />;
}

function Listed({ product, kind, list }: { product: Product; kind: ListKind; list: List }) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const { q = "" } = ExternalSearch.parse(useSearch({ strict: false }));
  const { name } = product;
  if (!list.isListed) return <Unlisted name={name} />;
  if (list.items.length === 0)
    return <EmptyState icon={<IconDatabaseOff size={22} />} title={t(`external.empty.${kind}`, { name })} />;
  const shown = list.items.filter((item) => fitsText(q, item));
  return (
    <>
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t(`external.filter.${kind}`)}
          onChange={(text) => void navigate({ to: ".", search: { q: text || undefined }, replace: true })}
        />
      </Toolbar>
      <ItemTable kind={kind} label={t(`external.listed.${kind}`, { name })} items={shown} />
      {list.isCut ? <p className="ac-quiet">{t("external.cut", { count: list.items.length })}</p> : null}
    </>
  );
}

export function Unlisted({ name }: { name: string }) {
  const { t } = useWords("insights");
  return (
    <EmptyState
      icon={<IconListSearch size={22} />}
      title={t("external.unlistedTitle", { name })}
      body={t("external.unlistedBody")}
      action={
        <Button variant="default" component={Link} to="/insights-studio/ts/$">
          {t("external.unlistedOpen")}
        </Button>
      }
    />
  );
}

interface TableProps {
  kind: ListKind;
  label: string;
  items: readonly ExternalItem[];
}

export function ItemTable({ kind, label, items }: TableProps) {
  const { t } = useWords("insights");
  const navigate = useNavigate();
  const open = (key: string): void => void navigate({ to: ITEM_ADDRESS[kind], params: { key } });
  return (
    <DataTable<ExternalItem>
      label={label}
      rows={items}
      rowId={({ id }) => id}
      rowLabel={({ name }) => name}
      onRowOpen={({ id }) => open(id)}
      empty={t("external.noneFits")}
      columns={[
        {
          ...{ id: "name", header: t("external.name"), grow: 2, minWidth: 180, sortValue: ({ name }) => name },
          cell: ({ id, name }) => (
            <Link to={ITEM_ADDRESS[kind]} params={{ key: id }}>
              {name}
            </Link>
          ),
        },
        {
          ...{ id: "description", header: t("external.description"), grow: 3, minWidth: 160 },
          cell: ({ description }) => description,
        },
        {
          ...{ id: "updated", header: t("external.updated"), width: 140, sortValue: ({ updatedAt }) => updatedAt },
          cell: ({ updatedAt }) => <RelativeTime at={updatedAt} none="" />,
        },
      ]}
    />
  );
}
