/** Use cases of saved filters: list, save, share with the instance, bookmark for oneself. */
import type { Id } from "@accord/contracts";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { SavedFilter } from "@accord/contracts/data/saved-filters";
import { checkPredicate, fieldsOf } from "@accord/expressions";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { SchemaService } from "../schema/index.ts";
import * as store from "./saved-filters.store.ts";

type FilterId = Id<"savedFilter">;
type Properties = store.FilterText;

export type SavedFiltersService = ReturnType<typeof savedFiltersService>;

const TIME_ZONE = "UTC";
const CursorText = z.tuple([z.string(), z.string()]);

export function savedFiltersService(deps: Pick<Deps, "appDb" | "clock" | "newId">, schema: SchemaService) {
  const { appDb } = deps;
  const now = () => deps.clock.now().toISOString();

  schema.addUses(async (at, entity, field) => {
    // An entity's filters go with it; a field of one cannot, for the filter would mean something else.
    if (!field) return [];
    const filters = await store.readCriteria(appDb, at, entity.id);
    return filters
      .filter(({ criteria }) => [...fieldsOf(criteria)].includes(field.apiName))
      .map(({ name }) => ({
        kind: "savedFilter" as const,
        name: `Saved filter ${name}`,
        href: `/data-studio/entity/${entity.id}`,
      }));
  });

  async function read(ctx: Ctx, id: FilterId): Promise<SavedFilter> {
    const filter = await store.readFilter(appDb, ctx.instanceId, ctx.actor.userId, id);
    if (!filter) throw new AppError("not_found", { what: "Filter" });
    return filter;
  }

  async function demandEntity(ctx: Ctx, entityId: Id<"entity">) {
    const entity = await schema.getEntity(ctx.instanceId, entityId);
    if (!entity) throw new AppError("not_found", { what: "Entity" });
    return entity;
  }

  /** A filter that could not run would only fail later, in somebody else's hands. */
  async function check(ctx: Ctx, entityId: Id<"entity">, criteria: Predicate): Promise<void> {
    const entity = await demandEntity(ctx, entityId);
    const fields = new Map(entity.fields.map((field) => [field.apiName, field]));
    const problems = checkPredicate(criteria, { field: (name) => fields.get(name), timeZone: TIME_ZONE });
    if (problems.length > 0)
      throw new AppError(
        "validation_failed",
        {},
        {
          errors: problems.map(({ path, code }) => ({
            path: ["criteria", ...path].join("."),
            message: code.replaceAll("_", " "),
          })),
        },
      );
  }

  async function refuseTakenName(
    ctx: Ctx,
    text: string,
    entityId: Id<"entity">,
    creator: string,
    except: FilterId | null,
  ) {
    if (await store.isNameTaken(appDb, ctx.instanceId, { text, entityId, creator, except }))
      throw new AppError("name_taken", { name: text });
  }

  return {
    async list(
      ctx: Ctx,
      query: {
        entityId?: Id<"entity">;
        bookmarked?: boolean;
        cursor?: string;
        count: number;
        direction: "next" | "previous";
      },
    ) {
      const { cursor, count, direction, ...selection } = query;
      if (selection.entityId) await demandEntity(ctx, selection.entityId);
      const from = cursor === undefined ? null : readCursor(cursor);
      const found = await store.readFilters(appDb, ctx.instanceId, ctx.actor.userId, {
        ...selection,
        from,
        direction,
        count: count + 1,
      });
      const filters = found.slice(0, count);
      if (direction === "previous") filters.reverse();
      const more = found.length > count;
      const [first, last] = [filters[0], filters.at(-1)];
      return {
        filters,
        pageInfo: {
          previousCursor: first && (direction === "previous" ? more : from !== null) ? writeCursor(first) : null,
          nextCursor: last && (direction === "next" ? more : from !== null) ? writeCursor(last) : null,
        },
      };
    },

    async create(
      ctx: Ctx,
      body: Properties & { accordEntityId: Id<"entity">; bookmarked: boolean },
    ): Promise<SavedFilter> {
      const { accordEntityId: entityId, bookmarked, ...properties } = body;
      const { userId } = ctx.actor;
      await check(ctx, entityId, properties.criteria);
      await refuseTakenName(ctx, properties.name, entityId, userId, null);
      const id = deps.newId<"savedFilter">();
      await store.insertFilter(appDb, ctx.instanceId, {
        ...properties,
        id,
        entityId,
        creator: { id: userId, name: nameOf(ctx) },
        now: now(),
      });
      if (bookmarked) await store.setBookmark(appDb, userId, id, true);
      return read(ctx, id);
    },

    async save(
      ctx: Ctx,
      id: FilterId,
      { version, ...properties }: Properties & { version: number },
    ): Promise<SavedFilter> {
      const before = await read(ctx, id);
      await check(ctx, before.accordEntityId, properties.criteria);
      const creator = (await store.creatorOf(appDb, ctx.instanceId, id)) ?? ctx.actor.userId;
      await refuseTakenName(ctx, properties.name, before.accordEntityId, creator, id);
      const saved = await store.updateFilter(appDb, ctx.instanceId, id, {
        ...properties,
        version,
        by: nameOf(ctx),
        now: now(),
      });
      if (!saved) throw new AppError("stale_version", { newest: await read(ctx, id) });
      return read(ctx, id);
    },

    async remove(ctx: Ctx, id: FilterId): Promise<void> {
      await read(ctx, id);
      await store.deleteFilter(appDb, ctx.instanceId, id);
    },

    async bookmark(ctx: Ctx, id: FilterId, on: boolean): Promise<SavedFilter> {
      await read(ctx, id);
      await store.setBookmark(appDb, ctx.actor.userId, id, on);
      return read(ctx, id);
    },
  };
}

const nameOf = ({ actor }: Ctx): string => `${actor.firstName} ${actor.lastName}`.trim() || actor.email;

const writeCursor = ({ name, id }: SavedFilter): string =>
  Buffer.from(JSON.stringify([name, id])).toString("base64url");

function readCursor(cursor: string): store.FilterPosition {
  try {
    const [name, id] = CursorText.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { name: name.replaceAll("\0", ""), id: id.replaceAll("\0", "") };
  } catch {
    throw invalidField("cursor", "is not a cursor of this list: start from the first page");
  }
}
