/** Instances: made with everything they need, switched, limited while on trial, deleted in the background. */
import type { Id } from "@accord/contracts";
import {
  FEATURES,
  OPT_IN_FEATURES,
  UNBUILT_FEATURES,
  TRIAL_QUOTAS,
  type Feature,
  type Instance,
  type InstanceSummary,
  type InstanceType,
  type QuotaType,
} from "@accord/contracts/identity/instances";
import type { Ctx } from "../../../platform/ctx.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { migrateInstance } from "../../../platform/db/migrations.ts";
import { dropReader } from "../../../platform/db/reader-roles.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { uniqueName } from "../../../platform/http/unique-name.ts";
import { effectivePermissions, findHoldings, setRoles } from "../roles/index.ts";
import { findJoinedAccounts, noteEntered, setSessionPlace } from "../sign-in/index.ts";
import { isFeatureEnabled, toInstance, toSummary } from "./instance-view.ts";
import * as store from "./instances.store.ts";
import { type InstanceState, quotasOf, trialLimits, type Usage } from "./trial-limits.ts";

type InstanceId = Id<"instance">;

export interface NewInstance {
  organisationId: Id<"organisation">;
  subscriptionId: string;
  name: string;
  displayName: string;
  type: InstanceType;
  createdBy: string | null;
}

export interface InstancesService {
  listMine(ctx: Ctx, search?: string): Promise<InstanceSummary[]>;
  list(ctx: Ctx, search: string): Promise<Instance[]>;
  get(ctx: Ctx, id: InstanceId): Promise<Instance>;
  create(ctx: Ctx, text: { name: string; displayName: string; type: InstanceType }): Promise<Instance>;
  /** Without a caller: first start, demo, tests. */
  make(instance: NewInstance): Promise<InstanceId>;
  update(ctx: Ctx, id: InstanceId, changes: InstanceChanges): Promise<Instance>;
  delete(ctx: Ctx, id: InstanceId, confirmedName: string): Promise<void>;
  /** The background part of deleting. */
  purge(id: InstanceId): Promise<void>;
  switchTo(ctx: Ctx, id: InstanceId): Promise<{ accordId: InstanceId; displayName: string }>;
  state(ctx: Ctx, id: InstanceId): Promise<InstanceState>;
  features(instanceId: InstanceId): Promise<{ name: Feature; enabled: boolean }[]>;
  setFeature(ctx: Ctx, feature: Feature, enabled: boolean): Promise<{ name: Feature; enabled: boolean }>;
  isEnabled(instanceId: InstanceId, feature: Feature): Promise<boolean>;
  /** @throws AppError `invalid_state` when a trial's limit is reached. */
  demandWithinLimits(instanceId: InstanceId, limit: "publish" | "record"): Promise<void>;
  listActive(): Promise<{ id: InstanceId; organisationId: Id<"organisation">; displayName: string }[]>;
  /** Registered at composition: what else a new instance needs. */
  onCreate(prepare: (instanceId: InstanceId) => Promise<void>): void;
  countWith(usage: Partial<Usage>): void;
}

export interface InstanceChanges {
  name?: string;
  displayName?: string;
  active?: boolean;
  ghostAccess?: boolean;
  type?: InstanceType;
  quota?: { type: QuotaType; value: number }[];
  version: number;
}

interface AccountPlaces {
  userId: string;
  organisationId: Id<"organisation">;
  ids: readonly string[] | null;
}

export function instancesService(deps: Deps, requestPurge: (id: InstanceId) => Promise<void>): InstancesService {
  const { appDb, clock, dataDb, dataPool, newId } = deps;
  const preparations: ((instanceId: InstanceId) => Promise<void>)[] = [];
  const limits = trialLimits(deps);

  async function visibleIds(ctx: Ctx): Promise<string[] | null> {
    return ctx.isOrganisationAdmin ? null : store.instancesOfUser(appDb, ctx.actor.userId);
  }

  /** The caller's own account, and those joined to it, each with the instances it may see; `ids` null: all of them. */
  async function placesOf(ctx: Ctx): Promise<AccountPlaces[]> {
    const joined = await findJoinedAccounts(appDb, ctx.actor.userId);
    return [
      { userId: ctx.actor.userId, organisationId: ctx.organisationId, ids: await visibleIds(ctx) },
      ...(await Promise.all(
        joined.map(async ({ id: userId, organisation_id, org_admin, super_admin }) => ({
          userId,
          organisationId: organisation_id,
          ids: org_admin || super_admin ? null : await store.instancesOfUser(appDb, userId),
        })),
      )),
    ];
  }

  /** An instance one may switch to, and by which account. */
  async function findEnterable(ctx: Ctx, id: InstanceId): Promise<{ row: store.InstanceRow; userId: string }> {
    for (const { userId, organisationId, ids } of await placesOf(ctx)) {
      const row = await store.findInstance(appDb, organisationId, id);
      if (row && (!ids || ids.includes(id))) return { row, userId };
    }
    throw new AppError("not_found", { what: "Instance" });
  }

  /** Of the caller's organisation, and one they may see. */
  async function found(ctx: Ctx, id: InstanceId): Promise<store.InstanceRow> {
    const row = await store.findInstance(appDb, ctx.organisationId, id);
    const ids = row && (await visibleIds(ctx));
    if (!row || (ids && !ids.includes(id))) throw new AppError("not_found", { what: "Instance" });
    return row;
  }

  async function get(ctx: Ctx, id: InstanceId): Promise<Instance> {
    const rows = await store.listInstances(appDb, { organisationId: ctx.organisationId, ids: [id], search: "" });
    if (!rows[0]) throw new AppError("not_found", { what: "Instance" });
    return toInstance(rows[0]);
  }

  async function make(instance: NewInstance): Promise<InstanceId> {
    const id = newId<"instance">();
    const now = clock.now();
    const isTrial = instance.type === "trial";
    const row = {
      id,
      organisation_id: instance.organisationId,
      subscription_id: instance.subscriptionId,
      name: instance.name,
      display_name: instance.displayName,
      type: instance.type,
      status: "ACTIVE",
      quotas: isTrial ? TRIAL_QUOTAS : {},
      trial_started_at: isTrial ? now : null,
      ghost_access: true,
      disabled_features: [...OPT_IN_FEATURES],
      created_by: instance.createdBy,
      created_at: now,
      updated_at: now,
      version: 1,
    } satisfies store.InstanceRow;
    // The schema first: an instance that can be seen is an instance that works.
    await migrateInstance(dataPool, id);
    await uniqueName(instance.name, () => store.insertInstance(appDb, row)).catch(async (error: unknown) => {
      await store.dropInstanceSchema(dataDb, instanceSchema(id));
      await dropReader(dataPool, id);
      throw error;
    });
    for (const prepare of preparations) await prepare(id);
    return id;
  }

  async function update(ctx: Ctx, id: InstanceId, { version, quota, active, ...changes }: InstanceChanges) {
    const before = await found(ctx, id);
    await demandIn(ctx, id, "EDIT_INSTANCE");
    // Limits and types are a matter between the operator and the customer.
    if (quota !== undefined || (changes.type !== undefined && changes.type !== before.type))
      ctx.demand("RESET_SUBSCRIPTION");
    if (active === false && id === ctx.instanceId) {
      throw new AppError("invalid_state", { reason: "You are working in this instance. Switch to another one first." });
    }
    const becomesTrial = changes.type === "trial" && before.type !== "trial";
    const quotas = quota
      ? { ...quotasOf(before), ...Object.fromEntries(quota.map(({ type, value }) => [type, value])) }
      : undefined;
    const after = await uniqueName(changes.name ?? before.name, () =>
      store.updateInstance(
        appDb,
        { id, version },
        {
          ...(changes.name === undefined ? {} : { name: changes.name }),
          ...(changes.displayName === undefined ? {} : { display_name: changes.displayName }),
          ...(changes.ghostAccess === undefined ? {} : { ghost_access: changes.ghostAccess }),
          ...(changes.type === undefined ? {} : { type: changes.type }),
          ...(active === undefined ? {} : { status: active ? "ACTIVE" : "INACTIVE" }),
          ...(becomesTrial
            ? { trial_started_at: clock.now(), quotas: { ...TRIAL_QUOTAS, ...quotas } }
            : quotas
              ? { quotas }
              : {}),
          updated_at: clock.now(),
        },
      ),
    );
    if (!after) throw new AppError("stale_version", { version: before.version });
    return get(ctx, id);
  }

  async function demandIn(ctx: Ctx, id: InstanceId, permission: "EDIT_INSTANCE"): Promise<void> {
    const holdings = await findHoldings(appDb, ctx.actor.userId, id);
    if (!holdings || !effectivePermissions(holdings).has(permission)) throw new AppError("forbidden", { permission });
  }

  async function features(instanceId: InstanceId) {
    const row = await store.findInstanceById(appDb, instanceId);
    const disabled = new Set(row?.disabled_features);
    return FEATURES.map((name) => ({ name, enabled: isFeatureEnabled(name, disabled) }));
  }

  return {
    get,
    make,
    update,
    features,
    async listMine(ctx, search = "") {
      const rows = [];
      for (const { organisationId, ids } of await placesOf(ctx))
        rows.push(...(await store.listInstances(appDb, { organisationId, ids, search })));
      return rows.filter((row) => row.status === "ACTIVE").map(toSummary);
    },
    async list(ctx, search) {
      const ids = await visibleIds(ctx);
      const rows = await store.listInstances(appDb, { organisationId: ctx.organisationId, ids, search });
      return rows.map(toInstance);
    },
    async create(ctx, text) {
      const subscription = await store.findSubscription(appDb, ctx.organisationId);
      if (!subscription) throw new AppError("not_found", { what: "Subscription" });
      const id = await make({
        ...text,
        organisationId: ctx.organisationId,
        subscriptionId: subscription.id,
        createdBy: ctx.actor.userId,
      });
      // Whoever makes an instance can work in it, also without the organisation flag.
      await setRoles(appDb, ctx.actor.userId, id, ["INSTANCE_ADMIN"]);
      return get(ctx, id);
    },
    async delete(ctx, id, confirmedName) {
      const row = await found(ctx, id);
      const refuse = (reason: string) => new AppError("invalid_state", { reason });
      // This one stays, so that the organisation keeps one.
      if (id === ctx.instanceId) throw refuse("You are working in this instance. Switch to another one first.");
      if (confirmedName !== row.name) throw refuse(`Type its name to confirm: ${row.name}`);
      await store.setStatus(appDb, id, "DELETING", clock.now());
      await requestPurge(id);
    },
    async purge(id) {
      await store.dropInstanceSchema(dataDb, instanceSchema(id));
      await dropReader(dataPool, id);
      await store.purgeInstanceRows(appDb, id);
      await store.setStatus(appDb, id, "DELETED", clock.now());
    },
    async switchTo(ctx, id) {
      const { row, userId } = await findEnterable(ctx, id);
      if (row.status !== "ACTIVE") throw new AppError("invalid_state", { reason: "This instance is not active." });
      await setSessionPlace(appDb, ctx.actor.sessionId, { userId, instanceId: id });
      await store.rememberInstance(appDb, userId, id);
      await noteEntered(appDb, userId, clock.now());
      await deps.realtime.disconnect({ sessionId: ctx.actor.sessionId });
      return { accordId: id, displayName: row.display_name };
    },
    state: async (ctx, id) => limits.stateOf(await found(ctx, id)),
    async setFeature(ctx, feature, enabled) {
      await store.setFeature(appDb, ctx.instanceId, feature, enabled);
      return { name: feature, enabled: enabled && !UNBUILT_FEATURES.has(feature) };
    },
    async isEnabled(instanceId, feature) {
      return (await features(instanceId)).some(({ name, enabled }) => name === feature && enabled);
    },
    async listActive() {
      const rows = await store.activeInstances(appDb);
      return rows.map((row) => ({
        id: row.id,
        organisationId: row.organisation_id,
        displayName: row.display_name,
      }));
    },
    onCreate: (prepare) => void preparations.push(prepare),
    demandWithinLimits: limits.demandWithin,
    countWith: limits.countWith,
  };
}
