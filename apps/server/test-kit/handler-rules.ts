/**
 * Rules that handlers and statements keep by themselves, behind the permission of the endpoint: who acts on whom, what
 * may be given, and whose rows a statement touches. Each check makes its own objects, so that it can be made alone and again.
 */
import { PERMISSIONS, type Id, type Permission } from "@accord/contracts";
import { createRole, deleteRole, updateRole } from "@accord/contracts/identity/roles";
import {
  changeUserRoles,
  deactivateUser,
  deleteUser,
  inviteUser,
  reinviteUser,
  removeUser,
} from "@accord/contracts/identity/users";
import { listServiceProviders, removeServiceProvider, saveServiceProvider } from "@accord/contracts/sync/providers";
import { expect } from "vitest";
import {
  readRate,
  saveLeft,
  saveRateWait,
  takeCall,
} from "../src/modules/connections/connectors/rate-limits/rate-limits.store.ts";
import { deletePipelineData } from "../src/modules/sync/runs/schedule/delete-pipeline-data.store.ts";
import { scheduleStore } from "../src/modules/sync/runs/schedule/schedule.store.ts";
import { type Caller } from "./caller.ts";
import type { TestApp } from "./test-app.ts";
import { type HandlerRule, refused, elsewhere } from "./handler-rule.ts";
import { instances, signingIn, guests } from "./handler-rules-access.ts";

/** An own role; in no built-in one there is nothing. */
async function makeRole(t: TestApp, permissions: Permission[]): Promise<{ roleId: Id<"role">; version: number }> {
  const body = { name: `role ${t.deps.newId()}`, permissions };
  const { key, version } = await t.as("SUPER_ADMIN").call(createRole, { body });
  return { roleId: key as Id<"role">, version };
}

/** Rank alone protects who operates the installation, or administers the organisation, from all permissions there are. */
const rank: HandlerRule[] = [
  {
    name: "an organisation administrator does not act on a super administrator",
    async check(t) {
      const userId = await t.build.user({ superAdmin: true });
      await refused(t.as("ORG_ADMIN").send(deactivateUser, { params: { userId } }), "forbidden");
    },
  },
  {
    name: "all permissions of an instance are not the rank of an organisation administrator",
    async check(t) {
      const userId = await t.build.user({ roles: ["DASHBOARD_LIGHT_VIEWER"], orgAdmin: true });
      await refused(t.as([...PERMISSIONS]).send(deactivateUser, { params: { userId } }), "forbidden");
    },
  },
  {
    name: "what somebody holds in another instance protects them",
    async check(t) {
      const userId = await t.build.user({ roles: ["DASHBOARD_LIGHT_VIEWER"] });
      const { instanceId } = await elsewhere(t);
      await t.as("ORG_ADMIN").call(changeUserRoles, {
        params: { userId },
        body: { userRoles: { [instanceId]: ["SYNC_MANAGER"] } },
      });
      await refused(t.as([...PERMISSIONS]).send(deactivateUser, { params: { userId } }), "forbidden");
    },
  },
  ...([deactivateUser, removeUser, deleteUser, reinviteUser] as const).map((act): HandlerRule => ({
    name: `${act.name} refuses who holds less than the person`,
    async check(t) {
      const userId = await t.build.user({ roles: ["VIEWER"] });
      await refused(t.as([act.access as Permission]).send(act, { params: { userId } }), "forbidden");
    },
  })),
];

/** The only administrator of an organisation of its own, and who operates it. */
async function lastAdministrator(t: TestApp): Promise<{ userId: Id<"user">; operator: Caller }> {
  // Administrators of other organisations do not count.
  await t.build.user({ orgAdmin: true });
  const organisation = await t.build.organisation(`o${t.deps.newId()}`);
  const place = { ...organisation, instanceId: await t.build.instance(organisation) };
  const userId = await t.build.user({ ...place, orgAdmin: true });
  const operator = await t.asUser(await t.build.user({ ...place, superAdmin: true }), place);
  return { userId, operator };
}

const lastAdmin: HandlerRule[] = [
  ...([deactivateUser, removeUser, deleteUser] as const).map((act): HandlerRule => ({
    name: `${act.name} leaves the last administrator of an organisation`,
    async check(t) {
      const { userId, operator } = await lastAdministrator(t);
      await refused(operator.send(act, { params: { userId } }), "last_admin");
    },
  })),
  {
    name: "changeUserRoles leaves the last administrator of an organisation",
    async check(t) {
      const { userId, operator } = await lastAdministrator(t);
      await refused(operator.send(changeUserRoles, { params: { userId }, body: { orgAdmin: false } }), "last_admin");
    },
  },
];

const grants: HandlerRule[] = [
  {
    name: "who may not give roles gives none with an invitation, not even an empty one",
    async check(t) {
      const { roleId } = await makeRole(t, []);
      const userRoles = { [t.instanceId]: [roleId] };
      const body = { email: `${t.deps.newId()}@example.com`, firstName: "A", lastName: "B", userRoles };
      await refused(t.as(["INVITE_USER"]).send(inviteUser, { body }), "role_not_grantable");
    },
  },
  {
    name: "who may only give roles takes none, not even an empty one",
    async check(t) {
      const { roleId } = await makeRole(t, []);
      const userId = await t.build.user({ roles: [roleId] });
      const body = { userRoles: { [t.instanceId]: [] } };
      await refused(t.as(["ADD_USER_ROLE"]).send(changeUserRoles, { params: { userId }, body }), "role_not_grantable");
    },
  },
  {
    name: "nobody changes their own rights",
    async check(t) {
      const userId = await t.build.user({ roles: ["INSTANCE_ADMIN"], orgAdmin: true });
      const own = (await t.asUser(userId)).send(changeUserRoles, { params: { userId }, body: { userRoles: {} } });
      await refused(own, "role_not_grantable");
    },
  },
  {
    name: "administrators of an instance appoint none of the organisation",
    async check(t) {
      const userId = await t.build.user({ roles: ["VIEWER"] });
      const change = { params: { userId }, body: { orgAdmin: true } };
      await refused(t.as("INSTANCE_ADMIN").send(changeUserRoles, change), "role_not_grantable");
    },
  },
  {
    name: "administrators of an organisation appoint no support users",
    async check(t) {
      const userId = await t.build.user({ roles: ["VIEWER"] });
      const change = { params: { userId }, body: { ghostUser: true } };
      await refused(t.as("ORG_ADMIN").send(changeUserRoles, change), "role_not_grantable");
    },
  },
  {
    name: "nobody makes a role that holds more than they",
    async check(t) {
      const body = { name: `role ${t.deps.newId()}`, permissions: ["WRITE_STUDIO"] };
      await refused(t.as(["ADD_ROLE"]).send(createRole, { body }), "role_not_grantable");
    },
  },
  {
    name: "nobody changes a role that holds more than they",
    async check(t) {
      const { roleId, version } = await makeRole(t, ["WRITE_STUDIO"]);
      const body = { name: `role ${t.deps.newId()}`, permissions: [], version };
      await refused(t.as(["EDIT_ROLE"]).send(updateRole, { params: { roleId }, body }), "role_not_grantable");
    },
  },
  {
    name: "nobody deletes a role that holds more than they",
    async check(t) {
      const { roleId } = await makeRole(t, ["WRITE_STUDIO"]);
      await refused(t.as(["DELETE_ROLE"]).send(deleteRole, { params: { roleId } }), "role_not_grantable");
    },
  },
  {
    name: "roles that are set in one instance leave those of others",
    async check(t) {
      const { instanceId } = await elsewhere(t);
      const userId = await t.build.user({ roles: ["VIEWER"] });
      const set = (userRoles: Record<string, "VIEWER"[]>) =>
        t.as("ORG_ADMIN").call(changeUserRoles, { params: { userId }, body: { userRoles } });
      const { userRoles } = await set({ [instanceId]: ["VIEWER"] });
      expect(userRoles).toEqual({ [t.instanceId]: ["VIEWER"], [instanceId]: ["VIEWER"] });
    },
  },
];

const services: HandlerRule[] = [
  {
    name: "a service's secret is kept from its own instance alone",
    async check(t) {
      const [one, other] = [await elsewhere(t), await elsewhere(t)];
      const service = { params: { service: "classify" as const } };
      const body = { endpoint: "https://models.example.com/x", authentication: { type: "bearer" as const } };
      await t.as("INSTANCE_ADMIN", one).call(saveServiceProvider, { ...service, body: { ...body, secret: "canary" } });
      const saved = await t.as("INSTANCE_ADMIN", other).call(saveServiceProvider, { ...service, body });
      expect(saved).toMatchObject({ endpoint: body.endpoint, hasSecret: false });
    },
  },
  {
    name: "a service that is switched off stays on elsewhere",
    isDestructive: true,
    async check(t) {
      const [one, other] = [await elsewhere(t), await elsewhere(t)];
      const service = { params: { service: "slack" as const } };
      for (const place of [one, other])
        await t.as("INSTANCE_ADMIN", place).call(saveServiceProvider, {
          ...service,
          body: { protocol: "incomingWebhook", secret: "https://chat.example.com/x" },
        });
      await t.as("INSTANCE_ADMIN", one).call(removeServiceProvider, service);
      const { providers } = await t.as("INSTANCE_ADMIN", other).call(listServiceProviders);
      expect(providers.find((provider) => provider.service === "slack")?.configured).toBe(true);
    },
  },
];

/** Keys that the database allows once in each instance. */
const sameKeys: HandlerRule[] = [
  {
    name: "a system's budget is that of its instance",
    async check(t) {
      const pool = t.deps.dataPool;
      const key = t.deps.newId();
      const [own, other] = [(await elsewhere(t)).instanceId, (await elsewhere(t)).instanceId];
      await saveRateWait(pool, { at: other, key }, 60_000);
      expect(await readRate(pool, { at: own, key })).toEqual({ wait: 0, budget: null });
      await saveLeft(pool, { at: other, key }, { left: 7, limit: 9, resetMs: 600_000 });
      expect(await takeCall(pool, { at: own, key }, 0)).toEqual({ may: true, resetMs: 0 });
      expect((await readRate(pool, { at: other, key })).budget?.left).toBe(7);
    },
  },
  {
    name: "a pipeline is paused, resumed, asked for and ended in its instance alone",
    async check(t) {
      const store = scheduleStore(t.deps.dataPool);
      const pipelineId = t.deps.newId<"entity">();
      const [own, other] = [(await elsewhere(t)).instanceId, (await elsewhere(t)).instanceId];
      for (const instanceId of [other, own])
        await store.publish({ instanceId, pipelineId, versionId: t.deps.newId(), versionNumber: 1 }, null);
      const before = await store.find(other, pipelineId);
      expect(before?.instanceId).toBe(other);
      expect((await store.find(own, pipelineId))?.instanceId).toBe(own);
      await store.pause(own, pipelineId, t.deps.newId());
      expect(await store.find(other, pipelineId)).toEqual(before);
      await store.pause(other, pipelineId, t.deps.newId());
      await store.resume(own, pipelineId);
      expect((await store.find(other, pipelineId))?.isPaused).toBe(true);
      await deletePipelineData(t.deps.dataPool, own, pipelineId);
      expect([await store.find(own, pipelineId), (await store.find(other, pipelineId))?.instanceId]).toEqual([
        null,
        other,
      ]);
      await store.unpublish(other, pipelineId);
    },
  },
];

export const HANDLER_RULES: readonly HandlerRule[] = [
  ...rank,
  ...lastAdmin,
  ...grants,
  ...instances,
  ...signingIn,
  ...guests,
  ...services,
  ...sameKeys,
];
