/** Makes or corrects a test: records of a source, taken from the system or pasted, and the values expected in the core. */
import { ErrorBox } from "@accord/ui";
import { ActionIcon, Button, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { PipelineTest } from "@accord/contracts/sync/pipeline-tests";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { textOf } from "@accord/expressions";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useRef, useState } from "react";
import { ApiError, wordsOf } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { focusFirstProblem } from "../../../../shared/first-problem.ts";
import { useEditor } from "../editor-context.tsx";
import { useCoreEntity, useSamples } from "../queries.ts";
import {
  bodyOf,
  emptyForm,
  type ExpectedForm,
  formOf,
  jsonOf,
  readValues,
  type RecordForm,
  withoutMasks,
} from "../test-form.model.ts";
import { useSavedTest } from "../use-saved-test.ts";

interface Props {
  entityId: Id<"entity">;
  /** Absent: a new one. */
  test?: PipelineTest;
  onDone: (testId: Id<"pipelineTest">) => void;
  onCancel: () => void;
}

const replaced = <Row,>(rows: readonly Row[], index: number, row: Row): Row[] =>
  rows.map((each, at) => (at === index ? row : each));

export function TestFormView({ entityId, test, onDone, onCancel }: Props) {
  const { t } = useWords("sync");
  const graph = useEditor((state) => state.graph);
  const sources = graph.nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE");
  const [form, setForm] = useState(() => (test ? formOf(test) : emptyForm(sources[0]?.id ?? "")));
  const [tried, setTried] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const toFirstProblem = () => focusFirstProblem(element.current);
  const { busy, error, problemOf, save } = useSavedTest(entityId, test, { onDone, onRefused: toFirstProblem });
  const submit = (): void => {
    setTried(true);
    const body = bodyOf(form);
    if (!body || body.name === "") return toFirstProblem();
    void save(body);
  };

  return (
    <form
      ref={element}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
    >
      <Stack gap={14}>
        {error ? (
          <ErrorBox
            title={t("tests.form.refused")}
            message={(error instanceof ApiError && error.description) || wordsOf(error)}
          />
        ) : null}
        <TextInput
          label={t("tests.form.name")}
          value={form.name}
          maxLength={100}
          withAsterisk
          data-autofocus
          error={problemOf("name") ?? (tried && form.name.trim() === "" ? t("publish.required") : undefined)}
          onChange={(event) => setForm({ ...form, name: event.currentTarget.value })}
        />
        <RecordRows
          records={form.records}
          sources={sources}
          problemOf={(index) =>
            problemOf(`records.${index}`) ??
            (tried && !readValues(form.records[index]?.text ?? "") ? t("tests.form.notJson") : undefined)
          }
          onChange={(records) => setForm({ ...form, records })}
        />
        <ExpectedRows
          entityId={entityId}
          rows={form.expected}
          recordIds={form.records.map(({ id }) => id)}
          problemOf={problemOf}
          onChange={(expected) => setForm({ ...form, expected })}
        />
        <Group gap={8} justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t("tests.form.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("tests.form.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface RecordRowsProps {
  records: readonly RecordForm[];
  sources: readonly GraphNode[];
  problemOf: (index: number) => string | undefined;
  onChange: (records: readonly RecordForm[]) => void;
}

function RecordRows({ records, sources, problemOf, onChange }: RecordRowsProps) {
  const { t } = useWords("sync");
  const one = { nodeId: sources[0]?.id ?? "", id: String(records.length + 1), text: "{\n}" };
  return (
    <>
      {records.map((record, index) => (
        <RecordRow
          key={index}
          record={record}
          number={index + 1}
          sources={sources}
          error={problemOf(index)}
          onChange={(next) => onChange(replaced(records, index, next))}
          onRemove={records.length > 1 ? () => onChange(records.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...records, one])}
      >
        {t("tests.form.addRecord")}
      </Button>
    </>
  );
}

interface RecordRowProps {
  record: RecordForm;
  number: number;
  sources: readonly GraphNode[];
  error: string | undefined;
  onChange: (record: RecordForm) => void;
  onRemove: (() => void) | undefined;
}

function RecordRow({ record, number, sources, error, onChange, onRemove }: RecordRowProps) {
  const { t } = useWords("sync");
  const source = sources.find(({ id }) => id === record.nodeId);
  const { connectorId, entityDefinition } = source?.configuration ?? {};
  const samples = useSamples(
    connectorId && entityDefinition ? { connectorId, entityApiName: entityDefinition } : undefined,
  );
  const records = samples.data?.records ?? [];
  // Not by its id: a record that is typed in may have the id of one of the system's.
  const [picked, setPicked] = useState<string | null>(null);
  return (
    <fieldset className="ac-tests__record">
      <legend>{t("tests.form.record", { number })}</legend>
      <Select
        label={t("tests.form.source")}
        data={sources.map((node) => ({ value: node.id, label: nodeTitle(node) }))}
        value={record.nodeId}
        allowDeselect={false}
        onChange={(nodeId) => {
          setPicked(null);
          onChange({ ...record, nodeId: nodeId ?? record.nodeId });
        }}
      />
      <Select
        label={t("tests.form.pick")}
        placeholder={t("tests.form.pickHint")}
        searchable
        disabled={records.length === 0}
        error={samples.isError ? wordsOf(samples.error) : undefined}
        data={records.map(({ id, values }) => ({ value: id, label: labelOf(id, values) }))}
        allowDeselect={false}
        value={picked}
        onChange={(id) => {
          setPicked(id);
          const taken = records.find((one) => one.id === id);
          if (taken) onChange({ ...record, id: taken.id, text: jsonOf(withoutMasks(taken.values)) });
        }}
      />
      <TextInput
        label={t("tests.form.id")}
        value={record.id}
        maxLength={200}
        onChange={(event) => onChange({ ...record, id: event.currentTarget.value })}
      />
      <Textarea
        label={t("tests.form.values")}
        value={record.text}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        className="ac-tests__json"
        error={error}
        onChange={(event) => onChange({ ...record, text: event.currentTarget.value })}
      />
      {onRemove ? (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove}>
          {t("tests.form.removeRecord", { number })}
        </Button>
      ) : null}
    </fieldset>
  );
}

/** Enough to find it by: its id and its first texts. */
const labelOf = (id: string, values: Parameters<typeof jsonOf>[0]): string =>
  [id, ...Object.values(values).filter((value) => typeof value === "string" && value !== id)]
    .slice(0, 4)
    .map((value) => textOf(value))
    .join(" · ");

interface ExpectedRowsProps {
  entityId: Id<"entity">;
  rows: readonly ExpectedForm[];
  recordIds: readonly string[];
  problemOf: (path: string) => string | undefined;
  onChange: (rows: ExpectedForm[]) => void;
}

function ExpectedRows({ entityId, rows, recordIds, problemOf, onChange }: ExpectedRowsProps) {
  const { t } = useWords("sync");
  const entity = useCoreEntity(entityId);
  const fields = (entity.data?.fields ?? []).filter(
    ({ status, dataType }) => status === "ACTIVE" && dataType !== "password",
  );
  return (
    <fieldset className="ac-tests__record">
      <legend>{t("tests.form.expected")}</legend>
      {rows.map((row, index) => (
        <div key={index} className="ac-tests__expectation">
          <Select
            aria-label={t("tests.field")}
            placeholder={t("tests.field")}
            searchable
            data={fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
            value={row.apiName || null}
            error={problemOf(`expectedResult.${index}`)}
            onChange={(apiName) => onChange(replaced(rows, index, { ...row, apiName: apiName ?? "" }))}
          />
          <TextInput
            aria-label={t("tests.form.value")}
            placeholder={t("tests.form.value")}
            value={row.text}
            onChange={(event) => onChange(replaced(rows, index, { ...row, text: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            aria-label={t("tests.form.removeExpected", { number: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
          {recordIds.length > 1 ? (
            <Select
              aria-label={t("tests.form.of")}
              placeholder={t("tests.form.of")}
              data={[...new Set(recordIds)]}
              value={row.recordId ?? recordIds[0] ?? null}
              onChange={(recordId) => onChange(replaced(rows, index, { ...row, ...(recordId ? { recordId } : {}) }))}
            />
          ) : null}
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...rows, { apiName: "", text: "" }])}
      >
        {t("tests.form.addExpected")}
      </Button>
    </fieldset>
  );
}
