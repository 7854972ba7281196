/** The description of one entity of a JSON API while it is edited: defaults, proposals, problems, and its place among the others. Pure. */
import {
  concurrencyProblem,
  HttpEntityConfig,
  type HttpEntityInput,
  type HttpField,
} from "@accord/contracts/connections/http-entity";
import type { Value, Values } from "@accord/contracts/data/values";

export type EntityDraft = HttpEntityInput;
export type ListDraft = EntityDraft["list"];
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
};

export const entitiesOf = (config: Values): EntityDraft[] =>
  Array.isArray(config["entities"]) ? (config["entities"] as unknown as EntityDraft[]) : [];

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

/** `Customer orders` → `customer_orders`. */
export const apiNameFrom = (displayName: string): string =>
  displayName
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, 100);

/** Problems by dotted path; a name that another entity has is one too. */
export function draftProblems(draft: EntityDraft, others: readonly string[]): Record<string, string> {
  const parsed = HttpEntityConfig.safeParse(draft);
  const problems: Record<string, string> = {};
  for (const issue of parsed.error?.issues ?? []) problems[issue.path.join(".")] ??= issue.message;
  if (others.includes(draft.apiName)) problems["apiName"] = "is used by another entity";
  const concurrency = concurrencyProblem(draft);
  if (concurrency) problems[concurrency.path.join(".")] ??= concurrency.message;
  const names = new Set((draft.fields ?? []).map(({ apiName }) => apiName));
  if (draft.idField !== "" && !names.has(draft.idField)) problems["idField"] = "is not one of the fields";
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

/** Whether a field is sent when a record is created or changed. */
export const isWritten = (field: FieldDraft): boolean => (field.updateable ?? true) || (field.initializable ?? true);
