/** One entity with its fields, published or as a draft: edited for the unified model, shown for connected systems. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { FieldSchema } from "@accord/contracts/data/schema";
import { EmptyState, PageBody, PageHeader, StatusTag, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconMoodPuzzled, IconPlus, IconTable } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { usePage } from "../../app/page.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { DraftBar } from "./parts/draft-bar.tsx";
import { EntityMenu } from "./parts/entity-menu.tsx";
import { FieldDrawer } from "./parts/field-drawer.tsx";
import { FieldTable } from "./parts/field-table.tsx";
import { PipelineLink } from "./parts/pipeline-link.tsx";
import { useCoreEntities, usePublishedEntities, useSystemEntity, useSystems } from "./queries.ts";
import { CORE, stateOf } from "./schema.model.ts";
import "./schema-screen.css";
import "../../shared/text/text.css";

const route = getRouteApi("/signed-in/schema-studio/synapse/$connectorId/entity/$entityApiName/$version");

export function EntityScreen() {
  const { connectorId, entityApiName } = route.useParams();
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <PageBody fill>
        {connectorId === CORE ? (
          <CoreEntityScreen key={entityApiName} apiName={entityApiName} />
        ) : (
          <SystemEntityScreen
            key={`${connectorId} ${entityApiName}`}
            connectorId={connectorId}
            apiName={entityApiName}
          />
        )}
      </PageBody>
    </Demand>
  );
}

function useCrumbs(system: { id: string; name: string }, entity: string) {
  const { t } = useWords("schema");
  usePage({
    title: entity,
    crumbs: [
      { label: t("title"), to: "/schema-studio" },
      { label: system.name, to: `/schema-studio/synapse/${system.id}` },
      { label: entity },
    ],
  });
}

function CoreEntityScreen({ apiName }: { apiName: string }) {
  const { t } = useWords("schema");
  const drafts = useCoreEntities();
  const published = usePublishedEntities();
  const find = (entities: readonly CoreEntity[] | undefined) => entities?.find((entity) => entity.apiName === apiName);
  useCrumbs({ id: CORE, name: t("core") }, find(drafts.data?.entities)?.displayName ?? apiName);
  return (
    <QueryView isScreen query={drafts} skeleton={<TableSkeleton columns={5} />}>
      {({ entities }) => {
        const newest = find(entities);
        if (!newest) return <EmptyState icon={<IconMoodPuzzled size={22} />} title={t("noMatch", { text: apiName })} />;
        return <CoreEntityView newest={newest} published={find(published.data?.entities)} all={entities} />;
      }}
    </QueryView>
  );
}

interface CoreEntityViewProps {
  /** The draft when there is one. */
  newest: CoreEntity;
  published: CoreEntity | undefined;
  all: readonly CoreEntity[];
}

function CoreEntityView({ newest, published, all }: CoreEntityViewProps) {
  const { t } = useWords("schema");
  const { version } = route.useParams();
  const { q = "", field: open } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useCan("WRITE_STUDIO");
  const isDraft = newest.version === 0 || newest.hasDraft;
  const showsDraft = version !== "published" || !published;
  const shown = showsDraft ? newest : (published ?? newest);
  // Over a published version without a draft, the first change opens one by itself.
  const editable = mayWrite && (showsDraft || !isDraft);
  const openField = (name: string | undefined) => void navigate({ search: (old) => ({ ...old, field: name }) });
  const edited = open === undefined ? undefined : newest.fields.find((field) => field.apiName === open);
  return (
    <>
      <PageHeader
        title={shown.displayName}
        tags={
          <StatusTag tone={shown.state === "APPROVED" ? "ok" : "warn"}>
            {shown.state === "APPROVED" ? t("version", { number: shown.version }) : t(`state.${shown.state}`)}
          </StatusTag>
        }
        subtitle={shown.description || <code>{shown.apiName}</code>}
        actions={
          <>
            <PipelineLink entityId={newest.id} />
            {stateOf(newest) === "NEW" ? null : (
              <Button
                component={Link}
                to={`/data-studio/entity/${newest.id}` as string}
                variant="default"
                leftSection={<IconTable size={16} />}
              >
                {t("entity.records")}
              </Button>
            )}
            {editable ? (
              <Button leftSection={<IconPlus size={16} />} onClick={() => openField("+")}>
                {t("entity.addField")}
              </Button>
            ) : null}
            {mayWrite ? <EntityMenu entity={newest} /> : null}
          </>
        }
      />
      {isDraft ? <DraftBar draft={newest} published={published} showsDraft={showsDraft} /> : null}
      <FieldTable
        fields={shown.fields}
        nameField={shown.nameField}
        search={q}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        onOpen={editable ? (field: FieldSchema) => openField(field.apiName) : undefined}
        onAdd={editable ? () => openField("+") : undefined}
      />
      <FieldDrawer
        opened={editable && (open === "+" || edited !== undefined)}
        entity={newest}
        field={edited}
        publishedField={published?.fields.find((field) => field.id === edited?.id)}
        entities={all}
        onClose={() => openField(undefined)}
        onSaved={() =>
          void navigate({
            params: (old) => ({ ...old, version: "draft" }),
            search: (old) => ({ ...old, field: undefined }),
          })
        }
      />
    </>
  );
}

function SystemEntityScreen({ connectorId, apiName }: { connectorId: string; apiName: string }) {
  const { t } = useWords("schema");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const entity = useSystemEntity(connectorId, apiName);
  const systems = useSystems();
  const name = systems.data?.connectors.find((each) => each.id === connectorId)?.name ?? connectorId;
  useCrumbs({ id: connectorId, name }, entity.data?.displayName ?? apiName);
  return (
    <QueryView isScreen query={entity} skeleton={<TableSkeleton columns={5} />}>
      {(data) => (
        <>
          <PageHeader title={data.displayName} subtitle={t("entity.readOnly", { name })} />
          <FieldTable
            fields={data.schema.fields}
            nameField={null}
            search={q}
            onSearch={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
          />
        </>
      )}
    </QueryView>
  );
}
