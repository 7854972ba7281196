/** Where an entity's records are listed: the call, what it lists beside them, and changes only. */
import { WATERMARK_FORMATS } from "@accord/contracts/connections/http-entity";
import { Checkbox, NumberInput, Select, Switch, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import type { ListDraft } from "../http-entity.model.ts";
import { HttpCallForm } from "./http-call-form.tsx";
import { useLast } from "./use-last.ts";

export interface HttpListFormProps {
  list: ListDraft;
  baseUrl: string;
  problemOf: (path: string) => string | undefined;
  onChange: (list: ListDraft) => void;
}

export function HttpListForm({ list, baseUrl, problemOf, onChange }: HttpListFormProps) {
  const { t } = useWords("connections");
  const set = (part: Partial<ListDraft>) => onChange({ ...list, ...part });
  const lastChanges = useLast(list.changes);
  return (
    <>
      <HttpCallForm call={list} at="list" baseUrl={baseUrl} problemOf={problemOf} onChange={set} />
      <TextInput
        label={t("http.leaveOutSelector")}
        description={t("http.leaveOutHint")}
        placeholder="pull_request"
        value={list.leaveOutSelector ?? ""}
        error={problemOf("list.leaveOutSelector")}
        onChange={(event) => set({ leaveOutSelector: event.currentTarget.value })}
      />
      <WatermarkInputs list={list} set={set} problemOf={problemOf} />
      {list.watermark || list.changes ? (
        <ChangesCall list={list} last={lastChanges} set={set} baseUrl={baseUrl} problemOf={problemOf} />
      ) : null}
    </>
  );
}

interface ListPartProps {
  list: ListDraft;
  set: (part: Partial<ListDraft>) => void;
}

interface ChangesCallProps extends ListPartProps, Pick<HttpListFormProps, "baseUrl" | "problemOf"> {
  /** As it was before it was switched off. */
  last: ListDraft["changes"];
}

/** The call that is asked for changes in the list's place. */
function ChangesCall({ list, last, set, baseUrl, problemOf }: ChangesCallProps) {
  const { t } = useWords("connections");
  const { changes } = list;
  return (
    <>
      <Switch
        label={t("http.ownChanges")}
        description={t("http.ownChangesHint", { moment: "{{watermark.start}}" })}
        checked={Boolean(changes)}
        error={problemOf("list.changes")}
        onChange={(event) =>
          set({
            changes: event.currentTarget.checked ? (last ?? { method: "POST", path: `${list.path}/search` }) : null,
          })
        }
      />
      {changes ? (
        <div className="ac-http__stack" role="group" aria-label={t("http.ownChangesGroup")}>
          <HttpCallForm
            call={changes}
            at="list.changes"
            baseUrl={baseUrl}
            problemOf={problemOf}
            onChange={(part) => set({ changes: { ...changes, ...part } })}
          />
        </div>
      ) : null}
    </>
  );
}

function WatermarkInputs({ list, set, problemOf }: ListPartProps & Pick<HttpListFormProps, "problemOf">) {
  const { t } = useWords("connections");
  const { watermark } = list;
  const last = useLast(watermark);
  const put = (part: Partial<NonNullable<typeof watermark>>) => set({ watermark: { ...watermark, ...part } });
  return (
    <>
      <Switch
        label={t("http.byWatermark")}
        description={t("http.changesLead")}
        checked={Boolean(watermark)}
        onChange={(event) =>
          set({ watermark: event.currentTarget.checked ? (last ?? { param: "updated_after", format: "iso" }) : null })
        }
      />
      {watermark ? (
        <>
          <div className="ac-http__grid">
            <TextInput
              label={t("http.watermarkParam")}
              value={watermark.param ?? ""}
              error={problemOf("list.watermark.param")}
              onChange={(event) => put({ param: event.currentTarget.value })}
            />
            <Select
              label={t("http.watermarkFormat")}
              data={WATERMARK_FORMATS.map((value) => ({ value, label: t(`http.formats.${value}`) }))}
              value={watermark.format ?? "iso"}
              error={problemOf("list.watermark.format")}
              allowDeselect={false}
              onChange={(value) => put({ format: WATERMARK_FORMATS.find((format) => format === value) ?? "iso" })}
            />
            <NumberInput
              label={t("http.overlap")}
              min={0}
              max={86_400}
              value={Number(watermark.overlapSeconds ?? 30)}
              error={problemOf("list.watermark.overlapSeconds")}
              onChange={(value) => put({ overlapSeconds: Number(value) })}
            />
          </div>
          <Checkbox
            label={t("http.sorted")}
            checked={watermark.sorted ?? false}
            onChange={(event) => put({ sorted: event.currentTarget.checked })}
          />
        </>
      ) : null}
    </>
  );
}
