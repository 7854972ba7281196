/** One export: its state in words, how far it is, why it failed, and what can be done with it. */
import { API_PREFIX } from "@accord/contracts";
import {
  cancelDatasetExport,
  createDatasetExport,
  type DatasetExport,
  deleteDatasetExport,
  downloadDatasetExport,
  type ExportStatus,
  listDatasetExports,
} from "@accord/contracts/insights/dataset-exports";
import { ErrorBox, ProgressBar, RelativeTime, StatusTag, type Tone } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconDownload, IconPlayerStop, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { sizeOf } from "../../../shared/byte-size.ts";
import { showSuccess } from "../parts/show-success.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const TONES: Readonly<Record<ExportStatus, Tone>> = {
  QUEUED: "idle",
  RUNNING: "ember",
  COMPLETED: "ok",
  FAILED: "error",
  CANCELED: "idle",
};

const number = (count: number): string => count.toLocaleString("en-US");

const dayAndTime = (at: string): string =>
  new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "short" });

/** It waits or runs. */
export const isUnderWay = ({ status }: DatasetExport): boolean => status === "QUEUED" || status === "RUNNING";

interface ExportItemProps {
  one: DatasetExport;
  mayStart: boolean;
  onDeleted: () => void;
}

export function ExportItem({ one, mayStart, onDeleted }: ExportItemProps) {
  const { t } = useWords("insights");
  return (
    <li className="ac-drawer-entry">
      <div className="ac-drawer-entry__head">
        <strong>{one.fileName}</strong>
        <span role="status">
          <StatusTag tone={TONES[one.status]} busy={one.status === "RUNNING"}>
            {t(`exports.status.${one.status}`)}
          </StatusTag>
        </span>
      </div>
      <Progress one={one} />
      {one.error === null ? null : <ErrorBox message={one.error} />}
      <p className="ac-quiet">
        <RelativeTime at={one.createdAt} />
        {one.status === "COMPLETED" ? (
          <>
            {" · "}
            {t("exports.rows", { count: one.rows, rows: number(one.rows) })}
            {" · "}
            {sizeOf(one.bytes)}
            {" · "}
            {t("exports.expires", { when: dayAndTime(one.expiresAt) })}
          </>
        ) : null}
      </p>
      <Actions one={one} mayStart={mayStart} onDeleted={onDeleted} />
    </li>
  );
}

function Progress({ one: { status, rows, totalRows, fileName } }: { one: DatasetExport }) {
  const { t } = useWords("insights");
  if (status === "QUEUED") return <p className="ac-quiet">{t("exports.waiting")}</p>;
  if (status !== "RUNNING") return null;
  return (
    <ProgressBar
      tone="ember"
      label={t("exports.progress", { name: fileName })}
      percent={totalRows === null ? undefined : totalRows === 0 ? 100 : (rows / totalRows) * 100}
      note={
        totalRows === null
          ? t("exports.rowsSoFar", { count: rows, rows: number(rows) })
          : t("exports.rowsOf", { rows: number(rows), total: number(totalRows) })
      }
    />
  );
}

function Actions({ one, mayStart, onDeleted }: ExportItemProps) {
  const { t } = useWords("insights");
  const mayDownload = useCan("DOWNLOAD_EXPORT");
  const isOpen = isUnderWay(one);
  const isRepeatable = one.status === "FAILED" || one.status === "CANCELED";
  return (
    <div className="ac-drawer-entry__actions">
      {mayDownload && one.status === "COMPLETED" ? (
        <Button
          size="xs"
          component="a"
          href={`${API_PREFIX}${downloadDatasetExport.path.replace(":exportId", one.id)}`}
          download
          leftSection={<IconDownload size={15} />}
          aria-label={t("exports.downloadOf", { name: one.fileName })}
        >
          {t("exports.download")}
        </Button>
      ) : null}
      {isOpen ? <Cancel one={one} /> : null}
      {mayStart && isRepeatable ? <TryAgain one={one} /> : null}
      {isOpen ? null : <Delete one={one} onDeleted={onDeleted} />}
    </div>
  );
}

const refreshes = [listDatasetExports];

interface CallButtonProps {
  call: { isPending: boolean; error: Error | null };
  icon: React.ReactNode;
  label: string;
  /** With the name of the file. */
  fullLabel: string;
  isQuiet?: boolean;
  onPress: () => void;
}

/** A button, busy while its call is under way, and what that was refused for. */
function CallButton({ call, icon, label, fullLabel, isQuiet = false, onPress }: CallButtonProps) {
  return (
    <>
      <Button
        size="xs"
        {...(isQuiet ? { variant: "subtle", color: "idle" } : { variant: "default" })}
        leftSection={icon}
        aria-label={fullLabel}
        loading={call.isPending}
        onClick={onPress}
      >
        {label}
      </Button>
      {call.error ? <RefusalBox error={call.error} /> : null}
    </>
  );
}

function Cancel({ one: { id, fileName } }: { one: DatasetExport }) {
  const { t } = useWords("insights");
  const mayCancel = useCan("CANCEL_EXPORT");
  const cancel = useCall(cancelDatasetExport, { refreshes });
  if (!mayCancel) return null;
  return (
    <CallButton
      call={cancel}
      icon={<IconPlayerStop size={15} />}
      label={t("exports.cancel")}
      fullLabel={t("exports.cancelOf", { name: fileName })}
      onPress={() => cancel.mutate({ params: { exportId: id } })}
    />
  );
}

function TryAgain({ one: { datasetId, format, variablesMap, fileName } }: { one: DatasetExport }) {
  const { t } = useWords("insights");
  const again = useCall(createDatasetExport, { refreshes, onSuccess: () => showSuccess(t("exports.started")) });
  return (
    <CallButton
      call={again}
      icon={<IconRefresh size={15} />}
      label={t("exports.again")}
      fullLabel={t("exports.againOf", { name: fileName })}
      onPress={() => again.mutate({ params: { id: datasetId }, body: { format, variablesMap } })}
    />
  );
}

function Delete({ one: { id, fileName }, onDeleted }: Pick<ExportItemProps, "one" | "onDeleted">) {
  const { t } = useWords("insights");
  const mayDelete = useCan("DELETE_EXPORT");
  const remove = useCall(deleteDatasetExport, {
    refreshes,
    onSuccess: () => {
      showSuccess(t("exports.deleted"));
      onDeleted();
    },
  });
  if (!mayDelete) return null;
  return (
    <CallButton
      call={remove}
      icon={<IconTrash size={15} />}
      label={t("exports.delete")}
      fullLabel={t("exports.deleteOf", { name: fileName })}
      isQuiet
      onPress={() => remove.mutate({ params: { exportId: id } })}
    />
  );
}
