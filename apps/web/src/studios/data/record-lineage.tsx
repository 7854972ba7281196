/** What happened to a record: each change with who made it, from what to what, and what was not taken and why. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { LineageActor, LineageEntry } from "@accord/contracts/data/records";
import type { Value } from "@accord/contracts/data/values";
import { EmptyState, FormSkeleton, RelativeTime } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { IconArrowRight, IconHistory, IconRobot, IconUser } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useWords } from "../../app/words.ts";
import { QueryError } from "../../shared/query-view.tsx";
import { SystemIcon } from "./parts/system-icon.tsx";
import { ValueView } from "./parts/value-view.tsx";
import { asEntityId, asRecordId, useEntity, useLineage, useRecord } from "./queries.ts";
import { textOf, type References } from "./value.model.ts";
import "./record-lineage.css";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/lineage");

export function RecordLineage() {
  const params = route.useParams();
  const { field } = route.useSearch();
  const navigate = route.useNavigate();
  const { t } = useWords("data");
  const entityId = asEntityId(params.entityId);
  const recordId = asRecordId(params.recordId);
  const entity = useEntity(entityId);
  const record = useRecord(entityId, recordId);
  const lineage = useLineage(entityId, recordId, field);
  if (!entity.data) return <FormSkeleton fields={6} />;
  const fields = entity.data.fields;
  const chosen = fields.find((other) => other.apiName === field);
  const entries = lineage.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <div className="ac-lineage">
      <Select
        label={t("lineage.field")}
        searchable
        w={260}
        placeholder={t("lineage.allFields")}
        data={fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
        value={chosen?.apiName ?? null}
        clearable
        clearButtonProps={{ "aria-label": t("shell:action.clear") }}
        onChange={(value) => void navigate({ search: { field: value ?? undefined }, replace: true })}
      />
      {lineage.isError ? <QueryError error={lineage.error} onRetry={() => void lineage.refetch()} /> : null}
      {lineage.isPending ? <FormSkeleton fields={6} /> : null}
      {lineage.data && entries.length === 0 ? (
        <EmptyState
          icon={<IconHistory size={22} />}
          title={chosen ? t("lineage.noneField", { field: chosen.displayName }) : t("lineage.none")}
          body={t("lineage.noneBody")}
        />
      ) : null}
      <ol className="ac-lineage__list">
        {entries.map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            entity={entity.data}
            references={record.data?.metadata.references ?? {}}
          />
        ))}
      </ol>
      {lineage.hasNextPage ? (
        <Button variant="default" loading={lineage.isFetchingNextPage} onClick={() => void lineage.fetchNextPage()}>
          {t("lineage.more")}
        </Button>
      ) : null}
    </div>
  );
}

const OPERATIONS = [
  "create",
  "update",
  "delete",
  "restore",
  "attach",
  "merge",
  "link",
  "unlink",
  "write",
  "refuse",
] as const;
const REASONS = [
  "lower_ranked",
  "not_selected",
  "older",
  "stale_read",
  "empty_rejected",
  "not_convertible",
  "deleted",
  "alternates",
  "unconfirmed",
] as const;
const oneOf = <T extends string>(known: readonly T[], name: string): T | "other" =>
  known.find((each) => each === name) ?? "other";

function Entry({ entry, entity, references }: { entry: LineageEntry; entity: CoreEntity; references: References }) {
  const { t } = useWords("data");
  const { writtenTo } = entry;
  const params = route.useParams();
  const operation = writtenTo
    ? t("lineage.writtenTo", { name: writtenTo.connectorName || t("lineage.removedSystem") })
    : t(`lineage.operation.${oneOf(OPERATIONS, entry.operation)}`);
  const fieldOf = (apiName: string) => entity.fields.find((field) => field.apiName === apiName);
  return (
    <li className="ac-lineage__entry" data-operation={entry.operation}>
      <ActorIcon actor={writtenTo ?? entry.actor} />
      <div className="ac-lineage__body">
        <div className="ac-lineage__head">
          <strong>{operation}</strong>
          <span>
            {writtenTo ? <RowName row={writtenTo} /> : <ActorName actor={entry.actor} />}
            {entry.pipelineVersion === null ? null : `, ${t("lineage.via", { version: entry.pipelineVersion })}`}
          </span>
          <Link
            className="ac-lineage__then"
            to="/data-studio/entity/$entityId/record/$recordId/fields"
            params={params}
            search={{ at: entry.at }}
            title={t("asOf.showThen")}
          >
            <RelativeTime at={entry.at} />
          </Link>
        </div>
        {entry.changes.length > 0 ? (
          <dl className="ac-lineage__changes">
            {entry.changes.map((change) => {
              const field = fieldOf(change.field);
              return (
                <div key={change.field}>
                  <dt>{field?.displayName ?? change.field}</dt>
                  <dd>
                    {entry.operation === "create" || writtenTo ? null : (
                      <>
                        <span className="ac-lineage__old">
                          <ChangeValue field={field} value={change.from} references={references} />
                        </span>
                        <IconArrowRight size={14} aria-label={t("lineage.to")} />
                      </>
                    )}
                    <ChangeValue field={field} value={change.to} references={references} />
                  </dd>
                </div>
              );
            })}
          </dl>
        ) : null}
        {entry.refused.map((refused) => {
          const field = fieldOf(refused.field);
          const reason = oneOf(REASONS, refused.reason);
          return (
            <p key={refused.field} className="ac-lineage__refused">
              {t("lineage.refused", {
                field: field?.displayName ?? refused.field,
                value: `“${field ? textOf(field, refused.value, references) : String(refused.value)}”`,
              })}
              : {t(`lineage.reason.${reason}`, { code: refused.reason.replaceAll("_", " ") })}
            </p>
          );
        })}
      </div>
    </li>
  );
}

function ChangeValue({
  field,
  value,
  references,
}: {
  field: CoreField | undefined;
  value: Value;
  references: References;
}) {
  return field ? (
    <ValueView field={field} value={value} references={references} compact />
  ) : (
    <span>{JSON.stringify(value)}</span>
  );
}

function ActorIcon({ actor }: { actor: LineageActor }) {
  if (actor.kind === "source")
    return <SystemIcon name={actor.connectorName} icon={actor.icon} backgroundColor={actor.backgroundColor} />;
  return (
    <span className="ac-lineage__icon" aria-hidden>
      {actor.kind === "user" ? <IconUser size={16} /> : <IconRobot size={16} />}
    </span>
  );
}

function ActorName({ actor }: { actor: LineageActor }) {
  const { t } = useWords("data");
  if (actor.kind === "user") return t("lineage.by", { name: actor.name });
  if (actor.kind === "system") return t("lineage.bySystem");
  const name = actor.connectorName || t("lineage.removedSystem");
  return (
    <>
      {t("lineage.by", { name })} <RowName row={actor} />
    </>
  );
}

/** The outside record: its entity and its id there. */
function RowName({ row }: { row: { connectorEntity: string; externalId: string | null } }) {
  const { t } = useWords("data");
  return (
    <span className="ac-lineage__row">
      {t("lineage.row", { entity: row.connectorEntity, id: row.externalId ?? "" })}
    </span>
  );
}
