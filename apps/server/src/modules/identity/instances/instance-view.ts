/** An instance as its users are told of it. */
import {
  type Feature,
  FEATURES,
  type Instance,
  type InstanceSummary,
  QUOTA_TYPES,
  UNBUILT_FEATURES,
} from "@accord/contracts/identity/instances";
import type { InstanceFacts } from "./instances.store.ts";
import { quotasOf } from "./trial-limits.ts";

export function toSummary(row: InstanceFacts): InstanceSummary {
  return {
    accordId: row.id,
    name: row.name,
    displayName: row.display_name,
    orgName: row.organisation_name,
    type: row.type,
    status: row.status,
  };
}

export function toInstance(row: InstanceFacts): Instance {
  const quotas = quotasOf(row);
  return {
    ...toSummary(row),
    active: row.status === "ACTIVE",
    trial: row.type === "trial",
    orgId: row.organisation_id,
    planId: row.subscription_id,
    planName: row.plan_name,
    createdByName: row.created_by_name,
    createdAt: String(row.created_at),
    features: FEATURES.map((name) => ({ name, enabled: isFeatureEnabled(name, new Set(row.disabled_features)) })),
    quota: QUOTA_TYPES.flatMap((type) => {
      const value = quotas[type];
      return value === undefined ? [] : [{ type, value }];
    }),
    ghostAccess: row.ghost_access,
    scope: "orgOnly",
    version: row.version,
  };
}

export const isFeatureEnabled = (name: Feature, disabled: ReadonlySet<string>): boolean =>
  !disabled.has(name) && !UNBUILT_FEATURES.has(name);
