/** Why a record is, or is not, in each system as one expects: what would happen to it now, node by node. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import {
  type ExplainedDestination,
  type ExplainedSource,
  explainRecord,
} from "@accord/contracts/sync/monitoring/explain";
import type { ReplyOf } from "@accord/contracts";
import { EmptyState, FormSkeleton, RelativeTime } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { IconArrowsExchange, IconRefresh } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../../app/api-error.ts";
import { useEndpoint } from "../../app/queries.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { DESTINATION_TONES, SOURCE_TONES } from "./explain.model.ts";
import { ExplainedChanges, ExplainedFields, ExplainedRefusals } from "./parts/explained-values.tsx";
import { ExplainedPlace } from "./parts/explained-place.tsx";
import { SetAsideLink } from "./parts/set-aside-link.tsx";
import { asEntityId, asRecordId, useEntity } from "./queries.ts";
import "./record-explain.css";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/explain");

export function RecordExplain() {
  const params = route.useParams();
  const entity = useEntity(asEntityId(params.entityId));
  if (!entity.data) return <FormSkeleton fields={6} />;
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Explanation entity={entity.data} />
    </Demand>
  );
}

function Explanation({ entity }: { entity: CoreEntity }) {
  const { t } = useWords("data");
  const { recordId } = route.useParams();
  const { field } = route.useSearch();
  const navigate = route.useNavigate();
  const explained = useEndpoint(
    explainRecord,
    { params: { entityId: entity.id, recordId: asRecordId(recordId) }, query: field ? { field } : {} },
    // It asks the connected systems: only when somebody looks.
    { refetchOnWindowFocus: false, refetchOnReconnect: false },
  );
  if (explained.error instanceof ApiError && explained.error.code === "pipeline_not_published")
    return <NotPublished entity={entity} />;
  const fields = entity.fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }));
  return (
    <div className="ac-explain">
      <div className="ac-explain__head">
        <p>{t("explain.lead")}</p>
        <Select
          aria-label={t("explain.field")}
          searchable
          w={220}
          placeholder={t("explain.allFields")}
          data={fields}
          value={fields.some(({ value }) => value === field) ? (field ?? null) : null}
          clearable
          clearButtonProps={{ "aria-label": t("shell:action.clear") }}
          onChange={(value) => void navigate({ search: { field: value ?? undefined }, replace: true })}
        />
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={explained.isFetching}
          onClick={() => void explained.refetch()}
        >
          {t("explain.again")}
        </Button>
      </div>
      <QueryView query={explained} skeleton={<Looking />}>
        {(data) => <Places entity={entity} explained={data} />}
      </QueryView>
    </div>
  );
}

/** Systems may take seconds to answer. */
function Looking() {
  const { t } = useWords("data");
  return (
    <>
      <p className="ac-explain__looking" role="status">
        {t("explain.looking")}
      </p>
      <FormSkeleton fields={6} />
    </>
  );
}

function NotPublished({ entity }: { entity: CoreEntity }) {
  const { t } = useWords("data");
  return (
    <EmptyState
      icon={<IconArrowsExchange size={22} />}
      title={t("explain.notPublished")}
      body={t("explain.notPublishedBody", { entity: entity.displayName })}
      action={
        <Button component={Link} to={`/sync-studio/entity/${entity.id}/pipeline/draft`}>
          {t("explain.openPipeline")}
        </Button>
      }
    />
  );
}

function Places({ entity, explained }: { entity: CoreEntity; explained: ReplyOf<typeof explainRecord> }) {
  const { t } = useWords("data");
  const { sources, destinations } = explained;
  return (
    <>
      <section aria-labelledby="explained-destinations">
        <h2 id="explained-destinations">{t("explain.destinations")}</h2>
        {destinations.length === 0 ? (
          <EmptyState
            compact
            title={t("explain.noDestinations")}
            body={t("explain.noDestinationsBody", { entity: entity.displayName })}
          />
        ) : null}
        {destinations.map((place) => (
          <ExplainedPlace
            key={place.nodeId}
            entity={entity}
            place={place}
            tone={DESTINATION_TONES[place.outcome]}
            outcome={t(`explain.destination_${place.outcome}`)}
            remark={
              place.lastWrittenAt ? (
                <>
                  {t("explain.lastWritten")} <RelativeTime at={place.lastWrittenAt} />.
                </>
              ) : null
            }
          >
            <Delivery place={place} entityId={entity.id} />
            {place.outcome === "filtered" ? null : <ExplainedFields entity={entity} fields={place.fields} />}
          </ExplainedPlace>
        ))}
      </section>
      <section aria-labelledby="explained-sources">
        <h2 id="explained-sources">{t("explain.sources")}</h2>
        {sources.length === 0 ? (
          <EmptyState compact title={t("explain.noSources")} body={t("explain.noSourcesBody")} />
        ) : null}
        {sources.map((place) => (
          <Source key={place.nodeId} entity={entity} place={place} />
        ))}
      </section>
    </>
  );
}

function Source({ entity, place }: { entity: CoreEntity; place: ExplainedSource }) {
  const { t } = useWords("data");
  return (
    <ExplainedPlace
      entity={entity}
      place={place}
      tone={SOURCE_TONES[place.outcome]}
      outcome={t(`explain.source_${place.outcome}`)}
    >
      <ExplainedChanges entity={entity} changes={place.changes} title={t("explain.changes")} />
      <ExplainedRefusals entity={entity} refused={place.refused} />
    </ExplainedPlace>
  );
}

/** How telling it has gone: tries, what it waits for, and where it was set aside. */
function Delivery({ place, entityId }: { place: ExplainedDestination; entityId: string }) {
  const { t } = useWords("data");
  const { delivery, quarantine } = place;
  return (
    <>
      {delivery ? (
        <p className="ac-explain__news">
          {delivery.attempts > 0 ? `${t("explain.tried", { count: delivery.attempts })}. ` : null}
          {t(
            delivery.isAnswerMissing ? "explain.answerMissing" : delivery.parked ? "explain.parked" : "explain.waiting",
          )}
        </p>
      ) : null}
      {quarantine ? (
        <p className="ac-explain__news" data-tone="warn">
          {t("explain.setAside")} <RelativeTime at={quarantine.at} />: {quarantine.message}{" "}
          <SetAsideLink entityId={entityId} />
        </p>
      ) : null}
    </>
  );
}
