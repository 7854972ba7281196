/** People: invited, given roles, deactivated, removed. Nobody acts on somebody who may do more than they. */
import type { Id } from "@accord/contracts";
import type { UserRoles } from "@accord/contracts/identity/roles";
import type { User } from "@accord/contracts/identity/users";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../instances/index.ts";
import { deleteRolesOf, isWithin, rolesOfUsers, setRoles, type RolesService } from "../roles/index.ts";
import type { SessionBook, SignInService } from "../sign-in/index.ts";
import * as store from "./users.store.ts";

type UserId = Id<"user">;

export interface UsersService {
  list(ctx: Ctx, search: string): Promise<User[]>;
  invite(ctx: Ctx, person: Invitation): Promise<User>;
  reinvite(ctx: Ctx, id: UserId): Promise<User>;
  activate(ctx: Ctx, id: UserId): Promise<User>;
  deactivate(ctx: Ctx, id: UserId): Promise<User>;
  remove(ctx: Ctx, id: UserId): Promise<void>;
  delete(ctx: Ctx, id: UserId): Promise<void>;
  changeRoles(ctx: Ctx, id: UserId, changes: RoleChanges): Promise<User>;
}

export interface Invitation {
  email: string;
  firstName: string;
  lastName: string;
  userRoles: UserRoles;
}

export interface RoleChanges {
  userRoles?: UserRoles;
  orgAdmin?: boolean;
  ghostUser?: boolean;
}

export interface UsersNeeds {
  roles: RolesService;
  instances: InstancesService;
  sessions: SessionBook;
  signIn: SignInService;
}

export function usersService(deps: Deps, { roles, instances, sessions, signIn }: UsersNeeds): UsersService {
  const { appDb, appPool, clock, newId } = deps;

  /** Instance administrators see the people of their instances only. */
  async function visibleInstances(ctx: Ctx): Promise<string[] | null> {
    return ctx.can("ADD_INSTANCE") ? null : [ctx.instanceId];
  }

  async function found(db: Db, ctx: Ctx, id: UserId): Promise<store.UserFacts> {
    const user = await store.findUser(db, ctx.organisationId, id);
    const visible = await visibleInstances(ctx);
    const held = (await rolesOfUsers(db, [id])).get(id) ?? {};
    const isVisible = visible === null || visible.some((instanceId) => held[instanceId]);
    if (!user || !isVisible) throw new AppError("not_found", { what: "User" });
    return user;
  }

  async function read(db: Db, ctx: Ctx, id: UserId): Promise<User> {
    const user = await store.findUser(db, ctx.organisationId, id);
    if (!user) throw new AppError("not_found", { what: "User" });
    return toUser(user, (await rolesOfUsers(db, [id])).get(id) ?? {});
  }

  const acting = (db: Db, ctx: Ctx) => store.findUser(db, ctx.organisationId, ctx.actor.userId);

  /** The actor must hold everything the target holds, in every instance and by flag. */
  async function demandAbove(db: Db, ctx: Ctx, target: store.UserFacts): Promise<void> {
    const actor = await acting(db, ctx);
    const refuse = () => new AppError("forbidden", { reason: "This person has rights that you don't have." });
    if (!actor || (target.super_admin && !actor.super_admin)) throw refuse();
    if (target.org_admin && !actor.org_admin && !actor.super_admin) throw refuse();
    const held = (await rolesOfUsers(db, [target.id])).get(target.id) ?? {};
    for (const instanceId of Object.keys(held)) {
      const [theirs, mine] = await Promise.all([
        roles.permissionsIn(target.id, instanceId, db),
        roles.permissionsIn(actor.id, instanceId, db),
      ]);
      if (!isWithin(theirs, mine)) throw refuse();
    }
  }

  async function demandNotLastAdmin(db: Db, target: store.UserFacts): Promise<void> {
    if (!target.org_admin || target.status !== "ACTIVE") return;
    if ((await store.countActiveOrgAdmins(db, target.organisation_id, target.id)) === 0)
      throw new AppError("last_admin");
  }

  /** Every role given or taken must be within what the actor holds in that very instance. */
  async function demandGrantable(db: Db, ctx: Ctx, before: Record<string, string[]>, wanted: UserRoles): Promise<void> {
    for (const [instanceId, keys] of Object.entries(wanted)) {
      // Answers "not found" for another organisation's instance.
      await instances.get(ctx, instanceId as Id<"instance">);
      const mine = await roles.permissionsIn(ctx.actor.userId, instanceId, db);
      const had = before[instanceId] ?? [];
      const added = keys.filter((key) => !had.includes(key));
      const taken = had.filter((key) => !keys.includes(key as never));
      if (added.length > 0 && !mine.has("ADD_USER_ROLE"))
        throw new AppError("role_not_grantable", { reason: "You don't manage that instance." });
      if (taken.length > 0 && !mine.has("REMOVE_USER_ROLE"))
        throw new AppError("role_not_grantable", { reason: "You don't manage that instance." });
      for (const key of [...added, ...taken]) {
        if (!isWithin(await roles.permissionsOf(ctx.organisationId, key), mine)) {
          throw new AppError("role_not_grantable", { reason: `The role ${key} holds more than you do.` });
        }
      }
    }
  }

  /** One change at a time in the organisation, on a target the actor may act on. */
  function change<Result>(
    ctx: Ctx,
    id: UserId,
    work: (db: Db, target: store.UserFacts) => Promise<Result>,
  ): Promise<Result> {
    return transaction(appPool, async ({ db }) => {
      await store.lockOrganisation(db, ctx.organisationId);
      const target = await found(db, ctx, id);
      await demandAbove(db, ctx, target);
      return work(db, target);
    });
  }

  return {
    async list(ctx, search) {
      const instanceIds = await visibleInstances(ctx);
      const users = await store.listUsers(appDb, { organisationId: ctx.organisationId, instanceIds, search });
      const held = await rolesOfUsers(
        appDb,
        users.map((user) => user.id),
      );
      return users.map((user) => toUser(user, held.get(user.id) ?? {}));
    },

    async invite(ctx, { email, firstName, lastName, userRoles }) {
      const user = await transaction(appPool, async ({ db }) => {
        await store.lockOrganisation(db, ctx.organisationId);
        await demandGrantable(db, ctx, {}, userRoles);
        const id = newId<"user">();
        const now = clock.now();
        await unique(email, () =>
          store.insertUser(db, {
            id,
            organisation_id: ctx.organisationId,
            email,
            first_name: firstName,
            last_name: lastName,
            status: "PENDING",
            org_admin: false,
            super_admin: false,
            password_hash: null,
            password_changed_at: null,
            created_at: now,
            updated_at: now,
          }),
        );
        for (const [instanceId, keys] of Object.entries(userRoles)) await setRoles(db, id, instanceId, keys);
        return read(db, ctx, id);
      });
      await signIn.invite({ ...user, organisationId: ctx.organisationId }, nameOf(ctx));
      return user;
    },

    async reinvite(ctx, id) {
      const user = await found(appDb, ctx, id);
      if (user.status !== "PENDING")
        throw new AppError("invalid_state", { reason: "This person has set a password already." });
      await signIn.invite(
        { id, email: user.email, firstName: user.first_name, organisationId: ctx.organisationId },
        nameOf(ctx),
      );
      return read(appDb, ctx, id);
    },

    activate: (ctx, id) =>
      change(ctx, id, async (db, target) => {
        if (target.status !== "INACTIVE")
          throw new AppError("invalid_state", { reason: "This person is not deactivated." });
        await store.updateUser(db, id, { status: "ACTIVE" }, clock.now());
        return read(db, ctx, id);
      }),

    deactivate: (ctx, id) =>
      change(ctx, id, async (db, target) => {
        if (target.status !== "ACTIVE") throw new AppError("invalid_state", { reason: "This person is not active." });
        if (id === ctx.actor.userId) throw new AppError("invalid_state", { reason: "You can't deactivate yourself." });
        await demandNotLastAdmin(db, target);
        await store.updateUser(db, id, { status: "INACTIVE" }, clock.now());
        await sessions.endAll(id, { db });
        return read(db, ctx, id);
      }),

    remove: (ctx, id) =>
      change(ctx, id, async (db, target) => {
        if (id === ctx.actor.userId) throw new AppError("invalid_state", { reason: "You can't remove yourself." });
        await demandNotLastAdmin(db, target);
        await deleteRolesOf(db, id);
        await store.updateUser(db, id, { organisation_id: null, org_admin: false, ghost_user: false }, clock.now());
        await sessions.endAll(id, { db });
      }),

    delete: (ctx, id) =>
      change(ctx, id, async (db, target) => {
        if (id === ctx.actor.userId) throw new AppError("invalid_state", { reason: "You can't delete yourself." });
        await demandNotLastAdmin(db, target);
        await store.deleteUser(db, id);
        await deps.realtime.disconnect({ userId: id });
      }),

    async changeRoles(ctx, id, { userRoles, orgAdmin, ghostUser }) {
      const changed = await change(ctx, id, async (db, target) => {
        if (id === ctx.actor.userId)
          throw new AppError("role_not_grantable", { reason: "Nobody changes their own rights." });
        const actor = await acting(db, ctx);
        if (orgAdmin !== undefined && orgAdmin !== target.org_admin) {
          if (!actor?.org_admin && !actor?.super_admin) {
            throw new AppError("role_not_grantable", { reason: "Only organisation administrators appoint others." });
          }
          if (!orgAdmin) await demandNotLastAdmin(db, target);
        }
        if (ghostUser !== undefined && ghostUser !== target.ghost_user && !actor?.super_admin) {
          throw new AppError("role_not_grantable", { reason: "Only super administrators appoint support users." });
        }
        if (userRoles) {
          await demandGrantable(db, ctx, (await rolesOfUsers(db, [id])).get(id) ?? {}, userRoles);
          for (const [instanceId, keys] of Object.entries(userRoles)) await setRoles(db, id, instanceId, keys);
        }
        await store.updateUser(
          db,
          id,
          {
            ...(orgAdmin === undefined ? {} : { org_admin: orgAdmin }),
            ...(ghostUser === undefined ? {} : { ghost_user: ghostUser }),
          },
          clock.now(),
        );
        return read(db, ctx, id);
      });
      // Windows of the person reconnect with their new rights.
      await deps.realtime.disconnect({ userId: id });
      return changed;
    },
  };
}

const nameOf = (ctx: Ctx) => `${ctx.actor.firstName} ${ctx.actor.lastName}`.trim();

function toUser(user: store.UserFacts, userRoles: Record<string, string[]>): User {
  return {
    id: user.id as UserId,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
    photo: user.photo,
    status: user.status,
    orgAdmin: user.org_admin,
    isSuperAdmin: user.super_admin,
    isGhostUser: user.ghost_user,
    userRoles: userRoles as UserRoles,
    createdAt: user.created_at,
    lastSeenAt: user.last_seen_at,
  };
}

async function unique<Result>(email: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "23505")
      throw new AppError("name_taken", { name: email });
    throw error;
  }
}
