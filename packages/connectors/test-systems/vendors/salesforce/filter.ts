/** What SOQL's conditions and orders mean for records of the simulated Salesforce. */
import type { SalesforceField } from "./fields.ts";
import { parseId } from "./ids.ts";
import { fieldNamed, objectNamed, type SalesforceObject } from "./objects.ts";
import { refuse } from "./refusals.ts";
import type { Condition, Literal, Query } from "./soql.ts";

export type Row = Record<string, unknown>;
/** The record that an id refers to. */
export type Related = (objectName: string, id: unknown) => Row | undefined;

/** Fields reached from a record through relationships. */
export interface Path {
  field: SalesforceField;
  /** Names of the relationships on the way. */
  through: string[];
  of(row: Row): unknown;
}

export function pathOf(object: SalesforceObject, path: string, related: Related): Path {
  const [first = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    const field = fieldNamed(object, first);
    if (field === undefined) return noColumn(first, object.name);
    return { field, through: [], of: (row) => row[field.name] ?? null };
  }
  const link = object.fields.find((one) => one.relationshipName?.toLowerCase() === first.toLowerCase());
  const target = objectNamed(link?.referenceTo.at(-1) ?? "");
  if (link === undefined || target === undefined) {
    const message = `Didn't understand relationship '${first}' in field path. If you are attempting to use a custom relationship, be sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call for the appropriate names.`;
    return refuse(400, "INVALID_FIELD", message);
  }
  const inner = pathOf(target, rest.join("."), related);
  return {
    field: inner.field,
    through: [link.relationshipName ?? "", ...inner.through],
    of(row) {
      const found = related(target.name, row[link.name]);
      return found === undefined ? null : inner.of(found);
    },
  };
}

export function noColumn(name: string, object: string): never {
  const message = `No such column '${name}' on entity '${object}'. If you are attempting to use a custom field, be sure to append the '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.`;
  return refuse(400, "INVALID_FIELD", message);
}

export function compile(object: SalesforceObject, condition: Condition, related: Related): (row: Row) => boolean {
  if (condition.kind === "not") {
    const inner = compile(object, condition.part, related);
    return (row) => !inner(row);
  }
  if (condition.kind !== "compare") {
    const parts = condition.parts.map((part) => compile(object, part, related));
    return condition.kind === "and"
      ? (row) => parts.every((test) => test(row))
      : (row) => parts.some((test) => test(row));
  }
  const path = pathOf(object, condition.path, related);
  if (!path.field.filterable)
    refuse(400, "INVALID_FIELD", `field '${path.field.name}' can not be filtered in a query call`);
  const test = comparison(path.field, condition.operator, condition.values);
  return (row) => test(path.of(row));
}

type Comparable = string | number | boolean;

/** A value as it is compared: texts whatever their case, times as moments. */
function comparable({ type }: SalesforceField, value: unknown): Comparable | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (type === "datetime" || type === "date") return Date.parse(String(value));
  return type === "id" || type === "reference" ? String(value) : String(value).toLowerCase();
}

const RANGES: Readonly<Record<string, number>> = { TODAY: 0, YESTERDAY: -1, TOMORROW: 1 };

function literalValue(field: SalesforceField, literal: Literal): Comparable | null {
  const { kind, text } = literal;
  const { name, type } = field;
  if (kind === "word" && text.toUpperCase() === "NULL") return null;
  const wrong = (wanted: string, quotes: string): never =>
    refuse(
      400,
      "INVALID_FIELD",
      `value of filter criterion for field '${name}' must be of type ${wanted} and should ${quotes}be enclosed in quotes`,
    );
  if (type === "date" || type === "datetime") {
    const day = kind === "word" ? RANGES[text.toUpperCase()] : undefined;
    if (day !== undefined) return (Math.floor(Date.now() / 86_400_000) + day) * 86_400_000;
    return kind === type ? Date.parse(text) : wrong(type === "date" ? "date" : "dateTime", "not ");
  }
  if (type === "boolean") {
    const isBoolean = kind === "word" && /^(?:true|false)$/i.test(text);
    return isBoolean ? text.toLowerCase() === "true" : wrong("boolean", "not ");
  }
  if (["currency", "double", "percent", "int"].includes(type))
    return kind === "number" ? Number(text) : wrong(type === "int" ? "int" : "double", "not ");
  if (kind !== "string") return wrong("string", "");
  if (type !== "id" && type !== "reference") return text === "" ? null : text.toLowerCase();
  if (text === "") return null;
  return parseId(text) ?? refuse(400, "INVALID_QUERY_FILTER_OPERATOR", `invalid ID field: ${text}`);
}

function comparison(field: SalesforceField, operator: string, literals: Literal[]): (value: unknown) => boolean {
  const badOperator = (): never =>
    refuse(400, "INVALID_QUERY_FILTER_OPERATOR", `invalid operator on ${field.type} field`);
  if (operator === "LIKE") {
    if (["id", "reference", "boolean", "date", "datetime", "currency", "double", "percent", "int"].includes(field.type))
      return badOperator();
    const [literal] = literals;
    const pattern = likePattern(String(literalValue(field, literal ?? { kind: "word", text: "null" }) ?? ""));
    return (value) => pattern.test(String(value ?? ""));
  }
  const wanted = literals.map((one) => literalValue(field, one));
  if (operator === "INCLUDES" || operator === "EXCLUDES") {
    if (field.type !== "multipicklist") return badOperator();
    const includes = (value: unknown): boolean => {
      const held = String(value ?? "")
        .toLowerCase()
        .split(";");
      return wanted.some((group) =>
        String(group)
          .split(";")
          .every((one) => held.includes(one)),
      );
    };
    return operator === "INCLUDES" ? includes : (value) => !includes(value);
  }
  if (operator === "=" || operator === "IN") return (value) => wanted.includes(comparable(field, value));
  if (operator === "!=" || operator === "NOT IN") return (value) => !wanted.includes(comparable(field, value));
  const [bound = null] = wanted;
  if (field.type === "boolean" || bound === null) return badOperator();
  return (value) => {
    const own = comparable(field, value);
    if (own === null) return false;
    if (operator === "<") return own < bound;
    if (operator === "<=") return own <= bound;
    return operator === ">" ? own > bound : own >= bound;
  };
}

function likePattern(text: string): RegExp {
  const parts = text.match(/\\[_%]|[\s\S]/g) ?? [];
  const source = parts.map((part) => {
    if (part === "%") return "[\\s\\S]*";
    if (part === "_") return "[\\s\\S]";
    return (part.length === 2 ? part.slice(1) : part).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "i");
}

/** Sorts as ORDER BY says; what it leaves open is in no order that anybody knows. */
export function sorted(
  object: SalesforceObject,
  rows: readonly Row[],
  orderBy: Query["orderBy"],
  related: Related,
): Row[] {
  const keys = orderBy.map(({ path, isDown, nullsFirst }) => {
    const found = pathOf(object, path, related);
    const { field } = found;
    if (!field.sortable) refuse(400, "MALFORMED_QUERY", `field '${field.name}' can not be sorted in a query call`);
    return (left: Row, right: Row): number => {
      const [one, other] = [comparable(field, found.of(left)), comparable(field, found.of(right))];
      if (one === null || other === null) return one === other ? 0 : (one === null) === nullsFirst ? -1 : 1;
      return (one < other ? -1 : Number(one > other)) * (isDown ? -1 : 1);
    };
  });
  const scrambled = (row: Row): string => Array.from(String(row["Id"]).slice(0, 15)).toReversed().join("");
  return rows.toSorted((left, right) => {
    for (const compare of keys) {
      const order = compare(left, right);
      if (order !== 0) return order;
    }
    return scrambled(left) < scrambled(right) ? -1 : 1;
  });
}
