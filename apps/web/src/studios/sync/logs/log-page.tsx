/** What the logs of the instance share: their frame, and the entity that an address narrows them to. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { listEntities } from "@accord/contracts/data/core-schema";
import { type Column, ErrorBox, PageBody, PageHeader } from "@accord/ui";
import type { ReactNode } from "react";
import { usePage } from "../../../app/page.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";

/** `isResolved`: which entity it is has to be known first: without, everything would be listed under its name. */
export function useEntityInAddress(apiName: string | undefined) {
  const entities = useEndpoint(listEntities, { query: {} }, { enabled: useCan("READ_STUDIO") });
  const known = entities.data?.entities ?? [];
  const entity = known.find((one) => one.apiName === apiName);
  const isResolved = apiName === undefined || entity !== undefined;
  return { known, entity, isResolved, isUnknown: !isResolved && entities.isSuccess };
}

export function entityColumn<Row extends { entityId: string }>(
  t: ReturnType<typeof useWords<"sync">>["t"],
  entities: readonly CoreEntity[],
): Column<Row> {
  return {
    id: "entity",
    header: t("transactions.entity"),
    minWidth: 120,
    cell: ({ entityId }) => entities.find(({ id }) => id === entityId)?.displayName ?? entityId,
  };
}

interface Props {
  title: string;
  lead: string;
  filters: ReactNode;
  /** Api name in the address that no entity has. */
  unknownEntity: string | undefined;
  children: ReactNode;
}

export function LogPage({ title, lead, filters, unknownEntity, children }: Props) {
  const { t } = useWords("sync");
  usePage({ title, crumbs: [{ label: t("allLogs.title"), to: "/logs" }, { label: title }] });
  return (
    <PageBody>
      <PageHeader title={title} subtitle={lead} />
      {filters}
      {unknownEntity === undefined ? (
        children
      ) : (
        <ErrorBox message={t("transactions.unknown", { entity: unknownEntity })} />
      )}
    </PageBody>
  );
}
