/** Beside an entity that is described: the list is called, and what its answer proposes is taken over or tried further. */
import { HttpField, HttpPaging, HttpStopRules } from "@accord/contracts/connections/http-entity";
import {
  testHttpSynapse,
  type PagingProposal,
  type SynapseReadTest,
  type SynapseTestResult,
} from "@accord/contracts/connections/http-synapse-tests";
import { settingsOfVersion } from "@accord/contracts/connections/http-synapse-definition";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { Card, ErrorBox, FormIntro } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { FoundLists } from "../http/found-lists.tsx";
import { plainEntity, takeProposal, type EntityDraft } from "../http-entity.model.ts";
import { ProblemBox } from "../parts/check-result.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { ValueTable } from "../parts/value-table.tsx";
import { ExchangeList } from "./exchange-view.tsx";
import { PasteAnswer } from "./paste-answer.tsx";
import type { EntityWork } from "./use-synapse-entity.ts";
import { WriteTrial } from "./write-trial.tsx";

interface EntityTrialProps {
  synapse: HttpSynapse;
  work: EntityWork;
  isDraft: boolean;
  step: "basic" | "configuration" | "review";
}

export function EntityTrial({ synapse, work, isDraft, step }: EntityTrialProps) {
  const { t } = useWords("customSynapses");
  const mayTest = useCan("TEST_CONNECTION");
  const mayWrite = useCan("WRITE_CONNECTOR");
  const test = useCall(testHttpSynapse);
  const [first, setFirst] = useState<SynapseTestResult | null>(null);
  const { draft, setDraft } = work;
  const body = { metadataId: synapse.id, settings: settingsOfVersion(synapse) };
  const run = async (call: SynapseReadTest): Promise<void> => {
    const result = await test.mutateAsync({ body: { ...body, call } }).catch(() => null);
    if (result && call.kind === "list") setFirst(result);
  };
  const list = (part: Partial<EntityDraft["list"]> = {}) =>
    run({ kind: "list", entity: plainEntity({ ...draft, fields: [], list: { ...draft.list, ...part } }) });
  const kind = test.variables?.body.call.kind;
  const result = test.data;
  return (
    <Card
      title={t("trial.title")}
      className="ac-http__preview ac-trial"
      actions={
        mayTest ? (
          <Button loading={test.isPending} disabled={draft.list.path.trim() === ""} onClick={() => void list()}>
            {t("trial.send")}
          </Button>
        ) : null
      }
    >
      {mayTest && step === "configuration" ? <Further draft={draft} run={run} isBusy={test.isPending} /> : null}
      {!result && !test.isPending && !test.error ? <FormIntro>{t("trial.lead")}</FormIntro> : null}
      <div aria-live="polite" className="ac-trial">
        {test.isPending ? <p>{t("trial.sending")}</p> : null}
        {test.error ? <RefusalBox error={test.error} /> : null}
        {result?.problem ? <ProblemBox title={t("trial.fails")} problem={result.problem} /> : null}
        {result && !result.problem && kind !== "secondPage" ? (
          <ErrorBox tone="ok" message={t("trial.found", { count: result.pages[0]?.count ?? 0 })} />
        ) : null}
        {result && !result.problem && kind === "secondPage" ? <Pages result={result} /> : null}
        {first && kind === "list" && isDraft ? (
          <Proposals
            draft={draft}
            result={first}
            onSelector={(recordSelector) => {
              setDraft({ ...draft, list: { ...draft.list, recordSelector } });
              void list({ recordSelector });
            }}
            onDraft={setDraft}
          />
        ) : null}
        {result && result.sample.length > 0 ? <Sample result={result} /> : null}
        {result ? <ExchangeList exchanges={result.exchanges} count={result.exchangeCount} /> : null}
      </div>
      {mayWrite && isDraft && step === "configuration" ? (
        <WriteTrial body={body} draft={draft} records={first?.sample ?? []} />
      ) : null}
      {isDraft ? <PasteAnswer draft={draft} onDraft={setDraft} /> : null}
    </Card>
  );
}

function Sample({ result }: { result: SynapseTestResult }) {
  const { t } = useWords("customSynapses");
  const names = [...new Set(result.sample.flatMap((record) => Object.keys(record)))];
  return (
    <ValueTable
      label={t("trial.records")}
      columns={names.map((name) => ({ name, label: name }))}
      rows={result.sample}
    />
  );
}

interface ProposalsProps {
  draft: EntityDraft;
  result: SynapseTestResult;
  onSelector: (selector: string) => void;
  onDraft: (draft: EntityDraft) => void;
}

function Proposals({ draft, result, onSelector, onDraft }: ProposalsProps) {
  const { t } = useWords("customSynapses");
  const selector = draft.list.recordSelector || result.recordSelectors[0] || "$";
  const known = new Set((draft.fields ?? []).map(({ apiName }) => apiName));
  const isTaken = result.fields.every(({ apiName }) => typeof apiName === "string" && known.has(apiName));
  return (
    <>
      <FoundLists label={t("trial.lists")} result={result} selector={selector} onSelector={onSelector} />
      {result.fields.length > 0 ? (
        <div>
          <Button
            variant="light"
            disabled={isTaken}
            onClick={() => onDraft(takeProposal(draft, HttpField.array().parse(result.fields), selector))}
          >
            {t(isTaken ? "trial.fieldsUsed" : "trial.useFields")}
          </Button>
        </div>
      ) : null}
      {result.problem ? null : (
        <PagingProposals
          proposals={result.paging}
          used={draft.list.paging?.kind ?? "none"}
          onUse={({ paging, stop }) =>
            onDraft({
              ...draft,
              list: {
                ...draft.list,
                recordSelector: draft.list.recordSelector || (selector === "$" ? "" : selector),
                paging: HttpPaging.parse(paging),
                stop: HttpStopRules.parse({ ...draft.list.stop, ...stop }),
              },
            })
          }
        />
      )}
    </>
  );
}

interface PagingProposalsProps {
  proposals: readonly PagingProposal[];
  /** The kind that the list has now. */
  used: string;
  onUse: (proposal: PagingProposal) => void;
}

function PagingProposals({ proposals, used, onUse }: PagingProposalsProps) {
  const { t } = useWords("customSynapses", "connections");
  if (proposals.length === 0) return <FormIntro>{t("trial.noPaging")}</FormIntro>;
  return (
    <div role="group" aria-label={t("trial.paging")} className="ac-trial">
      <h3>{t("trial.paging")}</h3>
      {proposals.map((proposal) => {
        const { kind: id } = HttpPaging.parse(proposal.paging);
        const kind = t(`connections:http.pagingKind.${id}`);
        return (
          <div key={kind} className="ac-trial__proposal">
            <span>{t("trial.pagingFound", { kind, place: proposal.foundAt })}</span>
            <Button
              size="xs"
              variant="light"
              disabled={id === used}
              aria-label={`${t("trial.usePaging")} ${kind}`}
              onClick={() => onUse(proposal)}
            >
              {t(id === used ? "trial.pagingUsed" : "trial.usePaging")}
            </Button>
          </div>
        );
      })}
    </div>
  );
}

function Pages({ result: { pages, repeated } }: { result: SynapseTestResult }) {
  const { t } = useWords("customSynapses");
  const [first, second] = pages;
  if (!second) return <ErrorBox tone="info" message={t("trial.onePage", { count: first?.count ?? 0 })} />;
  return (
    <ErrorBox
      tone={repeated > 0 ? "warn" : "ok"}
      message={
        <>
          <div>{t("trial.twoPages", { first: first?.count ?? 0, second: second.count })}</div>
          {repeated > 0 ? <div>{t("trial.repeated", { count: repeated })}</div> : null}
        </>
      }
    />
  );
}

interface FurtherProps {
  draft: EntityDraft;
  run: (call: SynapseReadTest) => Promise<void>;
  isBusy: boolean;
}

const DAY_MS = 86_400_000;

/** The second page, changes since a moment, one record by its id: by the description as it stands. */
function Further({ draft, run, isBusy }: FurtherProps) {
  const { t } = useWords("customSynapses");
  const [since, setSince] = useState(() => new Date(Date.now() - DAY_MS).toISOString().slice(0, 16));
  const [recordId, setRecordId] = useState("");
  const isComplete = draft.idField !== "" && (draft.fields ?? []).length > 0;
  const moment = Number.isNaN(Date.parse(`${since}Z`)) ? null : new Date(`${since}Z`).toISOString();
  return (
    <div className="ac-trial" role="group" aria-label={t("trial.more")}>
      <h3>{t("trial.more")}</h3>
      <div>
        <Button
          variant="default"
          disabled={isBusy || !isComplete}
          onClick={() => void run({ kind: "secondPage", entity: plainEntity(draft) })}
        >
          {t("trial.secondPage")}
        </Button>
      </div>
      {draft.list.watermark || draft.list.changes ? (
        <div className="ac-trial__row">
          <TextInput
            type="datetime-local"
            label={`${t("trial.since")} (UTC)`}
            value={since}
            onChange={(event) => setSince(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={isBusy || !isComplete || moment === null}
            onClick={() => moment && void run({ kind: "changes", entity: plainEntity(draft), since: moment })}
          >
            {t("trial.changes")}
          </Button>
        </div>
      ) : null}
      {draft.getById ? (
        <div className="ac-trial__row">
          <TextInput
            label={t("trial.recordId")}
            value={recordId}
            onChange={(event) => setRecordId(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={isBusy || !isComplete || recordId.trim() === ""}
            onClick={() => void run({ kind: "get", entity: plainEntity(draft), recordId: recordId.trim() })}
          >
            {t("trial.one")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
