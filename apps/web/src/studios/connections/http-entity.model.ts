/** The description of one entity of a JSON API while it is edited: defaults, proposals, problems, and its place among the others. Pure. */
import { descriptionProblems } from "@accord/contracts/connections/http-description";
import { HttpEntityConfig, type HttpEntityInput, type HttpField } from "@accord/contracts/connections/http-entity";
import type { Value, Values } from "@accord/contracts/data/values";
import { identifierFrom } from "../../shared/names.ts";

export type EntityDraft = HttpEntityInput;
export type ListDraft = EntityDraft["list"];
/** The list itself, or the call for changes. */
export type PagedCallDraft = NonNullable<ListDraft["changes"]>;
export type PagingDraft = NonNullable<ListDraft["paging"]>;
export type FieldDraft = NonNullable<EntityDraft["fields"]>[number];

export const NEW_ENTITY: EntityDraft = {
  apiName: "",
  displayName: "",
  idField: "",
  fields: [],
  list: { path: "", paging: { kind: "none" } },
};

/** Every kind starts with the names most APIs use. */
export const PAGING_DEFAULTS: Record<PagingDraft["kind"], PagingDraft> = {
  none: { kind: "none" },
  page: { kind: "page", pageParam: "page", firstPage: 1, sizeParam: "", size: 100, readAgain: true },
  offset: { kind: "offset", offsetParam: "offset", limitParam: "limit", size: 100 },
  cursor: { kind: "cursor", cursorSelector: "", cursorParam: "cursor", sizeParam: "", size: 100 },
  nextLink: { kind: "nextLink", linkSelector: "", sizeParam: "", size: 100 },
  linkHeader: { kind: "linkHeader", sizeParam: "", size: 100 },
  lastRecord: { kind: "lastRecord", param: "starting_after", sizeParam: "", size: 100 },
};

export const entitiesOf = (config: Values): EntityDraft[] =>
  Array.isArray(config["entities"]) ? (config["entities"] as unknown as EntityDraft[]) : [];

/** A list of one answer has no end to look for: what the hidden inputs hold is not in force. */
function withoutHiddenStop<Call extends PagedCallDraft>(call: Call): Call {
  if (call.paging && call.paging.kind !== "none") return call;
  return { ...call, stop: undefined };
}

/** What is saved of a draft: nothing that no input shows any more. */
export function shownPartOf(draft: EntityDraft): EntityDraft {
  const { list } = draft;
  return {
    ...draft,
    ...(draft.update || draft.delete ? {} : { concurrency: undefined }),
    list: { ...withoutHiddenStop(list), ...(list.changes ? { changes: withoutHiddenStop(list.changes) } : {}) },
  };
}

/** The configuration with this entity in the place of the one called `previousName`, or at the end. */
export function withEntity(config: Values, entity: EntityDraft, previousName: string | undefined): Values {
  const entities = entitiesOf(config);
  const at = entities.findIndex(({ apiName }) => apiName === previousName);
  const next = at < 0 ? [...entities, entity] : entities.with(at, entity);
  return { ...config, entities: JSON.parse(JSON.stringify(next)) as Value };
}

export const withoutEntity = (config: Values, name: string): Values => ({
  ...config,
  entities: JSON.parse(JSON.stringify(entitiesOf(config).filter(({ apiName }) => apiName !== name))) as Value,
});

/** As it is sent to be tried. */
export const plainEntity = (draft: EntityDraft): Values => JSON.parse(JSON.stringify(draft));

/** `Customer orders` → `customer_orders`. */
export const apiNameFrom = (displayName: string): string => identifierFrom(displayName, 100);

/** Problems by dotted path; a name that another entity has is one too. */
export function draftProblems(draft: EntityDraft, others: readonly string[]): Record<string, string> {
  const parsed = HttpEntityConfig.safeParse(draft);
  const problems: Record<string, string> = {};
  for (const issue of parsed.error?.issues ?? []) problems[issue.path.join(".")] ??= issue.message;
  if (others.includes(draft.apiName)) problems["apiName"] = "is used by another entity";
  for (const { path, message } of descriptionProblems(draft)) problems[path.join(".")] ??= message;
  return problems;
}

/** Takes proposed fields over: known ones keep what a person changed; id and watermark are set where still open. */
export function takeProposal(draft: EntityDraft, proposed: readonly HttpField[], recordSelector: string): EntityDraft {
  const known = new Map((draft.fields ?? []).map((field) => [field.apiName, field]));
  const fields = proposed.map((field): FieldDraft => known.get(field.apiName) ?? field);
  const kept = (draft.fields ?? []).filter(({ apiName }) => !proposed.some((field) => field.apiName === apiName));
  const marked = (mark: "isIdField" | "isWatermarkField") => proposed.find((field) => field[mark])?.apiName;
  return {
    ...draft,
    fields: [...fields, ...kept],
    idField: draft.idField || marked("isIdField") || "",
    watermarkField: draft.watermarkField ?? marked("isWatermarkField") ?? null,
    list: {
      ...draft.list,
      recordSelector: draft.list.recordSelector || (recordSelector === "$" ? "" : recordSelector),
    },
  };
}

/** What a field can be to the records beside holding a value. */
export type FieldUse = "idField" | "watermarkField" | "deletedField" | "lookup" | "concurrency";

/** The description without a field and without what only it could be, and what that was. */
export function withoutField(draft: EntityDraft, name: string): { draft: EntityDraft; uses: FieldUse[] } {
  const { concurrency, lookup } = draft;
  const next: EntityDraft = { ...draft, fields: (draft.fields ?? []).filter(({ apiName }) => apiName !== name) };
  const uses: FieldUse[] = [];
  if (draft.idField === name) {
    next.idField = "";
    uses.push("idField");
  }
  for (const use of ["watermarkField", "deletedField"] as const) {
    if (draft[use] !== name) continue;
    next[use] = null;
    uses.push(use);
  }
  if (lookup?.field === name) {
    next.lookup = null;
    uses.push("lookup");
  }
  if (concurrency?.kind === "versionField" && concurrency.field === name) {
    next.concurrency = { ...concurrency, field: "" };
    uses.push("concurrency");
  }
  return { draft: next, uses };
}

/** When a field is sent. */
export const WRITTEN = {
  never: { initializable: false, updateable: false },
  created: { initializable: true, updateable: false },
  changed: { initializable: false, updateable: true },
  always: { initializable: true, updateable: true },
} as const;
export const WRITTEN_WHEN = ["never", "created", "changed", "always"] as const;

export function writtenWhen({ initializable = true, updateable = true }: FieldDraft): (typeof WRITTEN_WHEN)[number] {
  if (initializable) return updateable ? "always" : "created";
  return updateable ? "changed" : "never";
}

/** Whether a field is sent when a record is created or changed. */
export const isWritten = (field: FieldDraft): boolean => (field.updateable ?? true) || (field.initializable ?? true);
