/** What can be done with single records of a described entity: read, create, change, delete. Each may be left out. */
import { HttpMethod } from "@accord/contracts/connections/http-entity";
import { FormPair } from "@accord/ui";
import { Checkbox, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { HttpConcurrencyForm } from "./http-concurrency-form.tsx";
import type { EntityDraft } from "../http-entity.model.ts";

type Deed = "getById" | "create" | "update" | "delete";

const METHODS: Record<Deed, readonly HttpMethod[]> = {
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
      {(["getById", "create", "update", "delete"] as const).map((deed) => (
        <DeedForm key={deed} deed={deed} base={base} draft={draft} problemOf={problemOf} onChange={onChange} />
      ))}
      {draft.update || draft.delete ? (
        <HttpConcurrencyForm draft={draft} problemOf={problemOf} onChange={onChange} />
      ) : null}
      <Checkbox
        label={t("http.missingMeansDeleted")}
        checked={draft.missingMeansDeleted ?? false}
        onChange={(event) => onChange({ ...draft, missingMeansDeleted: event.currentTarget.checked })}
      />
    </>
  );
}

function DeedForm({ deed, base, draft, problemOf, onChange }: HttpWriteFormProps & { deed: Deed; base: string }) {
  const { t } = useWords("connections");
  const call = draft[deed];
  const first = METHODS[deed][0] ?? "GET";
  const put = (part: object) => onChange({ ...draft, [deed]: { method: first, path: base, ...call, ...part } });
  return (
    <div className="ac-http__deed">
      <Switch
        label={t(`http.${deed}`)}
        checked={Boolean(call)}
        onChange={(event) =>
          event.currentTarget.checked
            ? put({ path: deed === "create" ? base : `${base}/{{id}}` })
            : onChange({ ...draft, [deed]: null })
        }
      />
      {call ? (
        <>
          <FormPair>
            <Select
              label={t("http.method")}
              data={[...METHODS[deed]]}
              value={call.method ?? first}
              allowDeselect={false}
              onChange={(value) => put({ method: HttpMethod.catch(first).parse(value) })}
            />
            <TextInput
              label={t("http.path")}
              required
              value={call.path}
              error={problemOf(`${deed}.path`)}
              onChange={(event) => put({ path: event.currentTarget.value })}
            />
          </FormPair>
          {deed === "create" || deed === "update" ? (
            <Textarea
              label={t("http.body")}
              autosize
              minRows={1}
              placeholder={'{"name": "{{record.name}}"}'}
              styles={{ input: { fontFamily: "var(--ac-mono)" } }}
              value={call.body ?? ""}
              onChange={(event) => put({ body: event.currentTarget.value })}
            />
          ) : null}
          {"recordSelector" in call || deed !== "delete" ? (
            <TextInput
              label={t("http.resultSelector")}
              value={"recordSelector" in call ? (call.recordSelector ?? "") : ""}
              onChange={(event) => put({ recordSelector: event.currentTarget.value })}
            />
          ) : null}
          {deed === "create" ? (
            <TextInput
              label={t("http.idempotencyHeader")}
              description={t("http.idempotencyHint")}
              placeholder="Idempotency-Key"
              value={draft.create?.idempotencyHeader ?? ""}
              onChange={(event) => put({ idempotencyHeader: event.currentTarget.value })}
            />
          ) : null}
        </>
      ) : null}
    </div>
  );
}
