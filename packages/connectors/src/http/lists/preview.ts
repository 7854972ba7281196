/** Tries a list endpoint while its form is being filled, and proposes record path, fields, id and watermark. */
import {
  childPath,
  compileSelector,
  ConnectorError,
  findRecordLists,
  inferFields,
  jsonOf,
  detectKeyFields,
  titleOf,
  type ConnectContext,
} from "@accord/connector-sdk";
import { HttpEntityConfig, HttpField } from "@accord/contracts/connections/http-entity";
import type { Value, Values } from "@accord/contracts/data/values";
import { openHttpClient } from "../client.ts";
import { HttpConfig } from "../config.ts";
import { pageRequest, START } from "./paging.ts";

export interface EntityPreview {
  status: number;
  bodyExcerpt: string;
  recordSelectors: string[];
  recordCount: number;
  proposed: HttpField[];
  sample: Values[];
  problem: { kind: string; message: string; hint?: string } | null;
}

const EXCERPT = 20_000;
const SAMPLE = 10;

/** Calls once. A refused call is an answer too: `problem` says what it means. Throws when no answer came. */
export async function previewEntity(context: ConnectContext, input: Values): Promise<EntityPreview> {
  const config = HttpConfig.parse({ ...context.config, entities: [] });
  // Id and names may still be missing while the form is being filled.
  const entity = HttpEntityConfig.parse({
    apiName: "preview",
    displayName: "Preview",
    idField: "id",
    ...withoutBlanks(input),
    // Its own fields are proposed from the answer; those that are there already are nothing to it, however many.
    fields: [],
  });
  const client = openHttpClient(context, config);
  const answer = await client.call(entity.list, pageRequest(entity.list, START));
  const preview: EntityPreview = {
    status: answer.status,
    bodyExcerpt: answer.text.slice(0, EXCERPT),
    recordSelectors: [],
    recordCount: 0,
    proposed: [],
    sample: [],
    problem: null,
  };
  try {
    if (!answer.ok) throw client.refusal(answer);
    const json = jsonOf(answer);
    preview.recordSelectors = findRecordLists(json).map(({ path }) => path);
    const { recordCount, sample, proposed } = proposeFrom(json, entity.list.recordSelector);
    Object.assign(preview, { recordCount, sample, proposed });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    preview.problem = { kind: error.kind, message: error.message, hint: error.hint };
  }
  return preview;
}

export interface AnswerProposal extends Pick<EntityPreview, "recordSelectors" | "recordCount" | "proposed" | "sample"> {
  /** Where the records were taken from. */
  recordSelector: string;
}

/**
 * What an answer proposes for an entity. `selector` empty: the likeliest list.
 * @throws ConnectorError where there is no list.
 */
export function proposeFrom(json: Value, selector: string): AnswerProposal {
  const recordSelectors = findRecordLists(json).map(({ path }) => path);
  const recordSelector = selector || recordSelectors[0] || "$";
  const found = compileSelector(recordSelector)(json);
  if (!Array.isArray(found))
    throw new ConnectorError("configuration", `The answer holds no list at "${recordSelector}".`, {
      hint: recordSelectors.length > 0 ? `Try ${recordSelectors.join(" or ")}.` : undefined,
    });
  const flat = found.map((record) => flatten(record));
  const sample = flat.slice(0, SAMPLE).map(({ values }) => values);
  return { recordSelectors, recordSelector, recordCount: found.length, sample, proposed: proposeFields(flat) };
}

const withoutBlanks = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== null));

/** Objects inside a record become fields of their own up to this depth; lists stay whole. */
const DEPTH = 2;

interface Flat {
  values: Values;
  paths: Map<string, string>;
}

function flatten(record: Value): Flat {
  const flat: Flat = { values: {}, paths: new Map() };
  const visit = (value: Value, name: string, path: string, depth: number): void => {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && depth > 0)
      for (const [key, inner] of Object.entries(value))
        visit(inner, name === "" ? key : `${name}_${key}`, childPath(path, key), depth - 1);
    else if (name !== "" && name !== "__proto__") {
      flat.values[name] = value;
      flat.paths.set(name, path);
    }
  };
  visit(record, "", "", DEPTH);
  return flat;
}

/** Fields with their paths, types from the samples, and likely id and watermark marked. */
export function proposeFields(records: readonly Flat[]): HttpField[] {
  const samples = records.map(({ values }) => values);
  const paths = new Map(records.flatMap((record) => [...record.paths]));
  return detectKeyFields(inferFields(samples), samples).map((field) =>
    HttpField.parse({
      ...field,
      displayName: titleOf(field.apiName),
      path: paths.get(field.apiName) === field.apiName ? "" : paths.get(field.apiName),
      updateable: field.updateable && !field.isIdField && !field.isUpdatedAtField && !field.isCreatedAtField,
      initializable: field.initializable && !field.isIdField && !field.isUpdatedAtField && !field.isCreatedAtField,
    }),
  );
}
