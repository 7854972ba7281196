/** Defines a dataset by a statement: its text with what is wrong in it, its columns, its variables, the tables, its rows. */
import type { Id } from "@accord/contracts";
import type { DatasetConfig, SqlColumn } from "@accord/contracts/insights/dataset-config";
import { checkDatasetSql, datasetSqlNames, type SqlProblem } from "@accord/contracts/insights/dataset-sql";
import { Card, SkeletonBlock, Skeletons } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconPlayerPlay } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { explanationOf } from "../../../app/api-error.ts";
import { useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { Variables } from "../dataset-editor/variables.tsx";
import type { CodeActions } from "./code-editor.tsx";
import { SqlPreview } from "./sql-preview.tsx";
import { SqlTables } from "./sql-tables.tsx";
import "./sql-editor.css";

const CodeEditor = lazy(async () => ({ default: (await import("./code-editor.tsx")).CodeEditor }));

export interface SqlEditorProps {
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
  datasetId?: Id<"dataset"> | undefined;
}

const NOTHING: readonly never[] = [];

export function SqlEditor({ config, onChange, datasetId }: SqlEditorProps) {
  const { t } = useWords("insights");
  const { goTo, ...editor } = useCodeActions();
  const sql = config.sql ?? "";
  const [asked, setAsked] = useState<{ config: DatasetConfig; run: number }>({ config, run: 0 });
  const names = useEndpoint(datasetSqlNames, { query: datasetId ? { datasetId } : {} });
  const check = useCheck(config, datasetId);
  const problems = check.isCurrent ? (check.data?.problems ?? NOTHING) : NOTHING;
  const vocabulary = useMemo(
    () => ({
      tables: names.data?.tables ?? [],
      functions: names.data?.functions ?? [],
      variables: config.variables,
    }),
    [names.data, config.variables],
  );
  const run = (): void => setAsked(({ run: before }) => ({ config, run: before + 1 }));
  return (
    <div className="ac-dataset">
      <div className="ac-dataset__parts">
        <Card
          title={t("sqlEditor.statement")}
          actions={
            <Button size="xs" leftSection={<IconPlayerPlay size={15} />} onClick={run} disabled={sql.trim() === ""}>
              {t("sqlEditor.run")}
            </Button>
          }
        >
          <p className="ac-quiet">{t("sqlEditor.statementHelp")}</p>
          <Suspense fallback={<CodeOutline />}>
            <CodeEditor
              value={sql}
              onChange={(text) => onChange({ ...config, sql: text })}
              onRun={run}
              label={t("sqlEditor.statement")}
              hint={t("sqlEditor.placeholder")}
              vocabulary={vocabulary}
              problems={problems}
              {...editor}
            />
          </Suspense>
          <CheckLine check={check} problems={problems} onGoTo={goTo} />
        </Card>
        <Variables config={config} onChange={onChange} />
        <OutputColumns
          columns={check.data?.columns ?? config.sqlColumns ?? NOTHING}
          named={config.sqlColumns ?? NOTHING}
          onChange={(sqlColumns) => onChange({ ...config, sqlColumns })}
        />
        <SqlTables query={names} onInsert={(text) => editor.actions.current?.insert(text)} />
      </div>
      <div className="ac-dataset__preview">
        <SqlPreview
          config={asked.config}
          run={asked.run}
          isChanged={asked.config.sql !== config.sql || asked.config.variables !== config.variables}
          datasetId={datasetId}
        />
      </div>
    </div>
  );
}

/** A problem may be there, and pressed, before the editor is loaded. */
function useCodeActions() {
  const actions = useRef<CodeActions>(null);
  const startAt = useRef<number>(null);
  const goTo = (at: number): void => {
    if (actions.current) actions.current.goTo(at);
    else startAt.current = at;
  };
  return { actions, startAt, goTo };
}

/** What the server says of the text as it stands, a moment after the last key. */
function useCheck(config: DatasetConfig, datasetId: Id<"dataset"> | undefined) {
  const { sql, variables } = config;
  const [settled] = useDebouncedValue(config, 400);
  const query = useEndpoint(
    checkDatasetSql,
    { body: { datasetConfig: settled, ...(datasetId ? { datasetId } : {}) } },
    { enabled: (settled.sql ?? "").trim() !== "", placeholderData: keepPreviousData, retry: false },
  );
  const isCurrent = settled.sql === sql && settled.variables === variables && !query.isPlaceholderData;
  return { data: query.data, error: query.error, isCurrent: isCurrent && !query.isFetching, isEmpty: !sql?.trim() };
}

function CheckLine({
  check,
  problems,
  onGoTo,
}: {
  check: ReturnType<typeof useCheck>;
  problems: readonly SqlProblem[];
  onGoTo: (at: number) => void;
}) {
  const { t } = useWords("insights");
  return (
    <div className="ac-sql__check" role="status">
      {check.isEmpty ? null : check.error ? (
        <span className="ac-sql__problem">{t("sqlEditor.unchecked", { reason: explanationOf(check.error) })}</span>
      ) : problems.length > 0 ? (
        problems.map((problem) => (
          <button
            key={`${problem.from} ${problem.message}`}
            type="button"
            className="ac-sql__problem"
            title={t("sqlEditor.goTo", { line: problem.line })}
            onClick={() => onGoTo(problem.from)}
          >
            {t("sqlEditor.problemAt", { line: problem.line, column: problem.column, message: problem.message })}
          </button>
        ))
      ) : (
        <span className="ac-quiet">{t(check.isCurrent ? "sqlEditor.checked" : "sqlEditor.checking")}</span>
      )}
    </div>
  );
}

function OutputColumns({
  columns,
  named,
  onChange,
}: {
  columns: readonly SqlColumn[];
  named: readonly SqlColumn[];
  onChange: (columns: SqlColumn[]) => void;
}) {
  const { t } = useWords("insights");
  const nameOf = (column: SqlColumn): string =>
    named.find(({ name }) => name === column.name)?.displayName ?? column.displayName;
  return (
    <Card title={t("sqlEditor.columns")}>
      <p className="ac-quiet">{t(columns.length > 0 ? "sqlEditor.columnsHelp" : "sqlEditor.columnsNone")}</p>
      <ul className="ac-sql__columns">
        {columns.map((column) => (
          <li key={column.name}>
            <code>{column.name}</code>
            <span className="ac-quiet">{column.dataType}</span>
            <DisplayName
              key={nameOf(column)}
              label={t("sqlEditor.displayNameOf", { name: column.name })}
              value={nameOf(column)}
              onChange={(displayName) =>
                onChange(columns.map((one) => ({ ...one, displayName: one === column ? displayName : nameOf(one) })))
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Taken over when it is left, and never empty. */
function DisplayName({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const settle = (): void => {
    if (text.trim() === "") setText(value);
    else if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={text}
      maxLength={120}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={settle}
    />
  );
}

function CodeOutline() {
  const { t } = useWords("insights");
  return (
    <Skeletons label={t("sqlEditor.editorLoading")}>
      <SkeletonBlock height={180} />
    </Skeletons>
  );
}
