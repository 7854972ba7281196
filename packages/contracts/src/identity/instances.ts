/** Instances: the workspaces of an organisation, their trial limits and features. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";

/** `production` is shown as "Standard". */
export const INSTANCE_TYPES = ["production", "trial", "partner"] as const;
export const InstanceType = z.enum(INSTANCE_TYPES);
export type InstanceType = z.infer<typeof InstanceType>;

export const InstanceStatus = z.enum(["ACTIVE", "INACTIVE", "DELETING", "DELETED"]);
export type InstanceStatus = z.infer<typeof InstanceStatus>;

export const QUOTA_TYPES = ["TRIAL_DAYS_LIMIT", "PIPELINE_PUBLISH_LIMIT", "RECORDS_LIMIT"] as const;
export const QuotaType = z.enum(QUOTA_TYPES);
export type QuotaType = z.infer<typeof QuotaType>;
/** What a new trial starts with. */
export const TRIAL_QUOTAS: Record<QuotaType, number> = {
  TRIAL_DAYS_LIMIT: 15,
  PIPELINE_PUBLISH_LIMIT: 5,
  RECORDS_LIMIT: 10_000,
};

export const FEATURES = [
  "Insights",
  "InsightsProvider",
  "InsightsAI",
  "PipelineEditorV2",
  "DfiV2",
  "ABAC",
  "BRAND",
] as const;
export const Feature = z.enum(FEATURES);
export type Feature = z.infer<typeof Feature>;
/** Known by name, with nothing behind them yet: never enabled, whatever is set. */
export const UNBUILT_FEATURES: ReadonlySet<Feature> = new Set(["DfiV2", "ABAC", "BRAND"]);
/** Off in each instance until somebody enables them. */
export const OPT_IN_FEATURES: readonly Feature[] = ["InsightsProvider"];
export const FeatureState = z.strictObject({ name: Feature, enabled: z.boolean() });

export const DISPLAY_NAME_MAX = 120;
const displayName = z
  .string()
  .trim()
  .min(1, "is required")
  .max(DISPLAY_NAME_MAX, `must have at most ${DISPLAY_NAME_MAX} characters`);
const name = z
  .string()
  .trim()
  .min(1, "is required")
  .max(60, "must have at most 60 characters")
  .regex(/^[A-Za-z0-9_-]+$/, "may hold letters, digits, underscore and hyphen");
const quota = z.array(z.strictObject({ type: QuotaType, value: z.int().min(0).max(1_000_000_000) })).max(3);

export const Instance = z.strictObject({
  accordId: id("instance"),
  name: z.string(),
  displayName: z.string(),
  type: InstanceType,
  status: InstanceStatus,
  active: z.boolean(),
  trial: z.boolean(),
  orgId: id("organisation"),
  orgName: z.string(),
  planId: z.string(),
  planName: z.string(),
  createdByName: z.string().nullable(),
  createdAt: z.string(),
  features: z.array(FeatureState),
  quota: z.array(z.strictObject({ type: QuotaType, value: z.int() })),
  ghostAccess: z.boolean(),
  scope: z.enum(["orgOnly", "global"]),
  version: z.int(),
});
export type Instance = z.infer<typeof Instance>;

export const InstanceSummary = z.strictObject({
  accordId: id("instance"),
  name: z.string(),
  displayName: z.string(),
  orgName: z.string(),
  type: InstanceType,
  status: InstanceStatus,
});
export type InstanceSummary = z.infer<typeof InstanceSummary>;

const at = z.strictObject({ instanceId: id("instance") });

export const listMyInstances = endpoint({
  name: "listMyInstances",
  method: "GET",
  path: "/user/instances",
  access: "signedIn",
  scope: "organisation",
  summary: "The instances the caller may work in.",
  query: z.strictObject({
    /** Part of display name, organisation name or id, in any case. */
    search: z.string().max(200).default(""),
  }),
  reply: z.strictObject({ instances: z.array(InstanceSummary) }),
});

export const listInstances = endpoint({
  name: "listInstances",
  method: "GET",
  path: "/instances",
  access: "LIST_INSTANCES",
  scope: "organisation",
  summary: "The organisation's instances: all for its administrators, their own for others.",
  query: z.strictObject({ search: z.string().max(200).default("") }),
  reply: z.strictObject({ instances: z.array(Instance) }),
});

export const createInstance = endpoint({
  name: "createInstance",
  method: "POST",
  path: "/instances",
  access: "ADD_INSTANCE",
  scope: "organisation",
  summary: "Adds an empty instance. Without a type it is a production one; a trial starts with the trial limits.",
  body: z.strictObject({ name, displayName, type: InstanceType.default("production") }),
  reply: Instance,
  creates: true,
  errors: ["name_taken"],
});

export const updateInstance = endpoint({
  name: "updateInstance",
  method: "PUT",
  path: "/instances/:instanceId",
  access: "EDIT_INSTANCE",
  scope: "organisation",
  summary: "Changes names, activity, ghost access or, for super administrators, type and trial limits.",
  params: at,
  body: z.strictObject({
    name: name.optional(),
    displayName: displayName.optional(),
    active: z.boolean().optional(),
    ghostAccess: z.boolean().optional(),
    type: InstanceType.optional(),
    quota: quota.optional(),
    version: z.int(),
  }),
  reply: Instance,
  errors: ["name_taken", "stale_version", "invalid_state"],
});

export const deleteInstance = endpoint({
  name: "deleteInstance",
  method: "DELETE",
  path: "/instances/:instanceId",
  access: "DELETE_INSTANCE",
  scope: "organisation",
  summary: "Deletes an instance with everything in it; not the current and not the last one. Its name confirms.",
  params: at,
  query: z.strictObject({ name: z.string().max(120) }),
  reply: z.strictObject({}),
  errors: ["invalid_state"],
});

export const switchInstance = endpoint({
  name: "switchInstance",
  method: "POST",
  path: "/instances/:instanceId/switch",
  access: "signedIn",
  scope: "organisation",
  summary: "Works in another instance from now on.",
  params: at,
  reply: z.strictObject({ accordId: id("instance"), displayName: z.string() }),
  errors: ["forgery_check_failed", "invalid_state"],
});

export const getInstanceState = endpoint({
  name: "getInstanceState",
  method: "GET",
  path: "/instances/:instanceId/state",
  access: "signedIn",
  scope: "organisation",
  summary: "How much of its trial limits an instance has used; null where no limit holds.",
  params: at,
  reply: z.strictObject({
    numberOfRecordsLeft: z.int().nullable(),
    numberOfPublishesLeft: z.int().nullable(),
    trialDaysLeft: z.int().nullable(),
    expiryDate: z.string().nullable(),
    trialExpired: z.boolean(),
    publishLimitExpired: z.boolean(),
    recordLimitExpired: z.boolean(),
  }),
});

const featureName = z.strictObject({ featureName: Feature });

export const listFeatures = endpoint({
  name: "listFeatures",
  method: "GET",
  path: "/features",
  access: "READ_FEATURES",
  scope: "instance",
  summary: "The features of the current instance.",
  reply: z.strictObject({ features: z.array(FeatureState) }),
});

export const getFeature = endpoint({
  name: "getFeature",
  method: "GET",
  path: "/features/:featureName",
  access: "READ_FEATURES",
  scope: "instance",
  summary: "Whether one feature is enabled.",
  params: featureName,
  reply: FeatureState,
});

export const enableFeature = endpoint({
  name: "enableFeature",
  method: "POST",
  path: "/features/:featureName/enable",
  access: "ENABLE_FEATURE",
  scope: "instance",
  summary: "Enables a feature in the current instance. One with nothing behind it yet is answered as not enabled.",
  params: featureName,
  reply: FeatureState,
});

export const disableFeature = endpoint({
  name: "disableFeature",
  method: "POST",
  path: "/features/:featureName/disable",
  access: "DISABLE_FEATURE",
  scope: "instance",
  summary: "Disables a feature in the current instance; nothing stored is lost.",
  params: featureName,
  reply: FeatureState,
});

const SubscriptionShape = {
  id: z.string(),
  name: z.string(),
  type: z.enum(["standard", "trial", "partner"]),
  status: z.enum(["ACTIVE", "DELETED"]),
  instances: z.array(InstanceSummary),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  deletedAt: z.string().nullable(),
  deletedBy: z.string().nullable(),
};
export const Subscription = z.strictObject(SubscriptionShape);
export type Subscription = z.infer<typeof Subscription>;

export const getSubscription = endpoint({
  name: "getSubscription",
  method: "GET",
  path: "/subscription",
  access: "EDIT_SUBSCRIPTION",
  scope: "organisation",
  summary: "The organisation's subscription and the instances under it.",
  reply: Subscription,
});
