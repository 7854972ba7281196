/** Makes or corrects a test: records of a source, taken from the system or pasted, and the values expected in the core. */
import { Button, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { PipelineTest } from "@accord/contracts/sync/tests/pipeline-tests";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { textOf } from "@accord/expressions";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useRef, useState } from "react";
import { ApiError, explanationOf } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { focusFirstProblem } from "../../../../shared/first-problem.ts";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useSamples } from "../queries.ts";
import {
  bodyOf,
  emptyForm,
  formOf,
  jsonOf,
  readValues,
  type RecordForm,
  sentIndex,
  type TestForm,
  withoutMasks,
  withRecord,
} from "./test-form.model.ts";
import { useSavedTest } from "./use-saved-test.ts";
import { ExpectedRows, replaced } from "./test-expectations.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

interface Props {
  entityId: Id<"entity">;
  /** Absent: a new one. */
  test?: PipelineTest;
  onDone: (testId: Id<"pipelineTest">) => void;
  onCancel: () => void;
}

/** The form as typed, kept in the editor until it is saved or discarded: closing its panel loses nothing. */
function useTestForm(test: PipelineTest | undefined, sources: readonly GraphNode[]) {
  const store = useEditorStore();
  const expectedField = useFieldScope()?.field.apiName;
  const kept = useEditor((state) => state.testForm);
  const [begun] = useState(() => ({
    testId: test?.id,
    revision: test?.revision ?? null,
    form: test ? formOf(test) : emptyForm(sources[0]?.id ?? "", expectedField),
  }));
  const { form, revision } = kept ?? begun;
  return {
    form,
    isTyped: kept !== null,
    setForm: (next: TestForm) => store.getState().keepTestForm({ testId: test?.id, revision, form: next }),
    known: test && { id: test.id, revision: revision ?? test.revision },
    /** Somebody else's change was shown: the next save replaces it. */
    takeNewest: () => store.getState().keepTestForm({ testId: test?.id, revision: null, form }),
    release: () => store.getState().keepTestForm(null),
  };
}

/** Records come in at the sources of the entity pipeline, those of a field too. */
function useEntitySources(): GraphNode[] {
  const own = useEditor((state) => state.graph);
  const scope = useFieldScope();
  return (scope?.entityGraph ?? own).nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE");
}

export function TestFormView({ entityId, test, onDone, onCancel }: Props) {
  const { t } = useWords("sync");
  const sources = useEntitySources();
  const { form, isTyped, setForm, known, takeNewest, release } = useTestForm(test, sources);
  const [tried, setTried] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const toFirstProblem = () => focusFirstProblem(element.current);
  const { busy, error, problemOf, save } = useSavedTest(entityId, known, {
    onDone: (testId) => {
      release();
      onDone(testId);
    },
    onRefused: (refusal) => {
      if (refusal instanceof ApiError && refusal.code === "stale_version") takeNewest();
      toFirstProblem();
    },
  });
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
      {/* What is typed while a save is under way would not be part of it. */}
      <Stack gap={14} inert={busy}>
        {error ? <RefusalBox title={t("tests.form.refused")} error={error} /> : null}
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
          onAdd={() => setForm(withRecord(form, sources[0]?.id ?? ""))}
        />
        <ExpectedRows
          entityId={entityId}
          rows={form.expected}
          records={form.records}
          problemOf={(index) => problemOf(`expectedResult.${sentIndex(form.expected, index) ?? "none"}`)}
          onChange={(expected) => setForm({ ...form, expected })}
        />
        <FormButtons
          busy={busy}
          isTyped={isTyped}
          onCancel={() => {
            release();
            onCancel();
          }}
        />
      </Stack>
    </form>
  );
}

/** What was typed is discarded only after a question. */
function FormButtons({ busy, isTyped, onCancel }: { busy: boolean; isTyped: boolean; onCancel: () => void }) {
  const { t } = useWords("sync");
  const [isAsking, setAsking] = useState(false);
  return (
    <Group gap={8} justify="flex-end">
      <Button variant="default" onClick={() => (isTyped ? setAsking(true) : onCancel())}>
        {t("tests.form.cancel")}
      </Button>
      <Button type="submit" loading={busy}>
        {t("tests.form.save")}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t("tests.form.discardTitle")}
        action={t("tests.form.discard")}
        onConfirm={onCancel}
      >
        {t("tests.form.discardBody")}
      </ConfirmDialog>
    </Group>
  );
}

interface RecordRowsProps {
  records: readonly RecordForm[];
  sources: readonly GraphNode[];
  problemOf: (index: number) => string | undefined;
  onChange: (records: readonly RecordForm[]) => void;
  onAdd: () => void;
}

function RecordRows({ records, sources, problemOf, onChange, onAdd }: RecordRowsProps) {
  const { t } = useWords("sync");
  return (
    <>
      {records.map((record, index) => (
        <RecordRow
          key={record.key}
          record={record}
          number={index + 1}
          sources={sources}
          error={problemOf(index)}
          onChange={(next) => onChange(replaced(records, index, next))}
          onRemove={records.length > 1 ? () => onChange(records.filter((_, at) => at !== index)) : undefined}
        />
      ))}
      <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={onAdd}>
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
        error={samples.isError ? explanationOf(samples.error) : undefined}
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
