/** The uploaded files of a synapse: add by dragging or choosing, uploads under way, the list, and what can be done with each. */
import {
  deleteConnectorFile,
  FILE_ENDINGS,
  listConnectorFiles,
  type ConnectorFile,
} from "@accord/contracts/connections/connector-files";
import {
  activateConnector,
  isConnectorActionAllowed,
  type ConnectorDetail,
} from "@accord/contracts/connections/connectors";
import { clockTime, DataTable, EmptyState, ErrorBox, RelativeTime, StatusTag, TableSkeleton } from "@accord/ui";
import { IconFiles } from "@tabler/icons-react";
import { useState } from "react";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { sizeOf } from "../../../shared/byte-size.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { CONNECTOR_READS } from "../queries.ts";
import { DropZone } from "./drop-zone.tsx";
import { FilePreview } from "./file-preview.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "./files.css";

export function FilesTab({ connector }: { connector: ConnectorDetail }) {
  const { connectorId } = connector;
  const files = useEndpoint(listConnectorFiles, { params: { connectorId } });
  return (
    <QueryView query={files} skeleton={<TableSkeleton columns={5} />}>
      {(data) => <Files connector={connector} {...data} />}
    </QueryView>
  );
}

interface FilesProps {
  connector: ConnectorDetail;
  files: readonly ConnectorFile[];
  limits: { fileBytes: number; totalBytes: number };
  used: { bytes: number };
}

function Files({ connector, files, limits, used }: FilesProps) {
  const { t } = useWords("connectorFiles");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const { connectorId } = connector;
  const [looked, setLooked] = useState<ConnectorFile>();
  const [asked, setAsked] = useState<ConnectorFile>();
  const uploads = useUploads(connectorId, (file) => setLooked((now) => now ?? file));
  useUnsavedChanges(uploads.list.length > 0);
  const remove = useCall(deleteConnectorFile, { refreshes: [listConnectorFiles] });
  const activate = useCall(activateConnector, {
    refreshes: [...CONNECTOR_READS],
    onError: (error) => toast.failed(error),
  });
  const saved = () => {
    setLooked(undefined);
    const isNew = connector.status === "NEW" || connector.status === "AUTHENTICATED";
    if (isNew && isConnectorActionAllowed(connector, "activate")) activate.mutate({ params: { connectorId } });
  };
  const room = { size: sizeOf(limits.fileBytes), used: sizeOf(used.bytes), total: sizeOf(limits.totalBytes) };
  return (
    <div className="ac-files">
      {mayWrite ? (
        <DropZone
          accept={FILE_ENDINGS.map((ending) => `.${ending}`).join(",")}
          lead={t("add.lead")}
          button={t("add.button")}
          hint={`${t("add.formats", room)} ${t("add.replaceHint")}`}
          onFiles={uploads.add}
        />
      ) : (
        <ErrorBox tone="info" message={t("noUploads")} />
      )}
      <UploadList uploads={uploads} />
      <FileTable
        files={files.filter(({ name, state }) => state !== "RECEIVING" || !isUnderWay(uploads.list, name))}
        mayWrite={mayWrite}
        onLook={setLooked}
        onDelete={setAsked}
      />
      {looked ? (
        <FilePreview
          key={looked.id}
          connector={connector}
          file={looked}
          onSaved={saved}
          onClose={() => setLooked(undefined)}
        />
      ) : null}
      {asked ? (
        <ConfirmDialog
          opened
          onClose={() => setAsked(undefined)}
          title={t("deleteTitle", { name: asked.name })}
          action={t("action.delete")}
          onConfirm={() => remove.mutateAsync({ params: { connectorId, fileId: asked.id } })}
        >
          {t("deleteBody")}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

const isUnderWay = (uploads: readonly { file: File }[], name: string): boolean =>
  uploads.some(({ file }) => file.name === name);

interface FileTableProps {
  files: readonly ConnectorFile[];
  mayWrite: boolean;
  onLook: (file: ConnectorFile) => void;
  onDelete: (file: ConnectorFile) => void;
}

const TONES = { READY: "ok", RECEIVED: "warn", RECEIVING: "idle" } as const;

function FileTable({ files, mayWrite, onLook, onDelete }: FileTableProps) {
  const { t } = useWords("connectorFiles");
  return (
    <DataTable
      label={t("tab")}
      columns={[
        {
          id: "name",
          header: t("columns.name"),
          minWidth: 200,
          grow: 2,
          sortValue: ({ name }) => name,
          cell: ({ name }) => <strong>{name}</strong>,
        },
        {
          id: "state",
          header: t("columns.state"),
          width: 290,
          sortValue: ({ state }) => state,
          cell: ({ state, expiresAt }) => (
            <span className="ac-files__state">
              <StatusTag tone={TONES[state]} {...(state === "RECEIVING" && { title: t("action.resume") })}>
                {t(`state.${state}`)}
              </StatusTag>
              {expiresAt === null ? null : (
                <small>{t("keptUntil", { when: clockTime(Date.parse(expiresAt), Date.now()) })}</small>
              )}
            </span>
          ),
        },
        {
          id: "rows",
          header: t("columns.rows"),
          width: 100,
          align: "end",
          sortValue: ({ rows }) => rows,
          cell: ({ rows }) => (rows === null ? "–" : rows.toLocaleString("en")),
        },
        {
          id: "size",
          header: t("columns.size"),
          width: 100,
          align: "end",
          sortValue: ({ size }) => size,
          cell: ({ size }) => sizeOf(size),
        },
        {
          id: "at",
          header: t("columns.at"),
          width: 150,
          sortValue: ({ createdAt }) => createdAt,
          cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
        },
        { id: "by", header: t("columns.by"), minWidth: 120, cell: ({ createdBy }) => createdBy },
      ]}
      rows={files}
      rowId={({ id }) => id}
      rowLabel={({ name }) => name}
      onRowOpen={mayWrite ? (file) => file.state !== "RECEIVING" && onLook(file) : undefined}
      rowMenu={
        mayWrite
          ? (file) => [
              file.state === "RECEIVED" && { label: t("action.check"), onSelect: () => onLook(file) },
              file.state === "READY" && { label: t("action.settings"), onSelect: () => onLook(file) },
              { label: t("action.delete"), danger: true, onSelect: () => onDelete(file) },
            ]
          : undefined
      }
      empty={<EmptyState icon={<IconFiles size={22} />} title={t("empty.title")} body={t("empty.body")} />}
    />
  );
}
