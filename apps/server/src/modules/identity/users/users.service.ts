/** People: invited, given roles, deactivated, removed. Nobody acts on somebody who may do more than they. */
import type { Id } from "@accord/contracts";
import { LINK_LIFETIME } from "@accord/contracts/identity/sign-in";
import type { UserRoles } from "@accord/contracts/identity/roles";
import type { User } from "@accord/contracts/identity/users";
import { mails } from "@accord/contracts/messages/en/mails";
import { fill } from "@accord/contracts/messages/fill";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../instances/index.ts";
import { deleteRolesOf, rolesOfUsers, setRoles, type RolesService } from "../roles/index.ts";
import type { SessionBook, SignInService } from "../sign-in/index.ts";
import { authorityRules } from "./authority.ts";
import * as store from "./users.store.ts";

type UserId = Id<"user">;

export interface UsersService {
  list(ctx: Ctx, search: string): Promise<User[]>;
  invite(ctx: Ctx, person: Invitation): Promise<User>;
  reinvite(ctx: Ctx, id: UserId): Promise<User>;
  /** A link that sets the person's password, for the caller to hand over. */
  createLink(ctx: Ctx, id: UserId): Promise<HandedLink>;
  activate(ctx: Ctx, id: UserId): Promise<User>;
  deactivate(ctx: Ctx, id: UserId): Promise<User>;
  remove(ctx: Ctx, id: UserId): Promise<void>;
  delete(ctx: Ctx, id: UserId): Promise<void>;
  changeRoles(ctx: Ctx, id: UserId, changes: RoleChanges): Promise<User>;
}

export interface HandedLink {
  user: User;
  kind: "invitation" | "passwordReset";
  link: string;
  expiresAt: string;
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
  const { acting, demandAbove, demandGrantable, demandNotLastAdmin } = authorityRules({ roles, instances });

  /** Instance administrators see the people of their instances only. */
  async function visibleInstances(ctx: Ctx): Promise<string[] | null> {
    return ctx.isOrganisationAdmin ? null : [ctx.instanceId];
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

  /** Whoever has the link can sign in as the person: they should know. */
  async function tellOfLink(ctx: Ctx, target: User): Promise<void> {
    const facts = { firstName: target.firstName, administrator: nameOf(ctx), minutes: LINK_LIFETIME.resetMinutes };
    await deps.mail.send({
      to: target.email,
      subject: fill(mails.oneTimeLink.subject, facts),
      text: fill(mails.oneTimeLink.text, facts),
      kind: "oneTimeLink",
      organisationId: ctx.organisationId,
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
        // Only of people whom the actor sees: of others, here or elsewhere, an invitation tells nothing.
        const instanceIds = ctx.isOrganisationAdmin ? null : [ctx.instanceId, ...Object.keys(userRoles)];
        if (await store.hasUser(db, { organisationId: ctx.organisationId, instanceIds, email }))
          throw new AppError("name_taken", { name: email });
        const id = newId<"user">();
        const now = clock.now();
        await store.insertUser(db, {
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
        });
        for (const [instanceId, keys] of Object.entries(userRoles)) await setRoles(db, id, instanceId, keys);
        return read(db, ctx, id);
      });
      await signIn.invite({ ...user, organisationId: ctx.organisationId }, nameOf(ctx));
      return user;
    },

    async reinvite(ctx, id) {
      const user = await found(appDb, ctx, id);
      await demandAbove(appDb, ctx, user);
      if (user.status !== "PENDING")
        throw new AppError("invalid_state", { reason: "This person has set a password already." });
      await signIn.invite(
        { id, email: user.email, firstName: user.first_name, organisationId: ctx.organisationId },
        nameOf(ctx),
      );
      return read(appDb, ctx, id);
    },

    async createLink(ctx, id) {
      const made = await change(ctx, id, async (db, target) => {
        if (id === ctx.actor.userId)
          throw new AppError("invalid_state", { reason: "You change your own password in your profile." });
        if (target.status === "INACTIVE")
          throw new AppError("invalid_state", { reason: "This person is deactivated. Activate them first." });
        const kind = target.status === "PENDING" ? ("invitation" as const) : ("passwordReset" as const);
        const { address, expiresAt } = await signIn.createLink({ kind, userId: id });
        return { user: await read(db, ctx, id), kind, link: address, expiresAt: expiresAt.toISOString() };
      });
      if (made.kind === "passwordReset") await tellOfLink(ctx, made.user);
      return made;
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
