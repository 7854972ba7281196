/** How a described API notices that a record was edited since it was read, and whether writes are read back. */
import { HTTP_CONCURRENCY_KINDS } from "@accord/contracts/connections/http-entity";
import { ErrorBox, FormPair } from "@accord/ui";
import { Checkbox, Select, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import type { EntityDraft } from "../http-entity.model.ts";
import { useLastOfKinds } from "./use-last.ts";

type Concurrency = NonNullable<EntityDraft["concurrency"]>;

const KINDS = ["none", ...HTTP_CONCURRENCY_KINDS] as const;
const SENT_AS = ["body", "query", "header"] as const;

export interface HttpConcurrencyFormProps {
  draft: EntityDraft;
  problemOf: (path: string) => string | undefined;
  onChange: (draft: EntityDraft) => void;
}

export function HttpConcurrencyForm({ draft, problemOf, onChange }: HttpConcurrencyFormProps) {
  const { t } = useWords("connections");
  const { concurrency } = draft;
  const last = useLastOfKinds(concurrency);
  const choose = (kind: string | null): void => {
    const next: Concurrency | null =
      last[kind ?? ""] ??
      (kind === "etag" ? { kind } : kind === "versionField" ? { kind, field: "", sendAs: "body", name: "" } : null);
    onChange({ ...draft, concurrency: next });
  };
  if (!draft.update && !draft.delete) return null;
  return (
    <div className="ac-http__action">
      <Select
        label={t("http.concurrency")}
        description={t("http.concurrencyHint")}
        data={KINDS.map((value) => ({ value, label: t(`http.concurrencyKind.${value}`) }))}
        value={concurrency?.kind ?? "none"}
        allowDeselect={false}
        error={problemOf("concurrency")}
        onChange={choose}
      />
      {concurrency || draft.getById ? null : <ErrorBox tone="warn" message={t("http.nothingCompared")} />}
      {concurrency?.kind === "versionField" ? (
        <VersionField
          concurrency={concurrency}
          fields={(draft.fields ?? []).map(({ apiName }) => apiName)}
          problemOf={problemOf}
          onChange={(next) => onChange({ ...draft, concurrency: next })}
        />
      ) : null}
      <Checkbox
        label={t("http.storedAsSent")}
        description={t("http.storedAsSentHint")}
        checked={draft.storedAsSent ?? false}
        onChange={(event) => onChange({ ...draft, storedAsSent: event.currentTarget.checked })}
      />
    </div>
  );
}

interface VersionFieldProps {
  concurrency: Extract<Concurrency, { kind: "versionField" }>;
  fields: string[];
  problemOf: (path: string) => string | undefined;
  onChange: (concurrency: Concurrency) => void;
}

function VersionField({ concurrency, fields, problemOf, onChange }: VersionFieldProps) {
  const { t } = useWords("connections");
  return (
    <>
      <Select
        label={t("http.versionField")}
        searchable
        required
        data={fields}
        value={concurrency.field || null}
        error={problemOf("concurrency.field")}
        onChange={(field) => onChange({ ...concurrency, field: field ?? "" })}
      />
      <FormPair>
        <Select
          label={t("http.versionSentAs")}
          data={SENT_AS.map((value) => ({ value, label: t(`http.versionPlaces.${value}`) }))}
          value={concurrency.sendAs ?? "body"}
          allowDeselect={false}
          onChange={(value) =>
            onChange({ ...concurrency, sendAs: SENT_AS.find((sentAs) => sentAs === value) ?? "body" })
          }
        />
        <TextInput
          label={t("http.versionName")}
          description={t("http.versionNameHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={concurrency.name ?? ""}
          error={problemOf("concurrency.name")}
          onChange={(event) => onChange({ ...concurrency, name: event.currentTarget.value })}
        />
      </FormPair>
    </>
  );
}
