/** Who may act on whom, and give what: nobody reaches above themselves. */
import { id } from "@accord/contracts";
import type { UserRoles } from "@accord/contracts/identity/roles";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { InstancesService } from "../instances/index.ts";
import { isWithin, rolesOfUsers, type RolesService } from "../roles/index.ts";
import * as store from "./users.store.ts";

const instanceIds = id("instance");

export function authorityRules({ roles, instances }: { roles: RolesService; instances: InstancesService }) {
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
      await instances.get(ctx, instanceIds.parse(instanceId));
      const mine = await roles.permissionsIn(ctx.actor.userId, instanceId, db);
      const had = before[instanceId] ?? [];
      const added = keys.filter((key) => !had.includes(key));
      const taken = had.filter((key) => !keys.some((one) => one === key));
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

  return { acting, demandAbove, demandNotLastAdmin, demandGrantable };
}
