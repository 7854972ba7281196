/** What each person arranged for themselves. */
import * as contract from "@accord/contracts/identity/preferences";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { route, type Module } from "../../../platform/module.ts";
import { readPreferences, writePreference } from "./preferences.store.ts";

const { value: VALUE_LIMIT, all: ALL_LIMIT } = contract.PREFERENCE_LIMIT_BYTES;

export interface PreferencesService {
  read(userId: string): Promise<contract.Preferences>;
}

export function preferencesModule({ appDb }: Deps): Module & { service: PreferencesService } {
  const service: PreferencesService = {
    read: async (userId) => contract.Preferences.parse(await readPreferences(appDb, userId)),
  };

  async function keep(ctx: Ctx, path: string[], value: contract.PreferenceValue): Promise<Record<never, never>> {
    if (Buffer.byteLength(JSON.stringify(value)) > VALUE_LIMIT) throw tooLarge(VALUE_LIMIT);
    if (!(await writePreference(appDb, ctx.actor.userId, path, value, ALL_LIMIT))) throw tooLarge(ALL_LIMIT);
    return {};
  }

  return {
    name: "identity/preferences",
    service,
    routes: [
      route(contract.getPreferences, (ctx) => service.read(ctx.actor.userId)),
      route(contract.setPreference, (ctx, { params, body }) => keep(ctx, [params.key], body)),
      route(contract.setSchemaStudioEntityColumns, (ctx, { body }) =>
        keep(ctx, ["schemaStudio", "allEntityColumns"], body),
      ),
      route(contract.setSchemaStudioFieldColumns, (ctx, { body }) =>
        keep(ctx, ["schemaStudio", "allFieldColumns"], body),
      ),
      route(contract.setDataStudioColumns, (ctx, { params, body }) =>
        keep(ctx, ["dataStudio", "allColumns", params.entityId], body),
      ),
      route(contract.setSyncStudioFieldFilters, (ctx, { params, body }) =>
        keep(ctx, ["syncStudio", "filterSelections", params.entityId], body),
      ),
      route(contract.setSyncStudioHiddenFields, (ctx, { params, body }) =>
        keep(ctx, ["syncStudio", "hiddenFields", params.entityId], body),
      ),
      route(contract.setSyncStudioViewport, (ctx, { params, body }) =>
        keep(ctx, ["syncStudio", "viewports", params.pipelineId], body),
      ),
    ],
  };
}

const tooLarge = (bytes: number) => new AppError("body_too_large", { limit: `${bytes / 1024} KB` });
