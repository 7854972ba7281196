/** Use cases of the unified model's schema: entities, drafts, fields, publishing, and what uses them. */
import type { Id } from "@accord/contracts";
import type { CoreEntity, CoreField, CoreFieldInput } from "@accord/contracts/data/entities";
import { entitySchemaChanged, type CreateEntityBody, type SchemaUse } from "@accord/contracts/data/core-schema";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { definitionProblems, sameName, tableChanges, type EntityDefinition } from "./entity-definition.ts";
import { cacheBySchema, type SchemaMoment } from "./remembered-schema.ts";
import { starterEntities } from "./starter-entities.ts";
import { newestView, plural, toField, view, withField, type VersionChoice } from "./entity-view.ts";
import * as tables from "./record-tables.store.ts";
import * as store from "./schema.store.ts";

type InstanceId = Id<"instance">;
type EntityId = Id<"entity">;

/** In which instance, and who: `by` is the name shown in the list of versions. */
export interface Author {
  instanceId: InstanceId;
  by: string;
}

export const PRODUCT_AUTHOR = "Accord";

/** Finds what uses an entity, or the field when one is given. Each module that refers to fields registers one. */
export type FindUses = (
  at: InstanceId,
  entity: Pick<CoreEntity, "id" | "apiName">,
  field?: Pick<CoreField, "id" | "apiName">,
) => Promise<SchemaUse[]>;

/** Deletes what another module keeps about an entity. */
export type Forget = (at: InstanceId, entityId: EntityId) => Promise<void>;

export type SchemaService = ReturnType<typeof schemaService>;

export function schemaService(deps: Pick<Deps, "appDb" | "appPool" | "dataPool" | "clock" | "newId" | "realtime">) {
  const finders: FindUses[] = [];
  const forgetters: Forget[] = [];
  const now = () => deps.clock.now().toISOString();
  const changed = (at: InstanceId, entityId: EntityId, published: boolean) =>
    deps.realtime.publish(at, entitySchemaChanged, { entityId, published });

  const read = async (at: InstanceId, entityId: EntityId, db: Db = deps.appDb, lock = false) => {
    const [entity] = await store.readEntities(db, at, { entityId, lock });
    if (!entity) throw new AppError("not_found", { what: "Entity" });
    return entity;
  };

  async function usesOf(at: InstanceId, entityId: EntityId, fieldId?: Id<"field">): Promise<SchemaUse[]> {
    const entity = await read(at, entityId);
    const fields = (entity.draft ?? entity.published)?.definition.fields.concat(
      entity.published?.definition.fields ?? [],
    );
    const field = fields?.find((other) => other.id === fieldId);
    if (fieldId && !field) throw new AppError("not_found", { what: "Field" });
    const found = await Promise.all(finders.map((find) => find(at, entity, field)));
    return [...(field ? [] : await references(at, entity.apiName)), ...found.flat()];
  }

  /** Fields of other entities that point to this one. */
  async function references(at: InstanceId, apiName: string): Promise<SchemaUse[]> {
    const entities = await store.readEntities(deps.appDb, at);
    return entities
      .filter((other) => other.apiName !== apiName)
      .flatMap((other) => {
        const { fields, displayName } = (other.draft ?? other.published)!.definition;
        const pointing = fields.filter((field) => field.referenceTo === apiName);
        return pointing.map((field) => ({
          kind: "reference" as const,
          name: `${displayName}, field ${field.displayName}`,
          href: `/schema-studio/synapse/core/entity/${other.apiName}/draft`,
        }));
      });
  }

  async function refuseWhenUsed(at: InstanceId, entityId: EntityId, name: string, fieldId?: Id<"field">) {
    const uses = await usesOf(at, entityId, fieldId);
    if (uses.length > 0) throw new AppError("in_use", { name, uses });
  }

  async function entityNames(db: Db, at: InstanceId): Promise<Set<string>> {
    return new Set((await store.readEntities(db, at)).map((entity) => entity.apiName));
  }

  /** Locks the entity, opens its draft when there is none, and stores what `edit` makes of it. */
  async function editDraft(
    { instanceId, by }: Author,
    entityId: EntityId,
    edit: (
      definition: EntityDefinition,
      entity: store.StoredEntity,
      db: Db,
    ) => Promise<EntityDefinition> | EntityDefinition,
    revision?: number,
  ): Promise<CoreEntity> {
    const saved = await transaction(deps.appPool, async ({ db }) => {
      const entity = await read(instanceId, entityId, db, true);
      const current = entity.draft ?? entity.published;
      if (!current) throw new AppError("not_found", { what: "Entity" });
      if (revision !== undefined && revision !== current.revision)
        throw new AppError("stale_version", { newest: view(entity, "draft") });
      const definition = await edit(structuredClone(current.definition), entity, db);
      if (!entity.draft)
        await store.insertVersion(db, instanceId, entityId, {
          version: entity.version + 1,
          state: "DRAFT",
          definition,
          now: now(),
          by,
        });
      await store.updateDraft(db, instanceId, entityId, { definition, now: now(), by });
      return read(instanceId, entityId, db);
    });
    await changed(instanceId, entityId, false);
    return newestView(saved);
  }

  async function publish({ instanceId, by }: Author, entityId: EntityId, revision?: number): Promise<CoreEntity> {
    const { before, after, removed } = await transaction(deps.appPool, async ({ db }) => {
      const entity = await read(instanceId, entityId, db, true);
      const { draft, published, apiName } = entity;
      if (!draft) throw new AppError("invalid_state", { reason: "there is no draft to publish" });
      if (revision !== undefined && revision !== draft.revision)
        throw new AppError("stale_version", { newest: view(entity, "draft") });
      const entities = await entityNames(db, instanceId);
      const problems = definitionProblems(draft.definition, { published: published?.definition ?? null, entities });
      if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
      const changes = tableChanges(published?.definition ?? null, draft.definition);
      for (const field of changes.removed) await refuseWhenUsed(instanceId, entityId, field.displayName, field.id);
      await tables.prepareTable(deps.dataPool, instanceId, {
        entity: { apiName, fields: draft.definition.fields },
        published: published?.definition ?? null,
        changes,
      });
      await store.approveDraft(db, instanceId, entityId, { version: draft.version, now: now(), by });
      return { before: entity, after: await read(instanceId, entityId, db), removed: changes.removed };
    });
    await tables.dropColumns(deps.dataPool, instanceId, before.apiName, removed);
    await changed(instanceId, entityId, true);
    return view(after, "published")!;
  }

  async function createEntity(
    author: Author,
    body: CreateEntityBody,
    madeFrom: CoreEntity["madeFrom"] = null,
  ): Promise<CoreEntity> {
    const { instanceId, by } = author;
    const { apiName, publish: atOnce, fields, ...rest } = body;
    const id = deps.newId<"entity">();
    const definition: EntityDefinition = {
      ...rest,
      pluralName: rest.pluralName ?? plural(rest.displayName),
      child: false,
      madeFrom,
      fields: fields.map((field) => toField(field, deps.newId<"field">())),
    };
    await transaction(deps.appPool, async ({ db }) => {
      const entities = await entityNames(db, instanceId);
      if ([...entities].some((other) => sameName(other, apiName))) throw new AppError("name_taken", { name: apiName });
      const problems = definitionProblems(definition, { published: null, entities: entities.add(apiName) });
      if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
      await store.insertEntity(db, instanceId, { id, apiName, definition, now: now(), by });
    });
    if (atOnce) return publish(author, id);
    await changed(instanceId, id, false);
    return newestView(await read(instanceId, id));
  }

  const remembered = cacheBySchema<CoreEntity>();

  /** null when the instance has no such entity (or no such version). */
  async function getEntity(
    at: InstanceId,
    entityId: EntityId,
    choice: VersionChoice = "published",
  ): Promise<CoreEntity | null> {
    const [entity] = await store.readEntities(deps.appDb, at, { entityId });
    return entity ? view(entity, choice) : null;
  }

  return {
    /** Registers a finder of uses; deleting what it finds used is refused. */
    addUses: (find: FindUses) => void finders.push(find),
    /** Registers what else is deleted with an entity. It may be called again for the same one after a crash. */
    onDelete: (forget: Forget) => void forgetters.push(forget),
    usesOf,
    createEntity,
    publish,

    /** `published`: entities with a published version; `draft`: all, drafts before published versions. */
    async listEntities(at: InstanceId, choice: VersionChoice = "published"): Promise<CoreEntity[]> {
      return (await store.readEntities(deps.appDb, at)).flatMap((entity) => view(entity, choice) ?? []);
    },

    getEntity,
    /** The published version as of the caller's schema version, from memory where it can be. Frozen. */
    entityAt: (moment: SchemaMoment, entityId: EntityId) =>
      remembered(moment, entityId, () => getEntity(moment.instanceId, entityId)),

    /** By api name, exactly as written. */
    async findEntity(at: InstanceId, apiName: string, choice: VersionChoice = "published"): Promise<CoreEntity | null> {
      const entity = (await store.readEntities(deps.appDb, at)).find((other) => other.apiName === apiName);
      return entity ? view(entity, choice) : null;
    },

    async listVersions(at: InstanceId, entityId: EntityId) {
      await read(at, entityId);
      return store.readVersions(deps.appDb, at, entityId);
    },

    /** Opens a draft; with one open already, answers that. */
    async createDraft(author: Author, entityId: EntityId): Promise<CoreEntity> {
      const entity = await read(author.instanceId, entityId);
      return entity.draft ? newestView(entity) : editDraft(author, entityId, (definition) => definition);
    },

    saveEntity: (
      author: Author,
      entityId: EntityId,
      {
        revision,
        ...properties
      }: Pick<EntityDefinition, "displayName" | "description" | "tags" | "nameField"> & {
        pluralName?: string;
        revision: number;
      },
    ) =>
      editDraft(
        author,
        entityId,
        (definition) => {
          const next = { ...definition, ...properties, pluralName: properties.pluralName ?? definition.pluralName };
          const problem = definitionProblems(next, { published: null, entities: new Set() }).find(
            ({ path }) => path === "nameField",
          );
          if (problem) throw new AppError("validation_failed", {}, { errors: [problem] });
          return next;
        },
        revision,
      ),

    createField: (author: Author, entityId: EntityId, input: CoreFieldInput) =>
      editDraft(author, entityId, async (definition, entity, db) => {
        const field = toField(input, deps.newId<"field">());
        return withField(definition, field, entity, await entityNames(db, author.instanceId));
      }),

    saveField: (
      author: Author,
      entityId: EntityId,
      fieldId: Id<"field">,
      { revision, ...input }: CoreFieldInput & { revision: number },
    ) =>
      editDraft(
        author,
        entityId,
        async (definition, entity, db) => {
          if (!definition.fields.some((field) => field.id === fieldId))
            throw new AppError("not_found", { what: "Field" });
          return withField(definition, toField(input, fieldId), entity, await entityNames(db, author.instanceId));
        },
        revision,
      ),

    async deleteField(author: Author, entityId: EntityId, fieldId: Id<"field">): Promise<CoreEntity> {
      const entity = await read(author.instanceId, entityId);
      const field = (entity.draft ?? entity.published)?.definition.fields.find((other) => other.id === fieldId);
      if (!field) throw new AppError("not_found", { what: "Field" });
      await refuseWhenUsed(author.instanceId, entityId, field.displayName, fieldId);
      return editDraft(author, entityId, (definition) => ({
        ...definition,
        nameField: definition.nameField === field.apiName ? null : definition.nameField,
        fields: definition.fields.filter((other) => other.id !== fieldId),
      }));
    },

    /** The published entity that remains, or null when it had never been published. */
    async discardDraft({ instanceId }: Author, entityId: EntityId): Promise<CoreEntity | null> {
      const left = await transaction(deps.appPool, async ({ db }) => {
        const entity = await read(instanceId, entityId, db, true);
        if (!entity.draft) throw new AppError("invalid_state", { reason: "there is no draft to discard" });
        await store.deleteDraft(db, instanceId, entityId);
        if (!entity.published) await store.deleteEntityRow(db, instanceId, entityId);
        return { ...entity, draft: null };
      });
      await changed(instanceId, entityId, false);
      return view(left, "published");
    },

    async deleteEntity({ instanceId }: Author, entityId: EntityId): Promise<void> {
      const entity = await read(instanceId, entityId);
      await refuseWhenUsed(instanceId, entityId, entity.apiName);
      for (const forget of forgetters) await forget(instanceId, entityId);
      await store.deleteEntityRow(deps.appDb, instanceId, entityId);
      await tables.dropRecords(deps.dataPool, instanceId, entity.apiName);
      await changed(instanceId, entityId, true);
    },

    /** What a new instance starts with. Its schema in the database `data` exists already. */
    async prepareInstance(instanceId: InstanceId): Promise<void> {
      const existing = await entityNames(deps.appDb, instanceId);
      for (const starter of starterEntities())
        if (!existing.has(starter.apiName)) await createEntity({ instanceId, by: PRODUCT_AUTHOR }, starter);
    },

    /** Makes missing tables and columns of published entities; called at start-up. */
    async repairTables(): Promise<void> {
      for (const { instanceId, apiName, definition } of await store.readPublished(deps.appDb))
        await tables.repairTable(deps.dataPool, instanceId, { apiName, fields: definition.fields });
    },
  };
}
