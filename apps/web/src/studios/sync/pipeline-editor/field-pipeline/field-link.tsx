/** The way from the entity pipeline to the pipeline of one field, with the state of that one. */
import { Select, VisuallyHidden } from "@mantine/core";
import { IconRoute } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import { useFieldPipelines } from "../queries.ts";
import { FieldStateTags } from "./field-state.tsx";
import "./field-pipeline.css";

interface LinkProps {
  entityId: Id<"entity">;
  row: FieldPipelineRow;
  /** The node that the way back leads to. */
  fromNode: string;
  children: ReactNode;
  className?: string | undefined;
  title?: string | undefined;
}

/** Opens the version that fits the graph the person comes from: drafts lead to drafts. */
export function FieldPipelineLink({ entityId, row, fromNode, children, className, title }: LinkProps) {
  const isDraft = useEditor((state) => state.opened.graphVersion === "draft");
  const graphVersion = row.hasPublished && !(isDraft && row.draft) ? "published" : "draft";
  return (
    <Link
      className={className}
      title={title}
      to="/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion"
      params={{ entityId, fieldId: row.id, graphVersion }}
      search={{ fromNode }}
    >
      {children}
    </Link>
  );
}

/** In a mapping row: one press leads to the field's pipeline, whether it exists or not; below stands its state. */
export function MappingRowPipeline({
  entityId,
  coreField,
  fromNode,
}: {
  entityId: Id<"entity">;
  coreField: string;
  fromNode: string;
}) {
  const { t } = useWords("sync");
  const row = useFieldPipelines(entityId).data?.fields.find(({ apiName }) => apiName === coreField);
  if (!row) return null;
  const exists = row.hasPublished || row.draft !== null;
  const name = t(exists ? "fieldPipeline.open" : "fieldPipeline.openNone", { field: row.displayName });
  const link = { entityId, row, fromNode };
  return (
    <>
      <FieldPipelineLink {...link} className="ac-field-link" title={name}>
        <IconRoute size={15} aria-hidden />
        <VisuallyHidden>{name}</VisuallyHidden>
      </FieldPipelineLink>
      {exists ? (
        <span className="ac-field-state">
          {t("fieldPipeline.stateOf")} <FieldStateTags field={row} />
        </span>
      ) : null}
    </>
  );
}

/** In the core's form: the fields that have a pipeline of their own, and the way to that of any other. */
export function FieldPipelineList({ entityId, fromNode }: { entityId: Id<"entity">; fromNode: string }) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const fields = useFieldPipelines(entityId).data?.fields;
  if (!fields) return null;
  const [own, others] = [true, false].map((wanted) =>
    fields.filter(({ hasPublished, draft }) => (hasPublished || draft !== null) === wanted),
  );
  return (
    <section className="ac-field-list" aria-label={t("fieldPipeline.list")}>
      <h3>{t("fieldPipeline.list")}</h3>
      {own?.length === 0 ? <p>{t("fieldPipeline.listNone")}</p> : null}
      <ul>
        {own?.map((row) => (
          <li key={row.id}>
            <FieldPipelineLink entityId={entityId} row={row} fromNode={fromNode}>
              {row.displayName}
            </FieldPipelineLink>
            <FieldStateTags field={row} />
          </li>
        ))}
      </ul>
      <Select
        aria-label={t("fieldPipeline.openOther")}
        placeholder={t("fieldPipeline.openOther")}
        data={(others ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        value={null}
        searchable
        limit={100}
        onChange={(fieldId) =>
          fieldId &&
          void navigate({
            to: "/sync-studio/entity/$entityId/field/$fieldId/pipeline/$graphVersion",
            params: { entityId, fieldId, graphVersion: "draft" },
            search: { fromNode },
          })
        }
      />
    </section>
  );
}
