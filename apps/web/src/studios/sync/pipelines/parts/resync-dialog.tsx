/** Asks which sources to read again and for which time; a pipeline with a draft is warned about first. */
import { Button, Checkbox, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { listPipelines, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { previewResync } from "@accord/contracts/sync/monitoring/explain";
import { getSyncStatus, startResync } from "@accord/contracts/sync/monitoring/runs";
import { useEffect, useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useCallInDialog } from "../../../../shared/use-call-in-dialog.ts";
import { ResyncPreview } from "./resync-preview.tsx";
import { resyncFaults, toResyncRequest, type ResyncFault, type ResyncForm } from "../resync.model.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

const VALIDATION_PAUSE_MS = 100;
const SCOPES = ["all", "after", "between"] as const;

export function ResyncDialog({ row, onClose }: { row: PipelineRow | null; onClose: () => void }) {
  return row ? <Dialog key={row.id} row={row} onClose={onClose} /> : null;
}

function Dialog({ row, onClose }: { row: PipelineRow; onClose: () => void }) {
  const { t } = useWords("sync");
  const [warned, setWarned] = useState(false);
  const start = useStart(row, onClose);
  const drafted = row.pipelineStatus === "PUBLISHED_WITH_DRAFT" && !warned;
  return (
    <Modal
      opened
      onClose={start.close}
      title={t(drafted ? "resync.draftTitle" : "resync.title", { name: row.name })}
      size={480}
    >
      {drafted ? (
        <Stack gap={16}>
          <p className="ac-dialog__lead">{t("resync.draftBody")}</p>
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t("configure.cancel")}
            </Button>
            <Button onClick={() => setWarned(true)}>{t("resync.goOn")}</Button>
          </Group>
        </Stack>
      ) : (
        <Form row={row} start={start.call} onClose={start.close} />
      )}
    </Modal>
  );
}

function useStart(row: PipelineRow, onClose: () => void) {
  const { t } = useWords("sync");
  return useCallInDialog(startResync, {
    refreshes: [listPipelines, getSyncStatus],
    lateTitle: t("resync.startFailedOf", { name: row.name }),
    onClose,
    onDone: () => toast.success(t("resync.started", { name: row.name })),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "resync_on_paused") toast.warning(error.message);
    },
  });
}

/** The faults of the form as it was 100 ms ago, so that typing is not judged mid-word. */
function useFaults(form: ResyncForm): ResyncFault[] {
  const [faults, setFaults] = useState(() => resyncFaults(form, new Date()));
  useEffect(() => {
    const timer = setTimeout(() => setFaults(resyncFaults(form, new Date())), VALIDATION_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [form]);
  return faults;
}

interface FormProps {
  row: PipelineRow;
  start: ReturnType<typeof useStart>["call"];
  onClose: () => void;
}

function Form({ row, start, onClose }: FormProps) {
  const { t } = useWords("sync");
  const places = row.sources.map((place) => ({
    id: `${place.connectorId}/${place.entityId}`,
    label: `${place.connectorName} · ${place.entityName}`,
  }));
  const [form, setForm] = useState<ResyncForm>({
    scope: "all",
    sources: places.map((place) => place.id),
    from: "",
    to: "",
  });
  const [tried, setTried] = useState(false);
  const faults = useFaults(form);
  const preview = useCall(previewResync);
  const change = (next: ResyncForm) => {
    setForm(next);
    preview.reset();
  };
  // As it is now: what was found last may be of the form before the latest key.
  const isValid = () => resyncFaults(form, new Date()).length === 0;
  const show = () => {
    setTried(true);
    if (isValid()) preview.mutate({ params: { entityId: row.id }, body: toResyncRequest(form) });
  };
  const words = (...of: ResyncFault[]) => {
    const found = of.find((fault) => faults.includes(fault));
    return tried && found ? t(`resync.${found}`) : undefined;
  };
  // Off for whoever looks and listens; a press still says what is missing, which a truly disabled button could not.
  const refused = faults.length > 0 ? { "data-disabled": true, "aria-disabled": true } : {};
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isValid() && !start.isPending) start.mutate({ params: { entityId: row.id }, body: toResyncRequest(form) });
      }}
    >
      <Stack gap={14}>
        <p className="ac-dialog__lead">{t("resync.lead")}</p>
        {start.error ? <RefusalBox title={t("resync.startFailed")} error={start.error} /> : null}
        <Checkbox.Group
          label={t("resync.sources")}
          value={[...form.sources]}
          error={words("sources_missing")}
          onChange={(sources) => change({ ...form, sources })}
        >
          <Stack gap={6} mt={4}>
            {places.map((place) => (
              <Checkbox key={place.id} value={place.id} label={place.label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Radio.Group
          label={t("resync.scope")}
          value={form.scope}
          onChange={(scope) => change({ ...form, scope: SCOPES.find((one) => one === scope) ?? "all" })}
        >
          <Group gap={16} mt={4}>
            {SCOPES.map((scope) => (
              <Radio key={scope} value={scope} label={t(`resync.scope_${scope}`)} />
            ))}
          </Group>
        </Radio.Group>
        {form.scope === "all" ? null : (
          <TextInput
            type="datetime-local"
            label={t("resync.from")}
            value={form.from}
            error={words("from_missing", "from_in_future")}
            onChange={(event) => change({ ...form, from: event.currentTarget.value })}
          />
        )}
        {form.scope === "between" ? (
          <TextInput
            type="datetime-local"
            label={t("resync.to")}
            value={form.to}
            error={words("to_missing", "to_in_future", "to_before_from")}
            onChange={(event) => change({ ...form, to: event.currentTarget.value })}
          />
        ) : null}
        {preview.error ? <RefusalBox error={preview.error} /> : null}
        {preview.data ? <ResyncPreview preview={preview.data} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button
            variant="subtle"
            mr="auto"
            loading={preview.isPending}
            disabled={start.isPending}
            {...refused}
            onClick={show}
          >
            {t("preview.show")}
          </Button>
          <Button variant="default" disabled={start.isPending} onClick={onClose}>
            {t("configure.cancel")}
          </Button>
          <Button type="submit" loading={start.isPending} {...refused}>
            {t("menu.resync")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
