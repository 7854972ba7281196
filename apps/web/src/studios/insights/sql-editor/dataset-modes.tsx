/** The two ways to define a dataset, and the way between them: nothing of either is lost. */
import type { Id } from "@accord/contracts";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { datasetAsSql, datasetFromSql, datasetSqlNames, type SqlProblem } from "@accord/contracts/insights/dataset-sql";
import { ErrorBox } from "@accord/ui";
import { Button, Modal, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { DatasetEditor, runnable } from "../dataset-editor/dataset-editor.tsx";
import { emptyConfig } from "../dataset-editor/dataset.model.ts";
import { SqlEditor } from "./sql-editor.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface DatasetModesProps {
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
  datasetId?: Id<"dataset"> | undefined;
}

/** The basic definition that a statement was made of. */
interface Made {
  basic: DatasetConfig;
  sql: string;
}

/** Which mode it is, what is said of the way into it, and the way between them. */
function useModes({ config, onChange, datasetId }: DatasetModesProps) {
  const [made, setMade] = useState<Made | null>(null);
  const [earlier, setEarlier] = useState<string | null>(null);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState<SqlProblem | null>(null);
  const id = datasetId ? { datasetId } : {};
  const toSql = useCall(datasetAsSql, {
    onSuccess: ({ sql, notes: said }, { body }) => begin(sql, said, body.datasetConfig),
  });
  const toBasic = useCall(datasetFromSql, {
    onSuccess: ({ datasetConfig, problems }) => {
      if (datasetConfig) leave(datasetConfig);
      else setRefused(problems[0] ?? null);
    },
  });

  const begin = (sql: string, said: readonly string[], basic: unknown): void => {
    const before = config.sql ?? "";
    setEarlier(before.trim() !== "" && before !== sql ? before : null);
    setNotes(said);
    setMade(basic === undefined ? null : { basic: config, sql });
    onChange({ ...config, configMode: "SQL", sql });
  };
  const leave = (basic: DatasetConfig): void => {
    setRefused(null);
    setNotes([]);
    setEarlier(null);
    onChange({ ...basic, configMode: "BASIC", sql: config.sql, variables: config.variables });
  };
  const choose = (mode: string): void => {
    if (mode === config.configMode || toSql.isPending || toBasic.isPending) return;
    if (mode === "SQL") {
      if (config.sources.length === 0) begin(config.sql ?? "", [], undefined);
      else toSql.mutate({ body: { datasetConfig: runnable(config), ...id } });
    } else if ((config.sql ?? "").trim() === "") leave(made?.basic ?? emptyConfig());
    else if (made && made.sql === config.sql) leave(made.basic);
    else toBasic.mutate({ body: { datasetConfig: config, ...id } });
  };
  return {
    choose,
    notes,
    earlier,
    refused,
    error: toSql.error ?? toBasic.error,
    isSwitching: toSql.isPending || toBasic.isPending,
    hasBasic: made !== null,
    stay: () => setRefused(null),
    leave: () => leave(made?.basic ?? emptyConfig()),
    takeBack: (sql: string) => {
      setEarlier(null);
      onChange({ ...config, sql });
    },
  };
}

export function DatasetModes(props: DatasetModesProps) {
  const { config, onChange, datasetId } = props;
  const { t } = useWords("insights");
  const isSql = config.configMode === "SQL";
  const { choose, notes, earlier, refused, error, isSwitching, hasBasic, stay, leave, takeBack } = useModes(props);
  // Refused while the operator has SQL mode switched off: then there is nothing to choose.
  const names = useEndpoint(datasetSqlNames, { query: datasetId ? { datasetId } : {} });
  const hasChoice = isSql || names.data !== undefined;
  return (
    <>
      <div className="ac-modes">
        <div className="ac-modes__row">
          {hasChoice ? (
            <SegmentedControl
              aria-label={t("sqlEditor.mode")}
              value={config.configMode}
              onChange={choose}
              data={[
                { value: "BASIC", label: t("sqlEditor.basic") },
                { value: "SQL", label: t("sqlEditor.sql") },
              ]}
            />
          ) : null}
          {isSwitching ? (
            <span className="ac-quiet" role="status">
              {t("sqlEditor.switching")}
            </span>
          ) : null}
          {isSql && earlier !== null ? (
            <>
              <span className="ac-quiet">{t("sqlEditor.earlier")}</span>
              <Button size="xs" variant="default" onClick={() => takeBack(earlier)}>
                {t("sqlEditor.takeBack")}
              </Button>
            </>
          ) : null}
        </div>
        {error ? <RefusalBox error={error} /> : null}
        {isSql && notes.length > 0 ? <ErrorBox tone="info" message={<Notes notes={notes} />} /> : null}
      </div>
      {isSql ? (
        <SqlEditor key={String(earlier !== null)} config={config} onChange={onChange} datasetId={datasetId} />
      ) : (
        <DatasetEditor config={config} onChange={onChange} datasetId={datasetId} />
      )}
      <CannotLeave refused={refused} hasBasic={hasBasic} onStay={stay} onLeave={leave} />
    </>
  );
}

interface CannotLeaveProps {
  refused: SqlProblem | null;
  /** A basic definition that the statement was made of is still there. */
  hasBasic: boolean;
  onStay: () => void;
  onLeave: () => void;
}

function CannotLeave({ refused, hasBasic, onStay, onLeave }: CannotLeaveProps) {
  const { t } = useWords("insights");
  return (
    <Modal opened={refused !== null} onClose={onStay} title={t("sqlEditor.cannotTitle")} size={460}>
      {refused ? (
        <>
          <p>{t("sqlEditor.cannotBody", { line: refused.line, column: refused.column, message: refused.message })}</p>
          <p>{t("sqlEditor.cannotKept")}</p>
          <div className="ac-modes__row">
            <Button variant="default" onClick={onLeave}>
              {t(hasBasic ? "sqlEditor.leaveEarlier" : "sqlEditor.leaveEmpty")}
            </Button>
            <Button data-autofocus onClick={onStay}>
              {t("sqlEditor.stay")}
            </Button>
          </div>
        </>
      ) : null}
    </Modal>
  );
}

const Notes = ({ notes }: { notes: readonly string[] }) => (
  <ul className="ac-modes__notes">
    {notes.map((note) => (
      <li key={note}>{note}</li>
    ))}
  </ul>
);
