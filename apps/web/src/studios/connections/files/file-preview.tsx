/** A file before it is used: what is asked, its first rows as they are read, what is wrong, and how it is written. */
import {
  listConnectorFiles,
  previewConnectorFile,
  saveConnectorFile,
  type ConnectorFile,
  type FileTablePreview,
} from "@accord/contracts/connections/connector-files";
import { getSampleRecords, type ConnectorDetail } from "@accord/contracts/connections/connectors";
import { ErrorBox, ProgressBar } from "@accord/ui";
import { Button } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { FormDrawer } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { CONNECTOR_READS } from "../queries.ts";
import { asked, choose, hasOpenQuestions, settingsToSave, type Chosen, type Question } from "./file-preview.model.ts";
import { TablePreview } from "./table-preview.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface FilePreviewProps {
  connector: Pick<ConnectorDetail, "connectorId">;
  file: ConnectorFile;
  onSaved: () => void;
  onClose: () => void;
}

export function FilePreview({ connector: { connectorId }, file, onSaved, onClose }: FilePreviewProps) {
  const { t } = useWords("connectorFiles");
  const [chosen, setChosen] = useState<Chosen>({});
  /** What was chosen before the last choice. */
  const [before, setBefore] = useState<Chosen>();
  const params = { connectorId, fileId: file.id };
  const preview = useEndpoint(
    previewConnectorFile,
    { params, body: { chosen } },
    // Read once for each choice, and never taken from an earlier time: others may have saved since.
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  const save = useCall(saveConnectorFile, {
    refreshes: [listConnectorFiles, getSampleRecords, ...CONNECTOR_READS],
    onSuccess: () => {
      toast.success(t("preview.saved", { name: file.name }));
      onSaved();
    },
  });
  return (
    <FormDrawer
      opened
      isDirty={Object.keys(chosen).length > 0}
      onClose={onClose}
      position="right"
      size={860}
      title={t("preview.title", { name: file.name })}
    >
      <div className="ac-preview">
        {preview.isError && before ? (
          // With what was chosen last the file can't be read: nothing else is lost.
          <RefusalBox
            error={preview.error}
            actions={
              <Button size="xs" variant="default" onClick={() => setChosen(before)}>
                {t("action.takeBack")}
              </Button>
            }
          />
        ) : (
          <QueryView
            query={preview}
            skeleton={
              <div role="status">
                <ProgressBar label={t("preview.reading")} />
              </div>
            }
          >
            {({ tables }) => (
              <Tables
                tables={tables}
                chosen={chosen}
                isOld={preview.isPlaceholderData}
                isReady={file.state === "READY"}
                isSaving={save.isPending}
                refused={save.error}
                onChoose={(next) => {
                  setBefore(chosen);
                  setChosen(next);
                }}
                onSave={() => save.mutate({ params, body: { settings: settingsToSave(tables) } })}
              />
            )}
          </QueryView>
        )}
      </div>
    </FormDrawer>
  );
}

interface TablesProps {
  tables: readonly FileTablePreview[];
  chosen: Chosen;
  /** A choice was made and its preview is on the way. */
  isOld: boolean;
  isReady: boolean;
  isSaving: boolean;
  refused: Error | null;
  onChoose: (chosen: Chosen) => void;
  onSave: () => void;
}

function Tables({ tables, chosen, isOld, isReady, isSaving, refused, onChoose, onSave }: TablesProps) {
  const { t } = useWords("connectorFiles");
  const [seen, setSeen] = useState<Readonly<Record<string, readonly Question[]>>>({});
  const questions = asked(tables, seen, chosen);
  const isOpen = hasOpenQuestions(tables);
  return (
    <>
      {tables.map((table) => (
        <TablePreview
          key={table.entity}
          table={table}
          questions={questions[table.entity] ?? []}
          chosen={chosen[table.entity] ?? {}}
          isOld={isOld}
          onChoose={(part) => {
            setSeen(questions);
            onChoose(choose(chosen, table.entity, part));
          }}
        />
      ))}
      {isReady && Object.keys(chosen).length > 0 ? (
        <ErrorBox
          tone="info"
          message={t("preview.readAgain", { name: tables.map(({ entity }) => entity).join(", ") })}
        />
      ) : null}
      {refused ? <RefusalBox error={refused} /> : null}
      <div className="ac-preview__foot">
        {isOpen ? <span role="status">{t("preview.unanswered")}</span> : null}
        <Button disabled={isOpen || isOld} loading={isSaving} onClick={onSave}>
          {t(isReady ? "preview.saveChanges" : "preview.save")}
        </Button>
      </div>
    </>
  );
}
