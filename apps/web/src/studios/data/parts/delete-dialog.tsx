/** Asks what deleting one or many records shall do in the connected systems. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import {
  countRecords,
  deleteRecord,
  deleteRecords,
  getRecord,
  getRecordCounts,
  searchRecords,
  type ExternalId,
  type Record as RecordRow,
} from "@accord/contracts/data/records";
import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

/** From this many on, the number has to be typed. */
const TYPE_FROM = 10;

export interface DeleteDialogProps {
  entity: CoreEntity;
  /** Empty: closed. */
  records: readonly RecordRow[];
  /** Known on the record page only. */
  externalIds?: readonly ExternalId[];
  onClose: () => void;
  onDone: (kept: boolean) => void;
}

export function DeleteDialog({ entity, records, externalIds = [], onClose, onDone }: DeleteDialogProps) {
  const { t } = useWords("data");
  const [everywhere, setEverywhere] = useState(false);
  const refreshes = [searchRecords, countRecords, getRecord, getRecordCounts];
  const one = useCall(deleteRecord, { refreshes });
  const many = useCall(deleteRecords, { refreshes });
  const count = records.length;
  const single = count === 1 ? records[0] : undefined;
  const systems = [...new Set(externalIds.map(({ connectorName }) => connectorName))].join(", ");

  const remove = async () => {
    if (single)
      await one.mutateAsync({
        params: { entityId: entity.id, recordId: single.accordId },
        query: { deleteInEndSystems: String(everywhere) },
      });
    else
      await many.mutateAsync({
        params: { entityId: entity.id },
        body: { recordIds: records.map(({ accordId }) => accordId), deleteInEndSystems: everywhere },
      });
    toast.success(single ? t("remove.done") : t("remove.doneMany", { count }));
    onDone(everywhere);
  };

  return (
    <ConfirmDialog
      opened={count > 0}
      onClose={onClose}
      title={single ? t("remove.title") : t("remove.titleMany", { count })}
      action={single ? t("remove.deed") : t("remove.deedMany", { count })}
      {...(count >= TYPE_FROM ? { typeName: String(count) } : {})}
      onConfirm={remove}
    >
      <Stack gap={12}>
        {systems ? <span>{t("remove.systems", { systems })}</span> : null}
        <Radio.Group
          label={t("remove.question")}
          value={everywhere ? "everywhere" : "here"}
          onChange={(value) => setEverywhere(value === "everywhere")}
        >
          <Stack gap={10} mt={8}>
            <Radio value="here" label={t("remove.here")} description={t("remove.hereBody")} />
            <Radio value="everywhere" label={t("remove.everywhere")} description={t("remove.everywhereBody")} />
          </Stack>
        </Radio.Group>
      </Stack>
    </ConfirmDialog>
  );
}
