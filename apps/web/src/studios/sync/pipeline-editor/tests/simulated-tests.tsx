/** The saved tests of a pipeline: their list, one with its newest result, and its form. */
import { EmptyState, ErrorBox, RelativeTime, Skeletons, SkeletonBlock } from "@accord/ui";
import { Box, Button, Group } from "@mantine/core";
import { IconArrowLeft, IconPlayerPlay, IconPlus } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import { isProcessing, type PipelineTest } from "@accord/contracts/sync/tests/pipeline-tests";
import { useEffect, useState } from "react";
import { isNotFound } from "../../../../app/api-error.ts";
import { refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { useEditor, useEditorStore } from "../editor-context.tsx";
import type { OpenTestForm } from "./test-form.model.ts";
import { OF_TESTS, useSimulatedRun, useTest, useTests } from "../queries.ts";
import { RunUnderWay } from "./run-under-way.tsx";
import { useTestCalls } from "./test-calls.ts";
import { TestBeforePublish } from "./test-before-publish.tsx";
import { TestFormView } from "./test-form.tsx";
import { RunError, RunTag, TestResultView } from "./test-results.tsx";
import type { TestsProps } from "./tests-props.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

type TestId = Id<"pipelineTest">;
type View = { kind: "list" } | { kind: "new" } | { kind: "edit" | "result"; testId: TestId };

/** A form that was not saved when the panel was closed is shown again. */
function viewOf(kept: OpenTestForm | null): View {
  if (!kept) return { kind: "list" };
  return kept.testId ? { kind: "edit", testId: kept.testId } : { kind: "new" };
}

interface Running {
  isRunning: boolean;
  error: unknown;
  run: (testIds: TestId[]) => void;
}

/** Starts runs of tests and follows the newest one. */
function useRunning({ entityId, save }: TestsProps): Running {
  const { t } = useWords("sync");
  const graphVersion = useEditor((state) => state.opened.graphVersion);
  const store = useEditorStore();
  const calls = useTestCalls(entityId);
  const runId = useEditor((state) => state.testRunId);
  const isTesting = useEditor((state) => state.isTesting);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = useSimulatedRun(entityId, runId);
  const isEnded = run.data !== undefined && !isProcessing(run.data.status);
  // A short run can have ended before anything else saw that it was under way.
  useEffect(() => {
    if (isEnded) void refresh(...OF_TESTS);
  }, [isEnded, runId]);
  const isOwnRunning = runId !== undefined && !isEnded && !run.isError;
  const isRunning = isTesting || isStarting || isOwnRunning;
  const start = async (testIds: TestId[]): Promise<void> => {
    setError(null);
    setStarting(true);
    try {
      if (!(await save())) return;
      const name = t("tests.runName", { count: testIds.length });
      const body = { testIds, name, graphVersion };
      const started = await calls.run(body);
      store.getState().setTestRun(started.id);
      await refresh(...OF_TESTS);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setStarting(false);
    }
  };
  const message = run.data?.message;
  return { isRunning, error: error ?? (message && runId ? new Error(message) : null), run: (ids) => void start(ids) };
}

export function SimulatedTests(props: TestsProps) {
  const store = useEditorStore();
  const [view, setView] = useState<View>(() => viewOf(store.getState().testForm));
  const running = useRunning(props);
  const { entityId } = props;
  const toList = () => setView({ kind: "list" });
  const toResult = (testId: TestId) => setView({ kind: "result", testId });
  if (view.kind === "new") return <TestFormView entityId={entityId} onDone={toResult} onCancel={toList} />;
  return (
    <>
      {running.error ? <RunError error={running.error} /> : null}
      {running.isRunning ? <RunUnderWay {...props} /> : null}
      {view.kind === "list" ? (
        <TestList {...props} running={running} onOpen={toResult} onNew={() => setView({ kind: "new" })} />
      ) : (
        <OneTest
          {...props}
          key={view.testId}
          testId={view.testId}
          isEdited={view.kind === "edit"}
          running={running}
          onBack={toList}
          onEdit={() => setView({ kind: "edit", testId: view.testId })}
          onDone={toResult}
        />
      )}
    </>
  );
}

const ListSkeleton = () => (
  <Skeletons>
    {[0, 1, 2].map((row) => (
      <SkeletonBlock key={row} width="80%" />
    ))}
  </Skeletons>
);

interface ListProps extends TestsProps {
  running: Running;
  onOpen: (testId: TestId) => void;
  onNew: () => void;
}

function TestList({ entityId, mayWrite, running, onOpen, onNew }: ListProps) {
  const { t } = useWords("sync");
  const tests = useTests(entityId);
  const add = (
    <Button variant="default" leftSection={<IconPlus size={16} />} onClick={onNew}>
      {t("tests.add")}
    </Button>
  );
  return (
    <QueryView query={tests} skeleton={<ListSkeleton />}>
      {({ tests: all }) =>
        all.length === 0 ? (
          <EmptyState compact title={t("tests.none")} body={t("tests.noneHint")} action={mayWrite ? add : undefined} />
        ) : (
          <>
            {mayWrite ? (
              <Group gap={8} mb={12}>
                <Button
                  leftSection={<IconPlayerPlay size={16} />}
                  loading={running.isRunning}
                  onClick={() => running.run(all.map(({ id }) => id))}
                >
                  {t("tests.runAll")}
                </Button>
                {add}
              </Group>
            ) : null}
            <ul className="ac-tests__list">
              {all.map((test) => (
                <li key={test.id}>
                  <button type="button" className="ac-row-button" onClick={() => onOpen(test.id)}>
                    <span>
                      {test.name}
                      {test.changedSince ? <small>{t("tests.changedSince")}</small> : null}
                    </span>
                    <RunTag status={test.status} />
                  </button>
                </li>
              ))}
            </ul>
            {mayWrite ? (
              <Box mt={16}>
                <TestBeforePublish entityId={entityId} />
              </Box>
            ) : null}
          </>
        )
      }
    </QueryView>
  );
}

interface OneProps extends TestsProps {
  testId: TestId;
  isEdited: boolean;
  running: Running;
  onBack: () => void;
  onEdit: () => void;
  onDone: (testId: TestId) => void;
}

function OneTest(props: OneProps) {
  const test = useTest(props.entityId, props.testId);
  // Somebody deleted it while it was being changed: what was typed can be saved as a new one.
  if (props.isEdited && isNotFound(test.error))
    return <TestFormView entityId={props.entityId} onDone={props.onDone} onCancel={props.onBack} />;
  return (
    <QueryView query={test} skeleton={<ListSkeleton />}>
      {(found) =>
        props.isEdited ? (
          <TestFormView
            entityId={props.entityId}
            test={found}
            onDone={props.onDone}
            onCancel={() => props.onDone(props.testId)}
          />
        ) : (
          <TestDetail {...props} test={found} />
        )
      }
    </QueryView>
  );
}

function TestDetail({ test, entityId, mayWrite, running, onBack, onEdit, onGoTo }: OneProps & { test: PipelineTest }) {
  const { t } = useWords("sync");
  const calls = useTestCalls(entityId);
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await calls.remove(test.id);
    onBack();
    toast.success(t("tests.removed", { name: test.name }));
    await refresh(...OF_TESTS);
  };
  return (
    <>
      <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={14} />} onClick={onBack}>
        {t("tests.back")}
      </Button>
      <div className="ac-tests__head">
        <h3>{test.name}</h3>
        <RunTag status={test.status} />
      </div>
      {mayWrite ? (
        <Group gap={8} mb={12}>
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            loading={running.isRunning}
            onClick={() => running.run([test.id])}
          >
            {t("tests.run")}
          </Button>
          <Button variant="default" onClick={onEdit}>
            {t("tests.edit")}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setAsking(true)}>
            {t("tests.remove")}
          </Button>
        </Group>
      ) : null}
      <TestedAt test={test} />
      {test.resultDetails ? (
        <TestResultView result={test.resultDetails} onGoTo={onGoTo} />
      ) : (
        <EmptyState compact title={t("tests.notRun")} body={t("tests.never")} />
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t("tests.removeTitle", { name: test.name })}
        action={t("tests.remove")}
        danger
        onConfirm={remove}
      >
        {t("tests.removeBody")}
      </ConfirmDialog>
    </>
  );
}

/** When the result came about, on which version, and whether it still says something of what would run now. */
function TestedAt({ test: { testedAt, testedVersion, changedSince } }: { test: PipelineTest }) {
  const { t } = useWords("sync");
  if (testedAt === null) return null;
  return (
    <>
      <p className="ac-tests__hint">
        {t(testedVersion === "published" ? "tests.ranOnPublished" : "tests.ranOnDraft")} <RelativeTime at={testedAt} />
      </p>
      {changedSince ? <ErrorBox tone="warn" message={t("tests.changedSinceHint")} /> : null}
    </>
  );
}
