/** What can be done with single records of a described entity: read, create, change, delete. Each may be left out. */
import { HTTP_BODY_FORMATS, HttpMethod } from "@accord/contracts/connections/http-entity";
import { FormPair } from "@accord/ui";
import { Checkbox, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { HttpConcurrencyForm } from "./http-concurrency-form.tsx";
import type { EntityDraft } from "../http-entity.model.ts";
import { useLast } from "./use-last.ts";

type Action = "getById" | "create" | "update" | "delete";

const METHODS: Record<Action, readonly HttpMethod[]> = {
  getById: ["GET", "POST"],
  create: ["POST", "PUT"],
  update: ["PATCH", "PUT", "POST"],
  delete: ["DELETE", "POST"],
};

export interface HttpWriteFormProps {
  draft: EntityDraft;
  problemOf: (path: string) => string | undefined;
  onChange: (draft: EntityDraft) => void;
}

export function HttpWriteForm({ draft, problemOf, onChange }: HttpWriteFormProps) {
  const { t } = useWords("connections");
  const base = draft.list.path.replace(/\?.*$/, "") || "/records";
  return (
    <>
      {(["getById", "create", "update", "delete"] as const).map((action) => (
        <ActionForm key={action} action={action} base={base} draft={draft} problemOf={problemOf} onChange={onChange} />
      ))}
      {draft.create || draft.update ? (
        <Select
          label={t("http.bodyFormat")}
          data={HTTP_BODY_FORMATS.map((value) => ({ value, label: t(`http.bodyFormats.${value}`) }))}
          value={draft.bodyFormat ?? "json"}
          allowDeselect={false}
          onChange={(value) =>
            onChange({ ...draft, bodyFormat: HTTP_BODY_FORMATS.find((format) => format === value) ?? "json" })
          }
        />
      ) : null}
      {draft.create || draft.update ? (
        <Checkbox
          label={t("http.blankAsText")}
          description={t("http.blankAsTextHint")}
          checked={draft.blankAsText ?? false}
          onChange={(event) => onChange({ ...draft, blankAsText: event.currentTarget.checked })}
        />
      ) : null}
      <HttpConcurrencyForm draft={draft} problemOf={problemOf} onChange={onChange} />
      <Checkbox
        label={t("http.missingMeansDeleted")}
        checked={draft.missingMeansDeleted ?? false}
        onChange={(event) => onChange({ ...draft, missingMeansDeleted: event.currentTarget.checked })}
      />
    </>
  );
}

function ActionForm({
  action,
  base,
  draft,
  problemOf,
  onChange,
}: HttpWriteFormProps & { action: Action; base: string }) {
  const { t } = useWords("connections");
  const call = draft[action];
  const last = useLast(call);
  const first = METHODS[action][0] ?? "GET";
  const beginning = { method: first, path: action === "create" ? base : `${base}/{{id}}` };
  const put = (part: object) => onChange({ ...draft, [action]: { ...beginning, ...call, ...part } });
  return (
    <div className="ac-http__action">
      <Switch
        label={t(`http.${action}`)}
        checked={Boolean(call)}
        onChange={(event) => onChange({ ...draft, [action]: event.currentTarget.checked ? (last ?? beginning) : null })}
      />
      {call ? <CallInputs action={action} draft={draft} problemOf={problemOf} put={put} /> : null}
    </div>
  );
}

interface CallInputsProps extends Pick<HttpWriteFormProps, "draft" | "problemOf"> {
  action: Action;
  put: (part: object) => void;
}

/** The call of one action. */
function CallInputs({ action, draft, problemOf, put }: CallInputsProps) {
  const { t } = useWords("connections");
  const call = draft[action];
  const first = METHODS[action][0] ?? "GET";
  if (!call) return null;
  return (
    <>
      <FormPair>
        <Select
          label={t("http.method")}
          data={[...METHODS[action]]}
          value={call.method ?? first}
          allowDeselect={false}
          onChange={(value) => put({ method: HttpMethod.catch(first).parse(value) })}
        />
        <TextInput
          label={t("http.path")}
          required
          value={call.path}
          error={problemOf(`${action}.path`)}
          onChange={(event) => put({ path: event.currentTarget.value })}
        />
      </FormPair>
      {action === "create" || action === "update" ? (
        <SentInputs action={action} draft={draft} problemOf={problemOf} put={put} />
      ) : null}
      {"recordSelector" in call || action !== "delete" ? (
        <TextInput
          label={t("http.resultSelector")}
          value={"recordSelector" in call ? (call.recordSelector ?? "") : ""}
          error={problemOf(`${action}.recordSelector`)}
          onChange={(event) => put({ recordSelector: event.currentTarget.value })}
        />
      ) : null}
      {action === "create" ? (
        <TextInput
          label={t("http.idempotencyHeader")}
          description={t("http.idempotencyHint")}
          placeholder="Idempotency-Key"
          value={draft.create?.idempotencyHeader ?? ""}
          error={problemOf("create.idempotencyHeader")}
          onChange={(event) => put({ idempotencyHeader: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}

interface SentInputsProps extends CallInputsProps {
  action: "create" | "update";
}

/** What is sent of a record. */
function SentInputs({ action, draft, problemOf, put }: SentInputsProps) {
  const { t } = useWords("connections");
  const call = draft[action];
  return (
    <>
      <TextInput
        label={t("http.recordPath")}
        description={t("http.recordPathHint")}
        placeholder="data.attributes"
        value={call?.recordPath ?? ""}
        error={problemOf(`${action}.recordPath`)}
        onChange={(event) => put({ recordPath: event.currentTarget.value })}
      />
      <Textarea
        label={t("http.body")}
        autosize
        minRows={1}
        placeholder={'{"name": "{{record.name}}"}'}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={call?.body ?? ""}
        error={problemOf(`${action}.body`)}
        onChange={(event) => put({ body: event.currentTarget.value })}
      />
    </>
  );
}
