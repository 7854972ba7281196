/** The domains of everybody who has access now, with the number of people; those off the list can be added to it. */
import {
  createAllowedDomains,
  listAllowedDomains,
  listDomainsInUse,
  type DomainInUse,
} from "@accord/contracts/insights/allowed-domains";
import { Card, DataTable, EmptyState, StatusTag, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useCall, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { REFRESHES } from "./allowed-domains.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

export function DomainsInUse() {
  const { t } = useWords("insights");
  return (
    <Card title={t("domains.inUse")}>
      <QueryView query={useEndpoint(listDomainsInUse)} skeleton={<TableSkeleton rows={3} columns={3} />}>
        {({ domains, total }) =>
          domains.length === 0 ? (
            <EmptyState compact icon={<IconUsers size={22} />} title={t("domains.inUseNone")} />
          ) : (
            <div className="ac-form">
              <p className="ac-form__lead">{t("domains.inUseBody")}</p>
              <DomainsTable domains={domains} />
              {total > domains.length ? (
                <p className="ac-quiet">{t("domains.inUseMore", { shown: domains.length, total })}</p>
              ) : null}
            </div>
          )
        }
      </QueryView>
    </Card>
  );
}

function DomainsTable({ domains }: { domains: readonly DomainInUse[] }) {
  const { t } = useWords("insights");
  const mayAdd = useCan("CREATE_ALLOWED_DOMAINS");
  const listed = useEndpoint(listAllowedDomains).data?.domains.map(({ domain }) => domain);
  const add = useCall(createAllowedDomains, { refreshes: REFRESHES });
  const others = listed ? domains.filter(({ domain }) => !listed.includes(domain)) : [];
  const allow = (names: readonly DomainInUse[]): void =>
    add.mutate({ body: { domains: names.map(({ domain }) => domain) } });
  return (
    <>
      {add.isError ? <RefusalBox error={add.error} /> : null}
      <DataTable
        label={t("domains.inUse")}
        rows={domains}
        rowId={({ domain }) => domain}
        rowLabel={({ domain }) => domain}
        columns={[
          { id: "domain", header: t("domains.domain"), cell: ({ domain }) => domain, grow: 2, minWidth: 160 },
          { id: "people", header: t("domains.people"), cell: ({ people }) => people, width: 90, align: "end" },
          {
            id: "list",
            header: t("domains.allowed"),
            width: 250,
            cell: (one) => (
              <ListState
                item={one}
                listed={listed}
                onAdd={mayAdd ? () => allow([one]) : undefined}
                isAdding={add.isPending}
              />
            ),
          },
        ]}
      />
      {mayAdd && others.length > 1 ? (
        <div className="ac-form__foot">
          <Button variant="default" loading={add.isPending} onClick={() => allow(others.slice(0, MOST_AT_ONCE))}>
            {t("domains.allowAll")}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** What one call takes. */
const MOST_AT_ONCE = 100;

interface ListStateProps {
  item: DomainInUse;
  listed: readonly string[] | undefined;
  onAdd: (() => void) | undefined;
  isAdding: boolean;
}

/** While the list is empty nobody is outside it, and a domain can be added all the same. */
function ListState({ item: { domain }, listed, onAdd, isAdding }: ListStateProps) {
  const { t } = useWords("insights");
  if (!listed) return null;
  if (listed.includes(domain)) return <StatusTag tone="ok">{t("domains.isAllowed")}</StatusTag>;
  return (
    <span className="ac-domains-state">
      {listed.length > 0 ? <StatusTag tone="warn">{t("domains.isOutside")}</StatusTag> : null}
      {onAdd ? (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t("domains.allowIt", { domain })}
          disabled={isAdding}
          onClick={onAdd}
        >
          {t("domains.addAction")}
        </Button>
      ) : null}
    </span>
  );
}
