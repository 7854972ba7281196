/** Creates, changes or deletes one record in the system by the description as it stands; the person picks the record. */
import { testHttpSynapseWrite, type SynapseWriteTest } from "@accord/contracts/connections/http-synapse-tests";
import type { HttpSynapseSettings } from "@accord/contracts/connections/http-synapse-definition";
import type { Id } from "@accord/contracts";
import { Values } from "@accord/contracts/data/values";
import { ErrorBox, FormIntro } from "@accord/ui";
import { Button, Select, Textarea } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { isWritten, plainEntity, type EntityDraft } from "../http-entity.model.ts";
import { ProblemBox } from "../parts/check-result.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { ExchangeList } from "./exchange-view.tsx";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

interface WriteTrialProps {
  body: { metadataId: Id<"customSynapse">; settings: HttpSynapseSettings };
  draft: EntityDraft;
  /** Those of the last call of the list. */
  records: readonly Values[];
}

export function WriteTrial({ body, draft, records }: WriteTrialProps) {
  const { t } = useWords("customSynapses");
  const write = useCall(testHttpSynapseWrite);
  const [picked, setPicked] = useState<string | null>(null);
  const [text, setText] = useState("{}");
  if (!draft.create && !draft.update && !draft.delete) return null;
  const values = parsedValues(text);
  const ids = records.flatMap((record) => {
    const id = record[draft.idField];
    return typeof id === "string" || typeof id === "number" ? [String(id)] : [];
  });
  const pick = (id: string | null): void => {
    setPicked(id);
    const record = records.find((one) => String(one[draft.idField]) === id);
    const sent = (draft.fields ?? []).filter(isWritten).map(({ apiName }) => apiName);
    if (record) setText(JSON.stringify(Object.fromEntries(sent.map((name) => [name, record[name] ?? null])), null, 2));
  };
  const run = (call: SynapseWriteTest) => write.mutateAsync({ body: { ...body, call } });
  return (
    <div className="ac-trial" role="group" aria-label={t("trial.writeTitle")}>
      <h3>{t("trial.writeTitle")}</h3>
      <FormIntro>{t("trial.writeLead")}</FormIntro>
      <Select
        label={t("trial.pick")}
        placeholder={t("trial.newRecord")}
        clearable
        data={ids}
        value={picked}
        onChange={pick}
      />
      <Textarea
        label={t("trial.values")}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={text}
        error={values ? undefined : t("trial.notJson")}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Buttons draft={draft} values={values} picked={picked} isBusy={write.isPending} run={run} />
      <div aria-live="polite" className="ac-trial">
        {write.error ? <RefusalBox error={write.error} /> : null}
        {write.data?.problem ? <ProblemBox title={t("trial.fails")} problem={write.data.problem} /> : null}
        {write.data && !write.data.problem ? (
          <ErrorBox tone="ok" message={t("trial.done", { id: write.data.outcome?.id ?? "" })} />
        ) : null}
        {write.data ? <ExchangeList exchanges={write.data.exchanges} count={write.data.exchangeCount} /> : null}
      </div>
    </div>
  );
}

interface ButtonsProps {
  draft: EntityDraft;
  /** null while they are no JSON object. */
  values: Values | null;
  picked: string | null;
  isBusy: boolean;
  run: (call: SynapseWriteTest) => Promise<unknown>;
}

function Buttons({ draft, values, picked, isBusy, run }: ButtonsProps) {
  const { t } = useWords("customSynapses");
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <div className="ac-http__line">
        {draft.create ? (
          <Button
            variant="default"
            disabled={!values || isBusy || picked !== null}
            onClick={() => values && void run({ kind: "create", entity: plainEntity(draft), values }).catch(() => {})}
          >
            {t("trial.create")}
          </Button>
        ) : null}
        {draft.update ? (
          <Button
            variant="default"
            disabled={!values || isBusy || picked === null}
            onClick={() =>
              values &&
              picked &&
              void run({ kind: "update", entity: plainEntity(draft), recordId: picked, values }).catch(() => {})
            }
          >
            {t("trial.update")}
          </Button>
        ) : null}
        {draft.delete ? (
          <Button variant="default" disabled={isBusy || picked === null} onClick={() => setAsked(true)}>
            {t("trial.remove")}
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        opened={isAsked}
        title={t("trial.removeTitle", { id: picked ?? "" })}
        action={t("trial.removeDo")}
        onClose={() => setAsked(false)}
        onConfirm={() => picked && run({ kind: "delete", entity: plainEntity(draft), recordId: picked })}
      >
        {t("trial.removeBody")}
      </ConfirmDialog>
    </>
  );
}

function parsedValues(text: string): Values | null {
  try {
    return Values.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
