/** What a pipeline does in words, made from its graph; exported as Markdown. */
import { EmptyState, PageBody, PageHeader, SkeletonBlock, Skeletons, StatusTag } from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { IconDownload, IconFileText } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { OpenedGraph } from "@accord/contracts/sync/pipelines";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { isBadAddress, isNotFound } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { sanitiseName } from "../../../shared/names.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { EntityPages } from "../addresses/entity-pages.tsx";
import { useEntityPage } from "../addresses/use-entity-page.ts";
import { graphVersionOf, type Version } from "../addresses/graph-version.ts";
import { StudioNotFound } from "../addresses/studio-not-found.tsx";
import { toMarkdown } from "../graph-words/markdown.ts";
import { documentOf, type DocumentedNode, type PipelineDocument } from "../graph-words/pipeline-document.ts";
import { useGraphWords } from "../graph-words/use-graph-words.ts";
import { useOpenedGraph, usePipelineRow } from "../pipeline-editor/queries.ts";
import { saveFile } from "./save-file.ts";
import "./documentation.css";

const route = getRouteApi("/signed-in/sync-studio/entity/$entityId/documentation/$graphVersion");

export function DocumentationScreen() {
  const { entityId, graphVersion } = route.useParams();
  const version = graphVersionOf(graphVersion);
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      {version ? <Documentation key={version} entityId={entityId} version={version} /> : <StudioNotFound />}
    </Demand>
  );
}

const DocumentSkeleton = () => (
  <Skeletons>
    {["60%", "90%", "75%", "40%"].map((width) => (
      <SkeletonBlock key={width} width={width} />
    ))}
  </Skeletons>
);

function Documentation({ entityId, version }: { entityId: Id<"entity">; version: Version }) {
  const { t } = useWords("sync");
  const row = usePipelineRow(entityId);
  const opened = useOpenedGraph(entityId, version);
  const name = row.data?.name ?? "";
  useEntityPage(entityId, t("documentation.title", { name }), { label: t("documentation.crumb") });
  if (row.isError && (isNotFound(row.error) || isBadAddress(row.error))) return <StudioNotFound />;
  // The pipeline exists, this version of it does not.
  if (opened.isError && isNotFound(opened.error))
    return (
      <PageBody>
        <PageHeader title={t("documentation.title", { name })} />
        <EntityPages entityId={entityId} current="documentation" />
        <EmptyState
          icon={<IconFileText size={22} />}
          title={t(version === "draft" ? "editor.noDraft" : "editor.noPublished", { name })}
          body={t("documentation.noneHint")}
          action={
            <Button component={Link} to={`/sync-studio/entity/${entityId}/pipeline`} variant="default">
              {t("documentation.openGraph")}
            </Button>
          }
        />
      </PageBody>
    );
  return (
    <PageBody>
      <QueryView isScreen query={opened} skeleton={<DocumentSkeleton />}>
        {(graph) => <OpenDocument entityId={entityId} version={version} name={name} opened={graph} />}
      </QueryView>
    </PageBody>
  );
}

interface OpenDocumentProps {
  entityId: Id<"entity">;
  version: Version;
  name: string;
  opened: OpenedGraph;
}

function OpenDocument({ entityId, version, name, opened }: OpenDocumentProps) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const words = useGraphWords(entityId);
  const found = useMemo(() => (words ? documentOf(opened.graph, words, name) : undefined), [opened, words, name]);
  const head = { title: t("editor.pageTitle", { name }), version: useVersionLine(opened) };
  return (
    <>
      <PageHeader
        title={t("documentation.title", { name })}
        tags={<StatusTag tone={version === "draft" ? "warn" : "ok"}>{t(`editor.${version}`)}</StatusTag>}
        subtitle={head.version}
        actions={
          <>
            <SegmentedControl
              aria-label={t("editor.version")}
              data={[
                { value: "draft", label: t("editor.draft"), disabled: !opened.hasDraft },
                { value: "published", label: t("editor.published"), disabled: !opened.hasPublished },
              ]}
              value={version}
              onChange={(graphVersion) =>
                void navigate({
                  to: "/sync-studio/entity/$entityId/documentation/$graphVersion",
                  params: { entityId, graphVersion },
                })
              }
            />
            <Button
              leftSection={<IconDownload size={15} />}
              disabled={!found}
              onClick={() =>
                found &&
                saveFile(`${sanitiseName(head.title)}.md`, toMarkdown(found, head, t), "text/markdown;charset=utf-8")
              }
            >
              {t("documentation.export")}
            </Button>
          </>
        }
      />
      <EntityPages entityId={entityId} current="documentation" />
      {found ? <Document found={found} entityId={entityId} version={version} /> : <DocumentSkeleton />}
    </>
  );
}

/** Which version it is of, and who made it when. */
function useVersionLine(opened: OpenedGraph): string {
  const { t } = useWords("sync");
  const by = opened.updatedBy ? `${opened.updatedBy.firstName} ${opened.updatedBy.lastName}`.trim() : "";
  const at = opened.updatedAt ? new Date(opened.updatedAt).toLocaleString() : "";
  if (opened.graphVersion === "draft") return t("documentation.draftBy", { name: by, at });
  const number = opened.versionNumber;
  return t("documentation.versionBy", { number, version: opened.versionName ?? "", name: by, at });
}

interface DocumentProps {
  found: PipelineDocument;
  entityId: Id<"entity">;
  version: Version;
}

function Document({ found, entityId, version }: DocumentProps) {
  const { t } = useWords("sync");
  if (found.sections.length === 0) return <EmptyState title={t("editor.emptyTitle")} body={t("editor.empty")} />;
  return (
    <article className="ac-document">
      <p>{found.summary}</p>
      {found.sections.map(({ name, nodes }) => (
        <section key={name} aria-labelledby={`document-${name}`}>
          <h2 id={`document-${name}`}>{t(`documentation.section_${name}`)}</h2>
          {nodes.map((node) => (
            <DocumentedNodeView key={node.id} node={node} entityId={entityId} version={version} />
          ))}
        </section>
      ))}
      {found.groups.length > 0 ? (
        <section aria-labelledby="document-groups">
          <h2 id="document-groups">{t("documentation.groups")}</h2>
          <ul>
            {found.groups.map(({ title, description, members }) => (
              <li key={title}>
                <strong>{title}</strong> {[description, members.join(", ")].filter(Boolean).join(" · ")}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {found.notes.length > 0 ? (
        <section aria-labelledby="document-notes">
          <h2 id="document-notes">{t("note.title")}</h2>
          {found.notes.map(({ id, text, nodes }) => (
            <div key={id} className="ac-document__node">
              <blockquote>{text}</blockquote>
              {nodes.length > 0 ? (
                <p className="ac-document__fact">{t("note.on", { nodes: nodes.join(", ") })}</p>
              ) : null}
            </div>
          ))}
        </section>
      ) : null}
    </article>
  );
}

function DocumentedNodeView({ node, entityId, version }: { node: DocumentedNode } & Omit<DocumentProps, "found">) {
  const { t } = useWords("sync");
  const facts = [
    node.from.length > 0 ? `${t("documentation.from")}: ${node.from.join(", ")}` : "",
    node.to.length > 0 ? `${t("documentation.to")}: ${node.to.join(", ")}` : "",
    node.group ? `${t("node.group")}: ${node.group}` : "",
  ].filter(Boolean);
  return (
    <div className="ac-document__node">
      <h3>
        <Link
          to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
          params={{ entityId, graphVersion: version }}
          search={{ focusNodeId: node.id }}
        >
          {node.title}
        </Link>
      </h3>
      <p>{node.line}</p>
      {node.description ? <blockquote>{node.description}</blockquote> : null}
      {facts.map((fact) => (
        <p key={fact} className="ac-document__fact">
          {fact}
        </p>
      ))}
      {node.settings.length > 0 ? (
        <dl>
          {node.settings.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {node.mapping.length > 0 ? (
        <table aria-label={t("documentation.mappingOf", { name: node.title })}>
          <thead>
            <tr>
              <th scope="col">{t("documentation.systemField")}</th>
              <th scope="col">{t("documentation.coreField")}</th>
            </tr>
          </thead>
          <tbody>
            {node.mapping.map(({ connectorField, coreField }) => (
              <tr key={connectorField}>
                <td>
                  <code>{connectorField}</code>
                </td>
                <td>{coreField}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  );
}
