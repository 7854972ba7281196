/** What a new pipeline would be by default: which field goes where, how records are matched, what is written back. Pure. */
import type { Connector, ConnectorEntity } from "@accord/contracts/connections/connectors";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { coreFieldsFrom } from "@accord/contracts/data/from-connector";
import { type EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { DataType } from "@accord/contracts/data/values";
import type { FieldMapping } from "@accord/contracts/sync/graph";
import { keysFirst, mappingFits, mappingsBack, suggestMappings } from "@accord/sync-engine/graph";
import { isWritable } from "../pipeline-editor/palette/palette-items.ts";

/** What a person changed of the proposal. */
export interface Choices {
  /** Fields of the system that are left out. */
  excluded: ReadonlySet<string>;
  /** Core fields chosen by hand, by field of the system; only where the core entity exists already. */
  chosen: ReadonlyMap<string, string>;
  /** Core fields; undefined: those proposed, empty: a record is always created. */
  matchOn: readonly string[] | undefined;
  writesBack: boolean;
}

/** Everything is taken over but what the connector adds by itself, unless records are known by that. */
export const firstChoices = ({ fields }: EntitySchema): Choices => ({
  excluded: new Set(fields.filter(({ isSystem, isIdField }) => isSystem && !isIdField).map(({ apiName }) => apiName)),
  chosen: new Map(),
  matchOn: undefined,
  writesBack: false,
});

export type LeftOut = "excluded" | "system" | "inactive" | "noField" | "typeDiffers";

export interface ProposedRow {
  field: FieldSchema;
  /** Where its values go; undefined where it is left out. */
  core: FieldSchema | undefined;
  leftOut: LeftOut | undefined;
  /** It is a reference there and none here: why the relation is not kept. */
  lostReference?: LostReference;
}

/** `notInModel`: the model has no entity of what it refers to · `unknownTarget`: the system names none · `noReference`: the core field is none. */
export type LostReference = "notInModel" | "unknownTarget" | "noReference";

export type NoWayBack = "entityReadOnly" | "systemReadOnly" | "noWritableField";

export interface Proposal {
  /** Every field of the system, those that records are known by first. */
  rows: ProposedRow[];
  mappings: FieldMapping[];
  /** Fields of the core entity as it is, or as it would be created. */
  coreFields: FieldSchema[];
  /** Core fields that records may be matched by. */
  matchable: FieldSchema[];
  matchOn: readonly string[];
  back: FieldMapping[];
  noWayBack: NoWayBack | undefined;
}

/** Whether a core entity was made from this entity of a system. */
export const isMadeFrom = (core: CoreEntity, connector: Connector, entity: ConnectorEntity): boolean =>
  core.madeFrom?.connectorId === connector.id && core.madeFrom.entityApiName === entity.apiName;

interface KnownEntities {
  /** Drafts among them. */
  existing: readonly CoreEntity[];
  published: readonly CoreEntity[];
  /** Ids of those without a pipeline. */
  unmapped: readonly string[];
}

/** Core entities that may take the records: unpublished drafts made from the same entity, then those without a pipeline. */
export function offeredTargets(connector: Connector, entity: ConnectorEntity, known: KnownEntities): CoreEntity[] {
  const begun = known.existing.filter((core) => core.version === 0 && isMadeFrom(core, connector, entity));
  return [...begun, ...known.published.filter(({ id }) => known.unmapped.includes(id))];
}

/** What is chosen at first. Never an unpublished draft: somebody may still be at work on it. */
export const firstTarget = (connector: Connector, entity: ConnectorEntity, offered: readonly CoreEntity[]) =>
  offered.find((core) => core.version > 0 && isMadeFrom(core, connector, entity));

export interface ProposalOf {
  connector: Connector;
  entity: ConnectorEntity;
  /** The core entity that takes the records; undefined: a new one. */
  target: CoreEntity | undefined;
  /** Entities of the unified model, drafts among them. */
  existing: readonly CoreEntity[];
  choices: Choices;
}

export function proposalOf(of: ProposalOf): Proposal {
  const { connector, entity, target, choices } = of;
  const all = keysFirst(entity.schema.fields);
  const rows = (target ? rowsInto(target, all, choices) : rowsOfNew(of, all)).map(withLostReference(of));
  const mappings = rows.flatMap(({ field, core }) =>
    core ? [{ connectorField: field.apiName, coreField: core.apiName }] : [],
  );
  const matchable = rows.flatMap(({ core }) => (core && isComparable(core) ? [core] : []));
  const usable = new Set(matchable.map(({ apiName }) => apiName));
  const back = mappingsBack(mappings, all);
  return {
    rows,
    mappings,
    coreFields: target ? target.fields : rows.flatMap(({ core }) => core ?? []),
    matchable,
    matchOn: (choices.matchOn ?? proposedMatch(rows)).filter((name) => usable.has(name)),
    back,
    noWayBack: noWayBack(connector, entity, back),
  };
}

const withLostReference =
  ({ connector, entity, existing }: ProposalOf) =>
  (row: ProposedRow): ProposedRow => {
    const { field, core } = row;
    if (field.dataType !== "reference" || !core || core.dataType === "reference") return row;
    const { referenceTo } = field;
    if (referenceTo === undefined) return { ...row, lostReference: "unknownTarget" };
    const isHeld =
      referenceTo === entity.apiName ||
      existing.some(({ madeFrom }) => madeFrom?.connectorId === connector.id && madeFrom.entityApiName === referenceTo);
    return { ...row, lostReference: isHeld ? "noReference" : "notInModel" };
  };

/** A new entity gets a field for each one of the system that isn't left out. */
function rowsOfNew({ connector, entity, existing, choices }: ProposalOf, all: readonly FieldSchema[]): ProposedRow[] {
  const wanted = all.filter(({ apiName }) => !choices.excluded.has(apiName)).map(({ apiName }) => apiName);
  const made = new Map(
    coreFieldsFrom({ connectorId: connector.id, entity: entity.schema, existing, fields: wanted }).map(
      ({ connectorField, field }) => [connectorField, FieldSchema.parse(field)],
    ),
  );
  return all.map((field) => {
    const core = made.get(field.apiName);
    return { field, core, leftOut: core ? undefined : whyNotOffered(field) };
  });
}

const whyNotOffered = ({ status, isSystem }: FieldSchema): LeftOut =>
  status !== "ACTIVE" ? "inactive" : isSystem ? "system" : "excluded";

/** An existing entity is filled as far as its fields go: those chosen by hand, then those that are proposed. */
function rowsInto(target: CoreEntity, all: readonly FieldSchema[], choices: Choices): ProposedRow[] {
  const offered = all.filter(({ apiName, status }) => status === "ACTIVE" && !choices.excluded.has(apiName));
  const coreFields = new Map(target.fields.map((field) => [field.apiName, field]));
  const byHand = offered.flatMap(({ apiName }): FieldMapping[] => {
    const coreField = choices.chosen.get(apiName);
    return coreField ? [{ connectorField: apiName, coreField }] : [];
  });
  const proposed = suggestMappings({
    connectorFields: offered,
    coreFields: target.fields,
    existing: byHand,
    direction: "source",
  });
  const to = new Map([...byHand, ...proposed].map(({ connectorField, coreField }) => [connectorField, coreField]));
  return all.map((field): ProposedRow => {
    const core = coreFields.get(to.get(field.apiName) ?? "");
    if (core) return { field, core, leftOut: undefined };
    if (!offered.includes(field)) return { field, core: undefined, leftOut: whyNotOffered(field) };
    const namesake = coreFields.get(field.apiName);
    const isOfOtherType = namesake !== undefined && !mappingFits(field, namesake, "source");
    return { field, core: undefined, leftOut: isOfOtherType ? "typeDiffers" : "noField" };
  });
}

const COMPARABLE: ReadonlySet<DataType> = new Set(["string", "picklist", "integer", "decimal"]);
const isComparable = (field: FieldSchema): boolean => COMPARABLE.has(field.dataType) && !field.isMultiValueField;

const EMAIL = /e[-_ ]?mail/i;

/**
 * What no two records of the system share, else e-mail addresses. Never its own id: another system numbers its records
 * by itself.
 */
function proposedMatch(rows: readonly ProposedRow[]): string[] {
  const possible = rows.flatMap(({ field, core }) =>
    core && isComparable(core) && !field.isIdField ? [{ field, core }] : [],
  );
  const unique = possible.filter(({ field }) => field.unique);
  const found =
    unique.length > 0
      ? unique
      : possible.filter(({ field }) => EMAIL.test(field.apiName) || EMAIL.test(field.displayName)).slice(0, 1);
  return found.map(({ core }) => core.apiName);
}

function noWayBack(
  connector: Connector,
  entity: ConnectorEntity,
  back: readonly FieldMapping[],
): NoWayBack | undefined {
  if (entity.readOnly) return "entityReadOnly";
  if (!isWritable(connector, entity)) return "systemReadOnly";
  return back.length === 0 ? "noWritableField" : undefined;
}
