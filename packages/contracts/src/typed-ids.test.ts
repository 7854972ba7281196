/**
 * Ids in what callers send have the type of the object they name: only then the tests of tenant isolation find them, try
 * another tenant's, and a handler can't take the id of one kind for one of another.
 */
import { expect, test } from "vitest";
import type { z } from "zod";
import type { AnyEndpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { idKindOf } from "./ids.ts";

/** Names that end like an id and name no stored object, and why. */
const NO_STORED_OBJECT: Readonly<Record<string, string>> = {
  invitationId: "the secret of a link: knowing it is the right to use it",
  phoneHomeId: "the number that a crashed page gives itself",
  typeId: "a kind of connector, which the program brings along",
  joinId: "the names of both sides of a join, put together",
  nodeId: "a node of the pipeline that the call names",
  untilNodeId: "a node of the graph that the call brings along",
  edgeId: "a connection of the pipeline that the call names",
  stepId: "a step of the node that the call names",
  groupId: "a group of the same graph",
  targetId: "a core field, by name",
  configId: "carried along in graphs: nothing is looked up by it",
  dependantId: "a field or a group of the connector, by name",
  sourceEntityIds: "nodes of the pipeline that the call names",
  "configuration.connectorId":
    "graphs may name what was deleted since: it is looked up in the caller's instance when they are validated, published or run",
  "choice.connectorId": "compared with the values that compete for the record's field: nothing is looked up by it",
  "picklist.id": "a choice of the same field",
  "listRecordsToTry query.connectorId":
    "compared with the systems of the caller's pipeline: nothing is looked up by it",
  "record.externalId": "an id in the source's system, looked for among what the caller's instance has stored of it",
  "records.id": "a record that a test holds, by an id that its author makes up",
  "expectedResult.recordId": "a record of the same test",
  "nodes.id": "a node of the same graph",
  "edges.id": "an edge of the same graph",
  "groups.id": "a group of the same graph",
  "notes.id": "a note of the same graph",
  "copyNodes.id": "a node of the same fragment",
  "copyEdges.id": "an edge of the same fragment",
  "copyGroups.id": "a group of the same fragment",
  "copyNotes.id": "a note of the same fragment",
  "config.getById": "how the API is asked for one record: no id",
  "call.recordId": "an id in the system that is tried, by what the caller typed",
  "setDataStudioColumns params.entityId": "a key of one's own notes, by which nothing is read",
  "setSyncStudioFieldFilters params.entityId": "a key of one's own notes, by which nothing is read",
  "setSyncStudioHiddenFields params.entityId": "a key of one's own notes, by which nothing is read",
  "setSyncStudioViewport params.pipelineId": "a key of one's own notes, by which nothing is read",
};

interface Def {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
  options?: z.ZodType[];
  getter?: () => z.ZodType;
  values?: unknown[];
}
const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

/** Schemas inside one, apart from the properties of objects. */
function insideOf(schema: z.ZodType): z.ZodType[] {
  const { element, innerType, in: input, keyType, valueType, left, right, options = [], getter } = defOf(schema);
  const parts = [element, innerType, input, keyType, valueType, left, right, ...options, getter?.()];
  return parts.filter((part): part is z.ZodType => part !== undefined);
}

/** Whether all that may stand there is an id of a stored object, or a fixed text such as none. */
function isTyped(schema: z.ZodType): boolean {
  if (idKindOf.has(schema) || defOf(schema).values !== undefined) return true;
  const inside = insideOf(schema);
  return inside.length > 0 && inside.every(isTyped);
}

const IS_ID = /^id$|Ids?$/;

/** Properties that are called ids and may hold any text. Recursive schemas are followed once. */
function untyped(schema: z.ZodType | undefined, path: string, seen: Set<z.ZodType>): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const properties = Object.entries(defOf(schema).shape ?? {}).flatMap(([name, inner]) => {
    const found = IS_ID.test(name) && !isTyped(inner) ? [`${path}.${name}`] : [];
    return [...found, ...untyped(inner, `${path}.${name}`, seen)];
  });
  return [...properties, ...insideOf(schema).flatMap((inner) => untyped(inner, path, seen))];
}

const untypedIn = (endpoint: AnyEndpoint): string[] =>
  (["params", "query", "body"] as const).flatMap((part) =>
    untyped(endpoint[part], `${endpoint.name} ${part}`, new Set()),
  );

/** The reason that holds for a place: for all of it, for its last two steps, or for its name. */
function reasonFor(place: string): string | undefined {
  const steps = place.split(/[ .]/);
  return [place, steps.slice(-2).join("."), steps.at(-1) ?? ""].find((name) => name in NO_STORED_OBJECT);
}

test("ids in inputs have the type of what they name", () => {
  const found = ENDPOINTS.flatMap(untypedIn);
  expect(
    found.filter((place) => reasonFor(place) === undefined),
    'take id("…") from ids.ts, or say in NO_STORED_OBJECT why it names no stored object',
  ).toEqual([]);
  const used = new Set(found.map(reasonFor));
  expect(Object.keys(NO_STORED_OBJECT).filter((name) => !used.has(name))).toEqual([]);
});
