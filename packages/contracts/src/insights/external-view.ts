/** The external view: dashboards and datasets of another analytics product, embedded under `/insights-studio/ts`. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { FeatureState } from "../identity/instances.ts";

export const EXTERNAL_VIEW_LIMITS = {
  /** Dashboards, datasets or data cards of a list. */
  items: 1_000,
  rows: 100,
  columns: 60,
  /** Characters of a cell, of a name and of a description. */
  cell: 500,
  name: 200,
  description: 1_000,
  /** Bytes and milliseconds of one answer of the other product. */
  answerBytes: 2_000_000,
  answerMs: 10_000,
  /** Characters of the reason that the other product gives for a refusal. */
  reason: 300,
  /** Calls of a person and of an instance in an hour. */
  perPerson: 1_000,
  perInstance: 20_000,
  /** Seconds that a token is good for. */
  minTokenSeconds: 60,
  maxTokenSeconds: 600,
  /** Characters of the secret; HS256 wants 256 bits. */
  minSecret: 32,
  maxSecret: 1_000,
} as const;

const L = EXTERNAL_VIEW_LIMITS;

/** An id of the other product: any text. */
const ExternalKey = z.string().min(1, "is required").max(L.name, `has at most ${L.name} characters`);

export const ExternalItem = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  updatedAt: z.string().nullable(),
});
export type ExternalItem = z.output<typeof ExternalItem>;

const ExternalItems = z.strictObject({
  items: z.array(ExternalItem).max(L.items),
  /** Whether the other product has more than are shown. */
  isCut: z.boolean(),
  /** False: the other product has no list for this server; everything is behind its own pages. */
  isListed: z.boolean(),
});

export const ExternalColumn = z.strictObject({ name: z.string(), label: z.string(), type: z.string() });
export type ExternalColumn = z.output<typeof ExternalColumn>;

export const getInsightsProvider = endpoint({
  name: "getInsightsProvider",
  method: "GET",
  path: "/insights-provider",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary:
    "Whether dashboards and datasets of an external analytics product are shown: active while its feature is on.",
  reply: z.strictObject({
    status: z.enum(["active", "inactive"]),
    /** False while nobody entered where the product is, and while it is inactive. */
    isConfigured: z.boolean(),
    /** What people call the product; empty until it is configured. */
    name: z.string(),
    /** Whether the product has lists for this server. */
    hasLists: z.boolean(),
    /** Whether the caller may configure it. */
    mayConfigure: z.boolean(),
  }),
});

export const enableInsights = endpoint({
  name: "enableInsights",
  method: "POST",
  path: "/insights/enable",
  access: "ENABLE_INSIGHTS",
  scope: "instance",
  summary: "Turns the feature Insights on in the current instance.",
  reply: FeatureState,
});

/** Pages of the other product that have an address of their own here, and whatever else it has. */
export const EXTERNAL_VIEWS = ["dashboard", "dataset", "datasetCopy", "dataCard", "path"] as const;
export type ExternalViewKind = (typeof EXTERNAL_VIEWS)[number];

export const getExternalViewToken = endpoint({
  name: "getExternalViewToken",
  method: "GET",
  path: "/insights-provider/token",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "A short-lived signed token for the external product, and the address of one of its pages that carries it.",
  query: z.strictObject({
    view: z.enum(EXTERNAL_VIEWS),
    /** Id of the dashboard, dataset or data card; of `path` the path below the product's address, or nothing. */
    key: z.string().max(2_000).default(""),
  }),
  reply: z.strictObject({
    token: z.string(),
    expiresAt: z.iso.datetime(),
    /** To be opened in a frame. */
    address: z.string(),
  }),
  errors: ["feature_disabled", "external_view_off", "access_error", "too_many_tries"],
});

const LIST_ERRORS = ["feature_disabled", "external_view_off", "access_error", "too_many_tries"] as const;

export const listExternalDashboards = endpoint({
  name: "listExternalDashboards",
  method: "GET",
  path: "/insights-provider/dashboards",
  access: "READ_DASHBOARD",
  scope: "instance",
  summary: "The dashboards of the external product, as it lists them for the caller.",
  reply: ExternalItems,
  errors: LIST_ERRORS,
});

export const listExternalDatasets = endpoint({
  name: "listExternalDatasets",
  method: "GET",
  path: "/insights-provider/datasets",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The datasets of the external product, as it lists them for the caller.",
  reply: ExternalItems,
  errors: LIST_ERRORS,
});

export const listExternalDataCards = endpoint({
  name: "listExternalDataCards",
  method: "GET",
  path: "/insights-provider/datacards",
  access: "VIEW_DATACARD",
  scope: "instance",
  summary: "The data cards of the external product, as it lists them for the caller.",
  reply: ExternalItems,
  errors: LIST_ERRORS,
});

const DatasetParams = z.strictObject({ key: ExternalKey });

export const getExternalDataset = endpoint({
  name: "getExternalDataset",
  method: "GET",
  path: "/insights-provider/datasets/:key",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "One dataset of the external product with its columns.",
  params: DatasetParams,
  reply: ExternalItem.extend({ columns: z.array(ExternalColumn).max(L.columns), isCut: z.boolean() }),
  errors: LIST_ERRORS,
});

export const previewExternalDataset = endpoint({
  name: "previewExternalDataset",
  method: "GET",
  path: "/insights-provider/datasets/:key/rows",
  access: "PREVIEW_DATACARD",
  alsoNeeds: "READ_INSIGHTS",
  scope: "instance",
  summary: `The first ${L.rows} rows of a dataset of the external product, as texts.`,
  params: DatasetParams,
  reply: z.strictObject({
    columns: z.array(ExternalColumn).max(L.columns),
    /** In the order of `columns`; null: no value. */
    rows: z.array(z.array(z.string().nullable())).max(L.rows),
    isCut: z.boolean(),
  }),
  errors: LIST_ERRORS,
});

const address = z
  .string()
  .trim()
  .max(2_000, "has at most 2000 characters")
  .refine(isPlainAddress, "must be an http or https address without user name, password or #");

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "" && hash === "";
}

/** What the policy of a page can name as the origin of a frame: `*` would be any host, `;` the next directive. */
const FRAMED_HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

const framedAddress = address.refine(
  (text) => !isPlainAddress(text) || FRAMED_HOST.test(new URL(text).hostname),
  "must name its host by letters, digits, hyphens and points: a policy for frames knows no others",
);

/** Below the product's address; `{id}` is the id of what is opened. */
const template = z
  .string()
  .trim()
  .max(300, "has at most 300 characters")
  .regex(/^[^?#\\]*\{id\}[^?#\\]*$/, "must contain {id}, and neither ? nor # nor \\")
  .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), "must not go up with . or ..");

export const ExternalViewSettingsInput = z.strictObject({
  /** What people call the product. */
  name: z.string().trim().min(1, "is required").max(80, "has at most 80 characters"),
  /** Below it are the pages that are embedded. */
  address: framedAddress,
  paths: z
    .strictObject({
      dashboard: template.default("dashboards/{id}"),
      dataset: template.default("datasets/{id}"),
      datasetCopy: template.default("datasets/{id}/copy"),
      dataCard: template.default("datacards/{id}"),
    })
    .prefault({}),
  /** Where the token stands in the address. */
  tokenIn: z.enum(["query", "fragment"]).default("query"),
  tokenName: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_.-]{1,60}$/, "has 1 to 60 letters, digits, underscores, points or hyphens")
    .default("token"),
  tokenSeconds: z
    .int("must be a whole number of seconds")
    .min(L.minTokenSeconds, `must be at least ${L.minTokenSeconds} seconds`)
    .max(L.maxTokenSeconds, `must be at most ${L.maxTokenSeconds} seconds`)
    .default(300),
  /** The claim `aud`; empty: the origin of the address. */
  audience: z.string().trim().max(300, "has at most 300 characters").default(""),
  /** Whether the token names the person. */
  sendsPerson: z.boolean().default(false),
  /** Where the product answers this server with lists; empty: nowhere. */
  listAddress: z.union([z.literal(""), address]).default(""),
  /** Whether the product is asked before each page that is opened if it takes the token. */
  checksAccess: z.boolean().default(false),
  secret: z
    .string()
    .min(L.minSecret, `must have at least ${L.minSecret} characters`)
    .max(L.maxSecret, `has at most ${L.maxSecret} characters`)
    .optional(),
  /** Of the settings that this replaces; 0: there are none. */
  version: z.int().min(0),
});
export type ExternalViewSettingsInput = z.output<typeof ExternalViewSettingsInput>;

export const ExternalViewDefinition = ExternalViewSettingsInput.omit({ secret: true, version: true });
export type ExternalViewDefinition = z.output<typeof ExternalViewDefinition>;

export const ExternalViewSettings = z.strictObject({
  settings: ExternalViewDefinition.nullable(),
  hasSecret: z.boolean(),
  /** The claim `iss`, and what the product has to allow as an ancestor of its frames. */
  issuer: z.string(),
  /** The claim `instance`. */
  instanceId: z.string(),
  version: z.int(),
  updatedAt: z.iso.datetime().nullable(),
});
export type ExternalViewSettings = z.output<typeof ExternalViewSettings>;

export const getExternalViewSettings = endpoint({
  name: "getExternalViewSettings",
  method: "GET",
  path: "/insights-provider/settings",
  access: "SERVICE_CREDENTIAL",
  scope: "instance",
  summary: "Where the external product is and what it is sent; never the secret.",
  reply: ExternalViewSettings,
  errors: ["feature_disabled"],
});

export const saveExternalViewSettings = endpoint({
  name: "saveExternalViewSettings",
  method: "PUT",
  path: "/insights-provider/settings",
  access: "SERVICE_CREDENTIAL",
  scope: "instance",
  summary: "Configures the external product; its secret stays unless another one is sent or an origin changes.",
  body: ExternalViewSettingsInput,
  reply: ExternalViewSettings,
  errors: ["feature_disabled", "credential_host_changed", "stale_version"],
});

export const removeExternalViewSettings = endpoint({
  name: "removeExternalViewSettings",
  method: "DELETE",
  path: "/insights-provider/settings",
  access: "SERVICE_CREDENTIAL",
  scope: "instance",
  summary: "Forgets the external product and its secret.",
  reply: z.strictObject({}),
  errors: ["feature_disabled"],
});

/** The page of this server that holds the frame of the product. No endpoint: it answers HTML. */
export const EXTERNAL_FRAME_PATH = "/insights-provider/frame";
