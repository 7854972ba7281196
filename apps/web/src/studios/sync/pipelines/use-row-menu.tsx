/** The row menu of a pipeline: its items come from the table of states, its deeds from the API. */
import { type RowAction } from "@accord/ui";
import { deleteEntity } from "@accord/contracts/data/core-schema";
import {
  createPipelineDraft,
  deletePublishedPipeline,
  discardPipelineDraft,
  listPipelines,
  type PipelineRow,
} from "@accord/contracts/sync/pipelines";
import { cancelResync, pausePipeline, resumePipeline, runPipelineNow } from "@accord/contracts/sync/monitoring/runs";
import { rowMenu, type PipelineAction } from "@accord/sync-engine/lifecycle";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { call } from "../../../app/api.ts";
import { explanationOf } from "../../../app/api-error.ts";
import { refresh } from "../../../app/queries.ts";
import { can, useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { waitsForSystem } from "../../../shared/failing-systems.tsx";
import { toast } from "../../../shared/toast.tsx";
import { CloneDialog } from "./parts/clone-dialog.tsx";
import { ResyncDialog } from "./parts/resync-dialog.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

type Confirmed = "deleteDraft" | "deletePublished" | "deleteEntity";
type Cloned = "cloneDraft" | "clonePublished";
type Dialog = { kind: Confirmed | Cloned | "resync"; row: PipelineRow } | null;

const PUBLISHED: ReadonlySet<string> = new Set(["PUBLISHED", "PUBLISHED_WITH_DRAFT"]);
/** Stands in addresses of Schema studio for the model of this instance. */
const CORE_MODEL = "core";
const DANGER: readonly PipelineAction[] = ["deleteDraft", "deletePublished", "deleteEntity"];

export function useRowMenu(): { actionsOf: (row: PipelineRow) => RowAction[]; dialogs: ReactNode } {
  const { t } = useWords("sync");
  const session = useSession();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog>(null);
  const perform = useDeeds(setDialog);

  const actionsOf = (row: PipelineRow): RowAction[] => {
    const items: RowAction[] = rowMenu(row, (permission) => can(session, permission)).map((item) => ({
      label: t(`menu.${item.action}`),
      danger: DANGER.includes(item.action),
      disabledReason: item.disabled ? t(`menu.disabled_${item.disabled}`) : undefined,
      onSelect: () => perform(item.action, row),
    }));
    if (row.pipelineStatus === "UNMAPPED") return items;
    if (waitsForSystem(row) && can(session, "WRITE_STUDIO"))
      items.unshift({ label: t("health.tryNow"), onSelect: () => perform("tryNow", row) });
    const ofPublished = ["pipeline-logs", "metrics", "reconciliation", "versions", "documentation"] as const;
    const shown = ["settings" as const, ...(PUBLISHED.has(row.pipelineStatus) ? ofPublished : [])];
    const pages = shown.map((page): RowAction => ({
      label: t(`menu.${page}`),
      onSelect: () => void navigate({ to: `/sync-studio/entity/$entityId/${page}`, params: { entityId: row.id } }),
    }));
    if (can(session, "VIEW_TRANSACTIONS"))
      pages.push({
        label: t("menu.transactions"),
        onSelect: () => void navigate({ to: "/logs/transactions", search: { entity: row.apiName } }),
      });
    const ofEntity = { connectorId: CORE_MODEL, entityApiName: row.apiName };
    pages.push({
      label: t("menu.fields"),
      onSelect: () =>
        void navigate({
          to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version",
          params: { ...ofEntity, version: "published" },
        }),
    });
    // Before what deletes something.
    const end = items.findIndex(({ danger }) => danger);
    return items.toSpliced(end < 0 ? items.length : end, 0, ...pages);
  };

  return { actionsOf, dialogs: dialog ? <MenuDialog dialog={dialog} onClose={() => setDialog(null)} /> : null };
}

function MenuDialog({ dialog: { kind, row }, onClose }: { dialog: NonNullable<Dialog>; onClose: () => void }) {
  switch (kind) {
    case "resync":
      return <ResyncDialog row={row} onClose={onClose} />;
    case "cloneDraft":
    case "clonePublished":
      return <CloneDialog row={row} version={kind === "cloneDraft" ? "draft" : "published"} onClose={onClose} />;
    default:
      return <ConfirmDeletion kind={kind} row={row} onClose={onClose} />;
  }
}

function useDeeds(setDialog: (dialog: Dialog) => void) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  return (action: PipelineAction | "tryNow", row: PipelineRow): void => {
    const params = { entityId: row.id };
    const open = (graphVersion: "draft" | "published") =>
      void navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { ...params, graphVersion },
      });
    const failed = (): string => {
      if (action === "pause") return t("menu.stopFailed", { name: row.name });
      if (action === "resume") return t("menu.startFailed", { name: row.name });
      return action === "tryNow" ? t("health.tryNow") : t(`menu.${action}`);
    };
    const run = (work: Promise<unknown>, done?: string) =>
      void work.then(
        async () => {
          await refresh(listPipelines);
          if (done) toast.success(done);
        },
        (error: unknown) => toast.error(failed(), { description: explanationOf(error) }),
      );
    switch (action) {
      case "goToPipeline":
        return open("published");
      case "goToDraft":
        return open("draft");
      case "publish":
        return void navigate({
          to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
          params: { ...params, graphVersion: "draft" },
          search: { dialog: "publish" },
        });
      case "manageFieldMap":
        return void navigate({
          to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
          params: { ...params, graphVersion: row.pipelineStatus === "PUBLISHED" ? "published" : "draft" },
          search: { mapper: "first" },
        });
      case "createDraft":
        return void call(createPipelineDraft, { params, body: {} }).then(() => {
          toast.success(t("menu.draftCreated", { name: row.name }));
          open("draft");
        }, toast.failed);
      case "pause":
        return run(call(pausePipeline, { params, body: {} }), t("menu.stopped", { name: row.name }));
      case "resume":
        return run(call(resumePipeline, { params, body: {} }), t("menu.started", { name: row.name }));
      case "tryNow":
        return run(call(runPipelineNow, { params, body: {} }), t("health.triedNow", { name: row.name }));
      case "cancelingResync":
        return;
      case "cancelResync":
        return run(call(cancelResync, { params, body: {} }), t("resync.canceling"));
      case "cloneDraft":
      case "clonePublished":
      case "resync":
      case "deleteDraft":
      case "deletePublished":
      case "deleteEntity":
        return setDialog({ kind: action, row });
    }
  };
}

function ConfirmDeletion({ kind, row, onClose }: { kind: Confirmed; row: PipelineRow; onClose: () => void }) {
  const { t } = useWords("sync");
  const params = { entityId: row.id };
  const deed = {
    deleteDraft: () => call(discardPipelineDraft, { params }),
    deletePublished: () => call(deletePublishedPipeline, { params }),
    deleteEntity: () => call(deleteEntity, { params }),
  }[kind];
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t(`remove.${kind}Title`, { name: row.name })}
      action={t(`menu.${kind}`)}
      {...(kind === "deleteEntity"
        ? {
            typeName: row.name,
            showError: (error: unknown) => (
              <RefusalBox title={t("remove.deleteEntityFailed", { name: row.name })} error={error} />
            ),
          }
        : {})}
      onConfirm={async () => {
        await deed();
        await refresh(listPipelines);
        toast.success(t(`menu.done_${kind}`, { name: row.name }));
      }}
    >
      {t(`remove.${kind}Body`, { name: row.name })}
    </ConfirmDialog>
  );
}
