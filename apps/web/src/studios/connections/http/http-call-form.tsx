/** A call that answers a list page by page: where it is, where the records are, how it goes on and where it ends. */
import { HTTP_METHODS, HTTP_PAGING_KINDS } from "@accord/contracts/connections/http-entity";
import { FormPair } from "@accord/ui";
import { Checkbox, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { PAGING_DEFAULTS, type PagedCallDraft, type PagingDraft } from "../http-entity.model.ts";
import { useLastOfKinds } from "./use-last.ts";

export interface HttpCallFormProps {
  call: PagedCallDraft;
  /** Where it is in the description. */
  at: "list" | "list.changes";
  baseUrl: string;
  problemOf: (path: string) => string | undefined;
  onChange: (part: Partial<PagedCallDraft>) => void;
}

export function HttpCallForm({ call, at, baseUrl, problemOf, onChange }: HttpCallFormProps) {
  const { t } = useWords("connections");
  const last = useLastOfKinds(call.paging);
  const choose = (chosen: string | null): void => {
    const kind = HTTP_PAGING_KINDS.find((known) => known === chosen) ?? "none";
    onChange({ paging: last[kind] ?? PAGING_DEFAULTS[kind] });
  };
  return (
    <>
      <PlaceInputs call={call} at={at} baseUrl={baseUrl} problemOf={problemOf} onChange={onChange} />
      <Select
        label={t("http.paging")}
        data={HTTP_PAGING_KINDS.map((value) => ({ value, label: t(`http.pagingKind.${value}`) }))}
        value={call.paging?.kind ?? "none"}
        allowDeselect={false}
        onChange={choose}
      />
      <PagingInputs
        paging={call.paging ?? PAGING_DEFAULTS.none}
        problemOf={(name) => problemOf(`${at}.paging.${name}`)}
        onChange={(paging) => onChange({ paging })}
      />
      <StopInputs call={call} problemOf={(name) => problemOf(`${at}.stop.${name}`)} onChange={onChange} />
    </>
  );
}

/** What is called, and where its records are. */
function PlaceInputs({ call, at, baseUrl, problemOf, onChange }: HttpCallFormProps) {
  const { t } = useWords("connections");
  const method = call.method ?? "GET";
  return (
    <>
      <FormPair>
        <Select
          label={t("http.method")}
          data={HTTP_METHODS.filter((name) => name === "GET" || name === "POST")}
          value={method}
          allowDeselect={false}
          onChange={(value) => onChange({ method: value === "POST" ? "POST" : "GET" })}
        />
        <TextInput
          label={t("http.path")}
          description={t("http.pathHint", { base: baseUrl })}
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          placeholder="/companies"
          value={call.path}
          error={problemOf(`${at}.path`)}
          onChange={(event) => onChange({ path: event.currentTarget.value })}
        />
      </FormPair>
      {method === "POST" ? <BodyInputs call={call} at={at} problemOf={problemOf} onChange={onChange} /> : null}
      <TextInput
        label={t("http.recordSelector")}
        description={t("http.recordSelectorHint")}
        placeholder="data.items"
        value={call.recordSelector ?? ""}
        error={problemOf(`${at}.recordSelector`)}
        onChange={(event) => onChange({ recordSelector: event.currentTarget.value })}
      />
    </>
  );
}

/** What a search is asked with. */
function BodyInputs({ call, at, problemOf, onChange }: Omit<HttpCallFormProps, "baseUrl">) {
  const { t } = useWords("connections");
  return (
    <>
      <Textarea
        label={t("http.body")}
        description={t("http.listBodyHint", { example: '{"after": "{{cursor}}"}' })}
        autosize
        minRows={3}
        styles={{ input: { fontFamily: "var(--ac-mono)" } }}
        value={call.body ?? ""}
        error={problemOf(`${at}.body`)}
        onChange={(event) => onChange({ body: event.currentTarget.value })}
      />
      <Checkbox
        label={t("http.leavesOutBlank")}
        description={t("http.leavesOutBlankHint")}
        // A search for changes has no cursor for its first page; of other lists null is sent unless this is chosen.
        checked={call.leavesOutBlank ?? at === "list.changes"}
        onChange={(event) => onChange({ leavesOutBlank: event.currentTarget.checked })}
      />
    </>
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
  lastRecord: ["param", "sizeParam", "size"],
} as const;

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
  param: "http.lastIdParam",
} as const;

interface PagingInputsProps {
  paging: PagingDraft;
  problemOf: (name: string) => string | undefined;
  onChange: (paging: PagingDraft) => void;
}

function PagingInputs({ paging, problemOf, onChange }: PagingInputsProps) {
  const { t } = useWords("connections");
  const values: Record<string, unknown> = paging;
  const inputs: readonly (keyof typeof LABELS)[] = PAGING_INPUTS[paging.kind];
  const put = (name: string, value: string | number) => onChange({ ...paging, [name]: value });
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
            error={problemOf(name)}
            onChange={(value) => put(name, Number(value))}
          />
        ) : (
          <TextInput
            key={name}
            label={t(LABELS[name])}
            value={String(values[name] ?? "")}
            error={problemOf(name)}
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

interface StopInputsProps {
  call: PagedCallDraft;
  problemOf: (name: string) => string | undefined;
  onChange: (part: Partial<PagedCallDraft>) => void;
}

/** Where the list ends; one that is found by counting may also end by the size of its pages. */
function StopInputs({ call: { paging, stop }, problemOf, onChange }: StopInputsProps) {
  const { t } = useWords("connections");
  const put = (part: Partial<NonNullable<typeof stop>>) => onChange({ stop: { ...stop, ...part } });
  if (!paging || paging.kind === "none") return null;
  return (
    <>
      {paging.kind === "page" || paging.kind === "offset" ? (
        <Checkbox
          label={t("http.shortPage")}
          description={t("http.shortPageHint")}
          checked={stop?.shortPage ?? true}
          onChange={(event) => put({ shortPage: event.currentTarget.checked })}
        />
      ) : null}
      <div className="ac-http__grid">
        <TextInput
          label={t("http.hasMoreSelector")}
          description={t("http.hasMoreHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="has_more"
          value={stop?.hasMoreSelector ?? ""}
          error={problemOf("hasMoreSelector")}
          onChange={(event) => put({ hasMoreSelector: event.currentTarget.value })}
        />
        <TextInput
          label={t("http.endSelector")}
          description={t("http.endHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="end_of_stream"
          value={stop?.endSelector ?? ""}
          error={problemOf("endSelector")}
          onChange={(event) => put({ endSelector: event.currentTarget.value })}
        />
        <TextInput
          label={t("http.totalSelector")}
          description={t("http.totalHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="meta.total"
          value={stop?.totalSelector ?? ""}
          error={problemOf("totalSelector")}
          onChange={(event) => put({ totalSelector: event.currentTarget.value })}
        />
        <NumberInput
          label={t("http.maxRecords")}
          description={t("http.maxRecordsHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          min={1}
          max={10_000_000}
          value={stop?.maxRecords === null || stop?.maxRecords === undefined ? "" : Number(stop.maxRecords)}
          error={problemOf("maxRecords")}
          onChange={(value) => put({ maxRecords: value === "" ? null : Number(value) })}
        />
      </div>
    </>
  );
}
