/** The columnar mirror: which entities have copies, how fresh they are, and why others have none. */
import type { ReplyOf } from "@accord/contracts";
import { getMirrorStatus, type MirroredEntity } from "@accord/contracts/insights/mirror";
import {
  Card,
  EmptyState,
  ErrorBox,
  PageBody,
  PageHeader,
  RelativeTime,
  StatusTag,
  TableSkeleton,
  type Tone,
} from "@accord/ui";
import { IconColumns3 } from "@tabler/icons-react";
import { usePage } from "../../../app/page.ts";
import { polling, useEndpoint } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import "./mirror.css";

const FIELDS = new Intl.ListFormat("en-US");
const COUNT = new Intl.NumberFormat("en-US");

export function MirrorScreen() {
  const { t } = useWords("insights");
  const session = useSession();
  usePage({
    title: t("mirror.title"),
    crumbs: [{ label: t("title"), to: "/insights-studio" }, { label: t("mirror.title") }],
  });
  return (
    <Demand anyOf={["READ_INSIGHTS"]}>
      <PageBody>
        <PageHeader
          title={t("mirror.title")}
          subtitle={t("mirror.subtitle", { instance: session.currentInstanceName ?? session.orgName })}
        />
        <Status />
      </PageBody>
    </Demand>
  );
}

type MirrorStatus = ReplyOf<typeof getMirrorStatus>;

function Status() {
  const { t } = useWords("insights");
  const query = useEndpoint(getMirrorStatus, {}, polling(true));
  return (
    <QueryView query={query} skeleton={<TableSkeleton rows={4} columns={5} />}>
      {(status) => (
        <div className="ac-mirror">
          <StateNote status={status} />
          {status.state === "off" ? null : <Entities status={status} />}
          {status.state === "off" ? null : <p className="ac-quiet">{t("mirror.how")}</p>}
        </div>
      )}
    </QueryView>
  );
}

/** What holds for all entities; nothing while it works. */
function StateNote({ status: { state, minRecords } }: { status: MirrorStatus }) {
  const { t } = useWords("insights");
  const records = COUNT.format(minRecords);
  switch (state) {
    case "ready":
      return null;
    case "off":
      return <ErrorBox tone="info" title={t("mirror.offTitle")} message={t("mirror.offBody")} />;
    case "idle":
      return <ErrorBox tone="info" title={t("mirror.idleTitle")} message={t("mirror.idleBody", { records })} />;
    case "starting":
      return <ErrorBox tone="info" title={t("mirror.startingTitle")} message={t("mirror.startingBody")} />;
    case "unavailable":
      return <ErrorBox tone="warn" title={t("mirror.unavailableTitle")} message={t("mirror.unavailableBody")} />;
  }
}

const COLUMNS = ["entity", "state", "records", "freshAt", "answeredAt"] as const;

/** Those with copies, or that will have one, come first. */
const RANK: Record<MirroredEntity["state"], number> = {
  ...{ failed: 0, disk_limit: 0, behind: 1, building: 1, ready: 2, unasked: 3, small: 4 },
};

function Entities({ status: { entities, minRecords, bytes, diskMb } }: { status: MirrorStatus }) {
  const { t } = useWords("insights");
  const records = COUNT.format(minRecords);
  if (entities.length === 0)
    return (
      <EmptyState
        icon={<IconColumns3 size={22} />}
        title={t("mirror.emptyTitle")}
        body={t("mirror.emptyBody", { records })}
      />
    );
  const rows = entities.toSorted(
    (one, other) => RANK[one.state] - RANK[other.state] || one.displayName.localeCompare(other.displayName),
  );
  return (
    <Card title={t("mirror.entities")}>
      {/* By keys it can be scrolled sideways where it is wider than the screen. */}
      <div className="ac-mirror-table" role="region" aria-label={t("mirror.entities")} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(`mirror.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((entity) => (
              <EntityRow key={entity.apiName} entity={entity} least={records} />
            ))}
          </tbody>
        </table>
      </div>
      {bytes > 0 ? (
        <p className="ac-quiet">
          {t("mirror.size", { bytes: megabytes(bytes / 1_000_000), limit: megabytes(diskMb) })}
        </p>
      ) : null}
    </Card>
  );
}

function EntityRow({ entity, least }: { entity: MirroredEntity; least: string }) {
  const { t } = useWords("insights");
  const { displayName, freshAt, answeredAt } = entity;
  return (
    <tr>
      <th scope="row">{displayName}</th>
      <td>
        <State entity={entity} least={least} />
      </td>
      <td>
        <Records entity={entity} />
      </td>
      <td>
        <RelativeTime at={freshAt} />
      </td>
      <td>
        <RelativeTime at={answeredAt} none={freshAt === null ? "–" : t("mirror.never")} />
      </td>
    </tr>
  );
}

const megabytes = (size: number): string => `${COUNT.format(Math.ceil(size))} MB`;

const TONES: Record<MirroredEntity["state"], Tone> = {
  ...{ small: "idle", unasked: "idle", building: "info", ready: "ok" },
  ...{ behind: "warn", disk_limit: "warn", failed: "error" },
};

function State({ entity, least }: { entity: MirroredEntity; least: string }) {
  const { t } = useWords("insights");
  const { state, problem, unfitFields } = entity;
  const hasCopy = state === "ready" || state === "behind";
  return (
    <span className="ac-mirror-state">
      <StatusTag tone={TONES[state]} busy={state === "building"}>
        {t(`mirror.stateOf.${state}`)}
      </StatusTag>
      <small>{t(`mirror.help.${state}`, { records: least })}</small>
      {unfitFields.length > 0 ? (
        <small>{t("mirror.unfit", { count: unfitFields.length, fields: FIELDS.format(unfitFields) })}</small>
      ) : null}
      {problem && hasCopy ? <small>{t("mirror.incomplete")}</small> : null}
      {problem ? <small>{t(`mirror.problem.${problem}`)}</small> : null}
    </span>
  );
}

function Records({ entity: { state, about, records } }: { entity: MirroredEntity }) {
  const { t } = useWords("insights");
  const words = { records: COUNT.format(records), about: COUNT.format(about) };
  if (state === "building") return t("mirror.copied", words);
  return state === "ready" || state === "behind" ? words.records : t("mirror.about", words);
}
