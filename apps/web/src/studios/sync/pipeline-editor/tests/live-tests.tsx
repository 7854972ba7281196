/** Live runs: a few real records of each source go through the pipeline, and nothing is written. */
import { EmptyState, ErrorBox, RelativeTime, Skeletons, SkeletonBlock } from "@accord/ui";
import { Button, NumberInput } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import { clearLiveTests, startLiveTest } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing, PIPELINE_TEST_LIMITS, type PipelineTestRun } from "@accord/contracts/sync/tests/pipeline-tests";
import { useState } from "react";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useEditor } from "../editor-context.tsx";
import { OF_TESTS, useLiveRun, useLiveRuns } from "../queries.ts";
import { RunUnderWay } from "./run-under-way.tsx";
import { RunError, RunTag, TestResultView } from "./test-results.tsx";
import type { TestsProps } from "./tests-props.ts";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";

type RunId = Id<"pipelineTestRun">;
const FIRST_COUNT = 10;

/** Undefined where what was typed is no number of records that a run takes. */
function recordCount(typed: string | number): number | undefined {
  const count = typed === "" ? Number.NaN : Number(typed);
  return Number.isInteger(count) && count >= 1 && count <= PIPELINE_TEST_LIMITS.liveRecords ? count : undefined;
}

export function LiveTests(props: TestsProps) {
  const { t } = useWords("sync");
  const { entityId, mayWrite, save } = props;
  const graphVersion = useEditor((state) => state.opened.graphVersion);
  const runs = useLiveRuns(entityId);
  const [chosen, setChosen] = useState<RunId>();
  const [typed, setTyped] = useState<string | number>(FIRST_COUNT);
  const count = recordCount(typed);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // The newest one shows by itself, also once it has ended.
  const runId = chosen ?? runs.data?.runs[0]?.id;
  const run = useLiveRun(entityId, runId);
  const isTesting = useEditor((state) => state.isTesting);
  const isRunning = isTesting || isStarting || (run.data !== undefined && isProcessing(run.data.status));
  const start = async (): Promise<void> => {
    if (count === undefined) return;
    setError(null);
    setStarting(true);
    try {
      if (!(await save())) return;
      const body = { name: t("tests.liveName", { count }), records: count, graphVersion };
      setChosen((await call(startLiveTest, { params: { graphId: entityId }, body })).id);
      await refresh(...OF_TESTS);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setStarting(false);
    }
  };
  return (
    <>
      <p className="ac-tests__hint">{t("tests.liveHint")}</p>
      {mayWrite ? (
        <div className="ac-tests__live">
          <NumberInput
            label={t("tests.liveCount")}
            min={1}
            max={PIPELINE_TEST_LIMITS.liveRecords}
            allowDecimal={false}
            value={typed}
            error={
              count === undefined ? t("tests.liveCountInvalid", { max: PIPELINE_TEST_LIMITS.liveRecords }) : undefined
            }
            onChange={setTyped}
          />
          <Button
            leftSection={<IconPlayerPlay size={16} />}
            loading={isRunning}
            disabled={count === undefined}
            onClick={() => void start()}
          >
            {t("tests.liveRun")}
          </Button>
        </div>
      ) : null}
      {error ? <RunError error={error} /> : null}
      {isRunning ? <RunUnderWay {...props} /> : null}
      <QueryView query={runs} skeleton={<RunSkeleton />}>
        {({ runs: all }) =>
          all.length === 0 ? (
            <EmptyState compact title={t("tests.liveNone")} />
          ) : (
            <>
              {run.data ? <LiveResult run={run.data} onGoTo={props.onGoTo} /> : <RunSkeleton />}
              <EarlierRuns runs={all} shown={runId} onChoose={setChosen} />
              {mayWrite ? <ClearRuns entityId={entityId} onCleared={() => setChosen(undefined)} /> : null}
            </>
          )
        }
      </QueryView>
    </>
  );
}

const RunSkeleton = () => (
  <Skeletons>
    <SkeletonBlock width="80%" />
  </Skeletons>
);

function LiveResult({ run, onGoTo }: { run: PipelineTestRun; onGoTo: (nodeId: string) => void }) {
  const { t } = useWords("sync");
  const [result] = run.resultDetails ?? [];
  return (
    <section aria-label={t("tests.results")}>
      <div className="ac-tests__head">
        <h3>{run.name}</h3>
        <RunTag status={run.status} />
      </div>
      {run.message ? <ErrorBox title={t("tests.error")} message={run.message} /> : null}
      {result ? <TestResultView result={result} onGoTo={onGoTo} /> : null}
    </section>
  );
}

interface EarlierProps {
  runs: readonly PipelineTestRun[];
  shown: RunId | undefined;
  onChoose: (runId: RunId) => void;
}

function EarlierRuns({ runs, shown, onChoose }: EarlierProps) {
  const { t } = useWords("sync");
  if (runs.length < 2) return null;
  return (
    <section className="ac-tests__section">
      <h3>{t("tests.earlier")}</h3>
      <ul className="ac-tests__list">
        {runs.map((run) => (
          <li key={run.id}>
            <button
              type="button"
              className="ac-row-button"
              aria-current={run.id === shown || undefined}
              onClick={() => onChoose(run.id)}
            >
              <span>
                {run.name}, <RelativeTime at={run.requestedAt} />
              </span>
              <RunTag status={run.status} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Deletes the runs that have ended. */
function ClearRuns({ entityId, onCleared }: { entityId: Id<"entity">; onCleared: () => void }) {
  const { t } = useWords("sync");
  const [asking, setAsking] = useState(false);
  const clear = async () => {
    await call(clearLiveTests, { params: { graphId: entityId } });
    onCleared();
    await refresh(...OF_TESTS);
  };
  return (
    <>
      <Button variant="subtle" color="gray" size="compact-sm" mt={12} onClick={() => setAsking(true)}>
        {t("tests.clear")}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t("tests.clearTitle")}
        action={t("tests.clear")}
        danger
        onConfirm={clear}
      >
        {t("tests.clearBody")}
      </ConfirmDialog>
    </>
  );
}
