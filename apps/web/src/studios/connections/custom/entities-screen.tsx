/** /synapses/custom-synapses/http/{id}/entities/{version}: entities of one version of an HTTP synapse. */
import type { SynapseEntity } from "@accord/contracts/connections/http-synapse-definition";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { DataTable, EmptyState, ErrorBox, PageBody, PageHeader, PageSkeleton, StatusTag } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconPlus, IconTable } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { asSynapseId, useHttpSynapse, useSynapseEntities } from "./synapse-queries.ts";

const route = getRouteApi("/signed-in/synapses/custom-synapses/http/$synapseId/entities/$version");

export function SynapseEntitiesScreen() {
  const { version } = route.useParams();
  if (!/^[1-9]\d{0,8}$/.test(version)) return <NotFoundScreen />;
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Loaded />
    </Demand>
  );
}

function Loaded() {
  const { t } = useWords("customSynapses");
  const { synapseId } = route.useParams();
  const synapse = useHttpSynapse(asSynapseId(synapseId));
  const name = synapse.data?.displayName ?? "";
  const title = t("entity.title", { name });
  usePage({
    title,
    crumbs: [
      { label: t("synapses"), to: "/synapses/connections" },
      { label: t("title"), to: "/synapses/custom-synapses" },
      { label: name, to: `/synapses/custom-synapses/http/${synapseId}` },
      { label: t("entities") },
    ],
  });
  return (
    <QueryView isScreen query={synapse} skeleton={<PageSkeleton />}>
      {(data) => <Entities synapse={data} title={title} />}
    </QueryView>
  );
}

function Entities({ synapse, title }: { synapse: HttpSynapse; title: string }) {
  const { t } = useWords("customSynapses");
  const { version } = route.useParams();
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const entities = useSynapseEntities(synapse.id, Number(version));
  const isDraft = synapse.draftVersion === Number(version);
  const open = (entityId: string) =>
    void leave({
      to: "/synapses/custom-synapses/http/$synapseId/entities/$version/$entityId",
      params: { synapseId: synapse.id, version, entityId },
    });
  return (
    <PageBody>
      <PageHeader
        title={title}
        subtitle={t("version", { version })}
        tags={
          <StatusTag tone={isDraft ? "warn" : "ok"}>
            {t(
              isDraft
                ? "states.NEW"
                : Number(version) === synapse.publishedVersion
                  ? "states.APPROVED"
                  : "states.ARCHIVED",
            )}
          </StatusTag>
        }
        actions={
          <>
            <Button
              variant="default"
              onClick={() =>
                void leave({
                  to: "/synapses/custom-synapses/$synapseType/$synapseId",
                  params: { synapseType: "http", synapseId: synapse.id },
                  search: { step: "review" },
                })
              }
            >
              {t("entity.back")}
            </Button>
            {isDraft && mayWrite ? (
              <Button leftSection={<IconPlus size={16} />} onClick={() => open("new")}>
                {t("entity.add")}
              </Button>
            ) : null}
          </>
        }
      />
      {isDraft ? null : <ErrorBox tone="info" message={t("entity.readOnly", { version })} />}
      <QueryView isScreen query={entities} skeleton={<PageSkeleton />}>
        {(data) =>
          data.entities.length === 0 ? (
            <EmptyState icon={<IconTable size={22} />} title={t("entity.none")} body={t("entity.noneBody")} />
          ) : (
            <EntityTable entities={data.entities} onOpen={open} />
          )
        }
      </QueryView>
    </PageBody>
  );
}

const operationsOf = ({ config }: SynapseEntity) =>
  (["list", "getById", "create", "update", "delete"] as const).filter((operation) => Boolean(config[operation]));

function EntityTable({ entities, onOpen }: { entities: readonly SynapseEntity[]; onOpen: (id: string) => void }) {
  const { t } = useWords("customSynapses");
  return (
    <DataTable
      label={t("entities")}
      rows={entities}
      rowId={({ entityId }) => entityId}
      rowLabel={({ config }) => config.displayName}
      onRowOpen={({ entityId }) => onOpen(entityId)}
      columns={[
        {
          id: "name",
          header: t("name"),
          grow: 2,
          sortValue: ({ config }) => config.displayName,
          cell: ({ config }) => <strong>{config.displayName}</strong>,
        },
        { id: "apiName", header: t("form.name"), mono: true, cell: ({ config }) => config.apiName },
        {
          id: "fields",
          header: t("entity.fields"),
          width: 90,
          align: "end",
          cell: ({ config }) => config.fields.length,
        },
        {
          id: "operations",
          header: t("entity.operations"),
          grow: 2,
          cell: (entity) =>
            operationsOf(entity)
              .map((operation) => t(`entity.operation.${operation}`))
              .join(", "),
        },
      ]}
    />
  );
}
