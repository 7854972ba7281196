/** Where an entity's records are listed: call, place of the records, paging, changes only. */
import { HTTP_METHODS, HTTP_PAGING_KINDS, WATERMARK_FORMATS } from "@accord/contracts/connections/http-entity";
import { FormPair } from "@accord/ui";
import { Checkbox, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { PAGING_DEFAULTS, type ListDraft, type PagingDraft } from "../http-entity.model.ts";

export interface HttpListFormProps {
  list: ListDraft;
  baseUrl: string;
  problemOf: (path: string) => string | undefined;
  onChange: (list: ListDraft) => void;
}

export function HttpListForm({ list, baseUrl, problemOf, onChange }: HttpListFormProps) {
  const { t } = useWords("connections");
  const set = (part: Partial<ListDraft>) => onChange({ ...list, ...part });
  const method = list.method ?? "GET";
  return (
    <>
      <FormPair>
        <Select
          label={t("http.method")}
          data={HTTP_METHODS.filter((name) => name === "GET" || name === "POST")}
          value={method}
          allowDeselect={false}
          onChange={(value) => set({ method: value === "POST" ? "POST" : "GET" })}
        />
        <TextInput
          label={t("http.path")}
          description={t("http.pathHint", { base: baseUrl })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          placeholder="/companies"
          value={list.path}
          error={problemOf("list.path")}
          onChange={(event) => set({ path: event.currentTarget.value })}
        />
      </FormPair>
      {method === "POST" ? (
        <Textarea
          label={t("http.body")}
          autosize
          minRows={3}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          value={list.body ?? ""}
          onChange={(event) => set({ body: event.currentTarget.value })}
        />
      ) : null}
      <TextInput
        label={t("http.recordSelector")}
        description={t("http.recordSelectorHint")}
        placeholder="data.items"
        value={list.recordSelector ?? ""}
        error={problemOf("list.recordSelector")}
        onChange={(event) => set({ recordSelector: event.currentTarget.value })}
      />
      <Select
        label={t("http.paging")}
        data={HTTP_PAGING_KINDS.map((value) => ({ value, label: t(`http.pagingKind.${value}`) }))}
        value={list.paging?.kind ?? "none"}
        allowDeselect={false}
        onChange={(kind) => set({ paging: PAGING_DEFAULTS[(kind ?? "none") as PagingDraft["kind"]] })}
      />
      <PagingInputs
        paging={list.paging ?? PAGING_DEFAULTS.none}
        problemOf={problemOf}
        onChange={(paging) => set({ paging })}
      />
      <ShortPageInput list={list} set={set} />
      <WatermarkInputs list={list} set={set} />
    </>
  );
}

interface ListPartProps {
  list: ListDraft;
  set: (part: Partial<ListDraft>) => void;
}

/** Lists that are found by counting end by the size of their pages. */
function ShortPageInput({ list, set }: ListPartProps) {
  const { t } = useWords("connections");
  if (list.paging?.kind !== "page" && list.paging?.kind !== "offset") return null;
  return (
    <Checkbox
      label={t("http.shortPage")}
      description={t("http.shortPageHint")}
      checked={list.stop?.shortPage ?? true}
      onChange={(event) => set({ stop: { ...list.stop, shortPage: event.currentTarget.checked } })}
    />
  );
}

/** Text and number inputs of each kind, in order. */
const PAGING_INPUTS = {
  none: [],
  page: ["pageParam", "firstPage", "sizeParam", "size"],
  offset: ["offsetParam", "limitParam", "size"],
  cursor: ["cursorSelector", "cursorParam", "sizeParam", "size"],
  nextLink: ["linkSelector", "sizeParam", "size"],
  linkHeader: ["sizeParam", "size"],
} as const;

interface PagingInputsProps {
  paging: PagingDraft;
  problemOf: (path: string) => string | undefined;
  onChange: (paging: PagingDraft) => void;
}

function PagingInputs({ paging, problemOf, onChange }: PagingInputsProps) {
  const { t } = useWords("connections");
  const values: Record<string, unknown> = paging;
  const inputs: readonly (keyof typeof LABELS)[] = PAGING_INPUTS[paging.kind];
  const put = (name: string, value: string | number) => onChange({ ...paging, [name]: value } as PagingDraft);
  if (inputs.length === 0) return null;
  return (
    <div className="ac-http__grid">
      {inputs.map((name) =>
        name === "size" || name === "firstPage" ? (
          <NumberInput
            key={name}
            label={t(LABELS[name])}
            min={name === "size" ? 1 : 0}
            max={name === "size" ? 10_000 : 1}
            value={Number(values[name] ?? 0)}
            error={problemOf(`list.paging.${name}`)}
            onChange={(value) => put(name, Number(value))}
          />
        ) : (
          <TextInput
            key={name}
            label={t(LABELS[name])}
            value={String(values[name] ?? "")}
            error={problemOf(`list.paging.${name}`)}
            onChange={(event) => put(name, event.currentTarget.value)}
          />
        ),
      )}
      {paging.kind === "page" ? (
        <Checkbox
          label={t("http.readAgain")}
          description={t("http.readAgainHint")}
          checked={paging.readAgain ?? true}
          onChange={(event) => onChange({ ...paging, readAgain: event.currentTarget.checked })}
        />
      ) : null}
    </div>
  );
}

const LABELS = {
  pageParam: "http.pageParam",
  firstPage: "http.firstPage",
  sizeParam: "http.sizeParam",
  size: "http.size",
  offsetParam: "http.offsetParam",
  limitParam: "http.limitParam",
  cursorSelector: "http.cursorSelector",
  cursorParam: "http.cursorParam",
  linkSelector: "http.linkSelector",
} as const;

function WatermarkInputs({ list, set }: ListPartProps) {
  const { t } = useWords("connections");
  const { watermark } = list;
  const put = (part: Partial<NonNullable<typeof watermark>>) => set({ watermark: { ...watermark, ...part } });
  return (
    <>
      <Switch
        label={t("http.byWatermark")}
        description={t("http.changesLead")}
        checked={Boolean(watermark)}
        onChange={(event) =>
          set({ watermark: event.currentTarget.checked ? { param: "updated_after", format: "iso" } : null })
        }
      />
      {watermark ? (
        <>
          <div className="ac-http__grid">
            <TextInput
              label={t("http.watermarkParam")}
              value={watermark.param ?? ""}
              onChange={(event) => put({ param: event.currentTarget.value })}
            />
            <Select
              label={t("http.watermarkFormat")}
              data={WATERMARK_FORMATS.map((value) => ({ value, label: t(`http.formats.${value}`) }))}
              value={watermark.format ?? "iso"}
              allowDeselect={false}
              onChange={(value) => put({ format: WATERMARK_FORMATS.find((format) => format === value) ?? "iso" })}
            />
            <NumberInput
              label={t("http.overlap")}
              min={0}
              max={86_400}
              value={Number(watermark.overlapSeconds ?? 30)}
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
