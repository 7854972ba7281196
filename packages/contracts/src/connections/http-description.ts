/** What is wrong with the description of an entity of a JSON API as a whole, by the place in it. */
import { parseSelector, type Selector } from "../data/selector.ts";
import type { HttpEntityInput } from "./http-entity.ts";

export interface DescriptionProblem {
  path: string[];
  message: string;
}

type Judged = Pick<HttpEntityInput, "concurrency" | "fields" | "getById" | "list"> &
  Partial<Pick<HttpEntityInput, "delete" | "deletedField" | "idField" | "lookup" | "update" | "watermarkField">>;
type Written = NonNullable<HttpEntityInput["delete"]> & { recordPath?: string | undefined };

/** What no stored description may have either. */
export const storedProblems = (entity: Judged): DescriptionProblem[] =>
  [concurrencyProblem(entity), changesProblem(entity)].flatMap((problem) => problem ?? []);

/** What a description that is entered now has to keep: stored ones of earlier versions go on as they are. */
export const descriptionProblems = (entity: Judged): DescriptionProblem[] => [
  ...storedProblems(entity),
  ...unsentVersionProblem(entity),
  ...clearPathProblems(entity),
  ...sentAsProblems(entity),
  ...unknownFields(entity),
];

/** Names that point at no field. */
function unknownFields({ fields, idField, watermarkField, deletedField, lookup }: Judged): DescriptionProblem[] {
  const known = new Set(fields?.map(({ apiName }) => apiName));
  const named = [
    { path: ["idField"], name: idField },
    { path: ["watermarkField"], name: watermarkField },
    { path: ["deletedField"], name: deletedField },
    { path: ["lookup", "field"], name: lookup?.field },
  ];
  return named.flatMap(({ path, name }) =>
    name && !known.has(name) ? [{ path, message: "is not one of the fields" }] : [],
  );
}

function changesProblem({ list }: Judged): DescriptionProblem | null {
  if (!list.changes || list.watermark) return null;
  return { path: ["list", "changes"], message: "needs the moment from which changes are asked for (watermark)" };
}

function concurrencyProblem(entity: Judged): DescriptionProblem | null {
  const { concurrency, fields, getById } = entity;
  if (!concurrency) return null;
  if (!getById) return { path: ["concurrency"], message: "needs the call that reads one record" };
  if (concurrency.kind === "versionField" && !fields?.some(({ apiName }) => apiName === concurrency.field))
    return { path: ["concurrency", "field"], message: "is not one of the fields" };
  return null;
}

/** A body that says all itself leaves no place for a version beside it: the API would have nothing to compare. */
function unsentVersionProblem({ concurrency, update, delete: deletion }: Judged): DescriptionProblem[] {
  if (concurrency?.kind !== "versionField" || (concurrency.sendAs ?? "body") !== "body") return [];
  const isInRecord = (concurrency.name ?? "") === "";
  const isUnsent = (call: Written): boolean => {
    const { body = "", headers = [], path, recordPath = "" } = call;
    if (body.trim() === "" || recordPath !== "") return false;
    const said = [path, body, ...headers.map(({ value }) => value)].join("\n");
    return !/\{\{\s*version\s*\}\}/.test(said) && !(isInRecord && /\{\{\s*json\s*\}\}/.test(body));
  };
  const at = update && isUnsent(update) ? "update" : deletion && isUnsent(deletion) ? "delete" : null;
  if (at === null) return [];
  return [{ path: [at, "body"], message: "needs {{version}}, or a place for the record: the version is not sent" }];
}

/** JSON that a value is put in has a place for it. */
const sentAsProblems = ({ fields = [] }: Judged): DescriptionProblem[] =>
  fields.flatMap(({ sentAs = "" }, index) => {
    if (sentAs === "" || (isJson(sentAs) && /\{\{\s*value\s*\}\}/.test(sentAs))) return [];
    return [
      { path: ["fields", String(index), "sentAs"], message: 'must be JSON with "{{value}}" where the value goes' },
    ];
  });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Clearing a field must leave the others alone: nothing goes to a place at or above which another one is sent. */
function clearPathProblems({ fields = [] }: Judged): DescriptionProblem[] {
  const sent = fields
    .filter(({ initializable, updateable }) => initializable !== false || updateable !== false)
    .map((field) => ({ field, steps: stepsOf(field.writePath || field.path || `["${field.apiName}"]`) }));
  return fields.flatMap((field, index) => {
    const cleared = stepsOf(field.clearPath ?? "");
    if (cleared.length === 0) return [];
    const other = sent.find((candidate) => candidate.field !== field && isWithin(candidate.steps, cleared));
    if (!other) return [];
    const message = `would clear ${other.field.displayName} too, which is sent inside: leave it empty`;
    return [{ path: ["fields", String(index), "clearPath"], message }];
  });
}

const isWithin = (steps: Selector, outer: Selector): boolean =>
  outer.every((step, index) => JSON.stringify(steps[index]) === JSON.stringify(step));

/** The steps of a path; none of one that can't be read, which is refused where it is used. */
function stepsOf(path: string): Selector {
  try {
    return parseSelector(path);
  } catch {
    return [];
  }
}
