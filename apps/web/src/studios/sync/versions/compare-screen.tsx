/** Two versions of a pipeline set side by side: every node, connection and group that differs, with each setting before and after. */
import { EmptyState, PageBody, PageHeader, StatusTag, TableSkeleton, type Tone } from "@accord/ui";
import { Button, Select } from "@mantine/core";
import { IconArrowsExchange, IconEqual } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { VersionRow } from "@accord/contracts/sync/pipeline-versions";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryError, QueryView } from "../../../shared/query-view.tsx";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { graphDifferences, type GraphDifference } from "../graph-words/graph-differences.ts";
import { useGraphWords } from "../graph-words/use-graph-words.ts";
import type { Mark } from "../pipeline-editor/canvas/canvas.model.ts";
import { useOpenedGraph, usePipelineRow, useVersion, useVersions } from "../pipeline-editor/queries.ts";
import "./compare-screen.css";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/versions/$versionId/compare/$otherId");

export function CompareScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <Comparison />
    </Demand>
  );
}

type Side = Id<"pipelineVersion"> | "draft";

/** The graph of one side. */
function useSide(entityId: Id<"entity">, side: Side) {
  const version = useVersion(entityId, side === "draft" ? undefined : side);
  const draft = useOpenedGraph(entityId, "draft", side === "draft");
  return side === "draft" ? draft : version;
}

function Comparison() {
  const { t } = useWords("sync");
  const { entityId, versionId, otherId } = route.useParams();
  const name = usePipelineRow(entityId).data?.name ?? "";
  const versions = useVersions(entityId);
  const [before, after] = [useSide(entityId, versionId), useSide(entityId, otherId)];
  const words = useGraphWords(entityId);
  const [old, now] = [before.data?.graph, after.data?.graph];
  const found = useMemo(() => (old && now && words ? graphDifferences(old, now, words) : undefined), [old, now, words]);
  useEntityPage(
    entityId,
    t("compare.title", { name }),
    { label: t("versions.title"), to: `/sync-studio/entity/${entityId}/versions` },
    { label: t("compare.crumb") },
  );
  const error = versions.error ?? before.error ?? after.error;
  if (error && (isNotFound(error) || isBadAddress(error))) return <StudioNotFound />;
  return (
    <PageBody>
      <PageHeader title={t("compare.title", { name })} subtitle={t("compare.lead")} />
      <QueryView isScreen query={versions} skeleton={<TableSkeleton />}>
        {({ versions: all }) => <Sides entityId={entityId} versionId={versionId} otherId={otherId} versions={all} />}
      </QueryView>
      {before.isError ? <QueryError error={before.error} onRetry={() => void before.refetch()} /> : null}
      {after.isError ? <QueryError error={after.error} onRetry={() => void after.refetch()} /> : null}
      {found ? <Differences entityId={entityId} otherId={otherId} found={found} /> : error ? null : <TableSkeleton />}
    </PageBody>
  );
}

interface SidesProps {
  entityId: Id<"entity">;
  versionId: Side;
  otherId: Side;
  versions: readonly VersionRow[];
}

/** Which two, and the other way round. */
function Sides({ entityId, versionId, otherId, versions }: SidesProps) {
  const { t } = useWords("sync");
  const navigate = route.useNavigate();
  const hasDraft = usePipelineRow(entityId).data?.pipelineStatusTagData.includes("Draft") ?? false;
  const choices: { value: Side; label: string }[] = [
    ...(hasDraft ? [{ value: "draft" as const, label: t("editor.draft") }] : []),
    ...versions.map(({ id, number, name }) => ({ value: id, label: t("versions.named", { number, name }) })),
  ];
  const compare = (one: Side, two: Side) =>
    void navigate({
      to: "/sync-studio/entity/$entityId/versions/$versionId/compare/$otherId",
      params: { entityId, versionId: one, otherId: two },
      replace: true,
    });
  const chosen = (value: string | null): Side | undefined => choices.find((one) => one.value === value)?.value;
  return (
    <div className="ac-compare__sides">
      <Select
        label={t("compare.before")}
        data={choices}
        value={versionId}
        allowDeselect={false}
        onChange={(value) => compare(chosen(value) ?? versionId, otherId)}
      />
      <Button
        variant="default"
        aria-label={t("compare.swap")}
        title={t("compare.swap")}
        onClick={() => compare(otherId, versionId)}
      >
        <IconArrowsExchange size={16} />
      </Button>
      <Select
        label={t("compare.after")}
        data={choices}
        value={otherId}
        allowDeselect={false}
        onChange={(value) => compare(versionId, chosen(value) ?? otherId)}
      />
    </div>
  );
}

const TONES: Record<Mark, Tone> = { added: "ok", changed: "warn", removed: "error" };

interface DifferencesProps {
  entityId: Id<"entity">;
  otherId: Side;
  found: readonly GraphDifference[];
}

function Differences({ entityId, otherId, found }: DifferencesProps) {
  const { t } = useWords("sync");
  if (found.length === 0)
    return <EmptyState icon={<IconEqual size={22} />} title={t("versions.same")} body={t("compare.sameHint")} />;
  return (
    <>
      <p className="ac-compare__count" role="status">
        {t("compare.count", { count: found.length })}
      </p>
      <ul className="ac-compare" aria-label={t("versions.differences")}>
        {found.map((each) => (
          <li key={each.key}>
            <header>
              <StatusTag tone={TONES[each.mark]}>{t(`versions.${each.mark}`)}</StatusTag>
              <h2>{each.title}</h2>
              <span>{t(`compare.kind_${each.kind}`)}</span>
              {each.nodeId ? <NodeLink entityId={entityId} side={otherId} nodeId={each.nodeId} /> : null}
            </header>
            {each.settings.length > 0 ? <SettingTable difference={each} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Leads to the node in the version it is in. */
function NodeLink({ entityId, side, nodeId }: { entityId: Id<"entity">; side: Side; nodeId: string }) {
  const { t } = useWords("sync");
  const search = { focusNodeId: nodeId };
  return side === "draft" ? (
    <Link
      to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
      params={{ entityId, graphVersion: "draft" }}
      search={search}
    >
      {t("compare.show")}
    </Link>
  ) : (
    <Link to="/sync-studio/entity/$entityId/versions/$versionId" params={{ entityId, versionId: side }} search={search}>
      {t("compare.show")}
    </Link>
  );
}

function SettingTable({ difference: { settings, title } }: { difference: GraphDifference }) {
  const { t } = useWords("sync");
  const side = (value: string | null) => (value === null ? <em>{t("compare.nothing")}</em> : value);
  return (
    <table aria-label={t("compare.settingsOf", { name: title })}>
      <thead>
        <tr>
          <th scope="col">{t("compare.setting")}</th>
          <th scope="col">{t("compare.before")}</th>
          <th scope="col">{t("compare.after")}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{side(before)}</td>
            <td>{side(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
