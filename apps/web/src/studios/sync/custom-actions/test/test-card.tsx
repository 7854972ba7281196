/** Tries the action as it is typed: values by hand or from a record, what would be sent, and what came back once it was. */
import { Card, FormIntro } from "@accord/ui";
import { testCustomAction } from "@accord/contracts/sync/custom-action-checks";
import { fixedOrigin } from "@accord/sync-engine/actions";
import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMemo } from "react";
import { useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryError } from "../../../../shared/query-view.tsx";
import { previewOf, toInput } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";
import { RecordValues } from "./record-values.tsx";
import { RequestPreview } from "./request-preview.tsx";
import { TestResult } from "./test-result.tsx";
import { TestValues } from "./test-values.tsx";

export function TestCard({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const { draft, stored, base, problemCount } = form;
  const test = useCall(testCustomAction);
  const preview = useMemo(() => previewOf(draft, stored), [draft, stored]);
  const host = fixedOrigin(draft.endpoint);
  const isSound = problemCount === 0 && preview.problems.size === 0;
  const send = () => {
    form.showAll();
    if (isSound) test.mutate({ body: { ...toInput(draft), ...(base ? { actionId: base.id } : {}) } });
  };
  return (
    <Card title={t("test.title")} className="ac-action-card">
      <FormIntro>{host ? t("test.lead", { host }) : t("test.leadNoHost")}</FormIntro>
      <TestValues form={form} problems={preview.problems} showsAll={form.showsAll} />
      {draft.variables.length > 0 ? <RecordValues form={form} /> : null}
      <RequestPreview request={preview.request} isMasked={draft.authentication.type !== "none"} />
      <div className="ac-action-line">
        <Button leftSection={<IconSend size={15} />} loading={test.isPending} disabled={!host} onClick={send}>
          {t("test.send")}
        </Button>
        {form.showsAll && !isSound ? <span className="ac-action-unsound">{t("test.fix")}</span> : null}
      </div>
      <div aria-live="polite">
        {test.isPending ? <p>{t("test.sending")}</p> : null}
        {test.isError ? <QueryError error={test.error} /> : null}
        {test.data && !test.isPending ? <TestResult result={test.data} /> : null}
      </div>
    </Card>
  );
}
