/** What a person arranged for themselves: columns, filters, viewports. Kept on the server, so that it follows them. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { ID_PATTERN } from "../ids.ts";

/** The browser owns the shape of a value; the server only bounds it. */
export const PreferenceValue = z.json();
export type PreferenceValue = z.infer<typeof PreferenceValue>;
export const PREFERENCE_LIMIT_BYTES = { value: 64 * 1024, all: 512 * 1024 } as const;

const byId = z.record(z.string(), PreferenceValue);

export const Preferences = z.object({
  entityGraph: PreferenceValue.optional(),
  connectorGraph: PreferenceValue.optional(),
  errorNotification: PreferenceValue.optional(),
  dashboard: PreferenceValue.optional(),
  home: PreferenceValue.optional(),
  schemaStudio: z
    .object({ allEntityColumns: PreferenceValue.optional(), allFieldColumns: PreferenceValue.optional() })
    .optional(),
  syncStudio: z
    .object({ filterSelections: byId.optional(), hiddenFields: byId.optional(), viewports: byId.optional() })
    .optional(),
  dataStudio: z.object({ allColumns: byId.optional() }).optional(),
});
export type Preferences = z.infer<typeof Preferences>;

export const PREFERENCE_KEYS = ["entityGraph", "connectorGraph", "errorNotification", "dashboard", "home"] as const;

export const getPreferences = endpoint({
  name: "getPreferences",
  method: "GET",
  path: "/user/preference",
  access: "signedIn",
  scope: "none",
  summary: "All preferences of the caller.",
  reply: Preferences,
});

export const setPreference = endpoint({
  name: "setPreference",
  method: "POST",
  path: "/user/preference/:key",
  access: "signedIn",
  scope: "none",
  summary: "Keeps one preference; the body is its value.",
  params: z.strictObject({ key: z.enum(PREFERENCE_KEYS) }),
  body: PreferenceValue,
  reply: z.strictObject({}),
});

export const setSchemaStudioEntityColumns = endpoint({
  name: "setSchemaStudioEntityColumns",
  method: "POST",
  path: "/user/preference/schemaStudio/entityColumns",
  access: "signedIn",
  scope: "none",
  summary: "Keeps the columns of the schema studio's entity table.",
  body: PreferenceValue,
  reply: z.strictObject({}),
});

export const setSchemaStudioFieldColumns = endpoint({
  name: "setSchemaStudioFieldColumns",
  method: "POST",
  path: "/user/preference/schemaStudio/fieldColumns",
  access: "signedIn",
  scope: "none",
  summary: "Keeps the columns of the schema studio's field table.",
  body: PreferenceValue,
  reply: z.strictObject({}),
});

/** Only keys of one's own notes: nothing is read by them, so any id is as good as another. */
const key = z.string().regex(ID_PATTERN, "must be an id: 24 characters, 0-9 and a-f");

export const setDataStudioColumns = endpoint({
  name: "setDataStudioColumns",
  method: "POST",
  path: "/user/preference/dataStudio/columns/:entityId",
  access: "signedIn",
  scope: "none",
  summary: "Keeps the columns of an entity's record list.",
  params: z.strictObject({ entityId: key }),
  body: PreferenceValue,
  reply: z.strictObject({}),
});

export const setSyncStudioFieldFilters = endpoint({
  name: "setSyncStudioFieldFilters",
  method: "POST",
  path: "/user/preference/syncStudio/fieldFilters/:entityId",
  access: "signedIn",
  scope: "none",
  summary: "Keeps the field filters of an entity's pipeline.",
  params: z.strictObject({ entityId: key }),
  body: PreferenceValue,
  reply: z.strictObject({}),
});

export const setSyncStudioHiddenFields = endpoint({
  name: "setSyncStudioHiddenFields",
  method: "POST",
  path: "/user/preference/syncStudio/hiddenFields/:entityId",
  access: "signedIn",
  scope: "none",
  summary: "Keeps the hidden fields of an entity's pipeline.",
  params: z.strictObject({ entityId: key }),
  body: PreferenceValue,
  reply: z.strictObject({}),
});

export const setSyncStudioViewport = endpoint({
  name: "setSyncStudioViewport",
  method: "POST",
  path: "/user/preference/syncStudio/pipelineViewports/:pipelineId",
  access: "signedIn",
  scope: "none",
  summary: "Keeps where a pipeline's graph was left.",
  params: z.strictObject({ pipelineId: key }),
  body: PreferenceValue,
  reply: z.strictObject({}),
});
