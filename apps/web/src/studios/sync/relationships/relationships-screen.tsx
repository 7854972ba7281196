/** Entities and the references between them, coloured by how their pipelines are doing: as a graph, or as a list. */
import { EmptyState, PageBody, PageHeader, TableSkeleton } from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconTopologyStar3 } from "@tabler/icons-react";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryError, QueryView } from "../../../shared/query-view.tsx";
import { rememberTab } from "../addresses/last-tab.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { StudioTabs } from "../addresses/studio-tabs.tsx";
import { EntityPanel } from "./parts/entity-panel.tsx";
import { RelationshipGraph } from "./parts/relationship-graph.tsx";
import { RelationshipList } from "./parts/relationship-list.tsx";
import { useEntities, useHealth } from "./queries.ts";
import { referencesOf } from "./relationships.model.ts";
import type { RelationshipsSearch } from "./routes.tsx";
import "./relationships.css";

export function RelationshipsScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Relationships />
    </Demand>
  );
}

function Relationships() {
  const { t } = useWords("sync");
  const { entityId } = useParams({ strict: false });
  const entities = useEntities();
  useEffect(() => rememberTab("relationships"), []);
  usePage({
    title: t("relationships.title"),
    crumbs: [{ label: t("title"), to: "/sync-studio/details" }, { label: t("relationships.title") }],
  });
  if (entityId && entities.data && !entities.data.entities.some(({ id }) => id === entityId)) return <StudioNotFound />;
  return (
    <PageBody>
      <QueryView isScreen query={entities} skeleton={<TableSkeleton />}>
        {(data) => <Loaded entities={data.entities} entityId={entityId} />}
      </QueryView>
    </PageBody>
  );
}

function Loaded({ entities, entityId }: { entities: readonly CoreEntity[]; entityId: string | undefined }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const search: RelationshipsSearch = useSearch({ strict: false });
  // A graph needs more room than a phone has.
  const isNarrow = useMediaQuery("(max-width: 900px)", false, { getInitialValueInEffect: false });
  const view = search.view ?? (isNarrow ? "list" : "graph");
  const { healthOf, statuses } = useHealth();
  const references = useMemo(() => referencesOf(entities), [entities]);
  const shown = entities.find(({ id }) => id === entityId);
  const parts = { entities, references, healthOf, shownId: shown?.id };
  return (
    <>
      <PageHeader
        title={t("relationships.title")}
        subtitle={t("relationships.lead")}
        actions={
          <SegmentedControl
            aria-label={t("editor.view")}
            data={[
              { value: "graph", label: t("editor.graphView") },
              { value: "list", label: t("editor.listView") },
            ]}
            value={view}
            onChange={(value) =>
              void navigate({ to: ".", search: { view: value === "list" ? "list" : "graph" }, replace: true })
            }
          />
        }
      />
      <StudioTabs current="relationships" entityId={shown?.id} />
      {statuses.isError ? <QueryError error={statuses.error} onRetry={() => void statuses.refetch()} /> : null}
      {entities.length === 0 ? (
        <EmptyState
          icon={<IconTopologyStar3 size={22} />}
          title={t("relationships.none")}
          body={t("relationships.noneHint")}
          action={
            <Button component={Link} to="/schema-studio" variant="default">
              {t("relationships.openSchema")}
            </Button>
          }
        />
      ) : (
        <div className="ac-relationships">
          {view === "list" ? <RelationshipList {...parts} /> : <RelationshipGraph {...parts} />}
          {shown ? (
            <EntityPanel
              {...parts}
              entity={shown}
              onClose={() => void navigate({ to: "/sync-studio/relationships", search })}
            />
          ) : null}
        </div>
      )}
    </>
  );
}
