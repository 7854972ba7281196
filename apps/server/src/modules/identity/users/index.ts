/** People: one's own profile and the users of the organisation. */
import * as contract from "@accord/contracts/identity/users";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { route, type Module } from "../../../platform/module.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import type { PreferencesService } from "../preferences/index.ts";
import { currentUser, versionMetadata } from "./profile.ts";
import { insertUser, updateUser } from "./users.store.ts";
import { usersService, type UsersNeeds, type UsersService } from "./users.service.ts";

export { insertUser };
export type { UsersService } from "./users.service.ts";

export function usersModule(
  deps: Deps,
  needs: UsersNeeds & { preferences: PreferencesService; audit: AuditLog },
): Module & { service: UsersService } {
  const service = usersService(deps, needs);
  const { audit } = needs;

  /** Acts on one person and notes it. */
  const noted =
    <Reply extends { email: string } | void>(
      action: string,
      act: (ctx: Ctx, id: contract.User["id"]) => Promise<Reply>,
    ) =>
    async (ctx: Ctx, { params }: { params: { userId: contract.User["id"] } }) => {
      const reply = await act(ctx, params.userId);
      await audit.record(ctx, action, { kind: "user", id: params.userId, name: reply?.email });
      return reply;
    };
  const removed = noted("removeUser", service.remove);
  const deleted = noted("deleteUser", service.delete);

  return {
    name: "identity/users",
    service,
    routes: [
      route(contract.getVersion, async () => versionMetadata),
      route(contract.getCurrentUser, (ctx) => currentUser(deps, needs, ctx)),
      route(contract.updateProfile, async (ctx, { body }) => {
        if (body.id !== ctx.actor.userId) throw new AppError("not_found", { what: "User" });
        const { firstName, lastName, photo, timeZone } = body;
        const changes = { first_name: firstName, last_name: lastName, time_zone: timeZone };
        const picture = photo === undefined ? {} : { photo: photo === "" ? null : photo };
        await updateUser(deps.appDb, body.id, { ...changes, ...picture }, deps.clock.now());
        return currentUser(deps, needs, ctx);
      }),
      route(contract.listUsers, async (ctx, { query }) => ({ users: await service.list(ctx, query.search) })),
      route(contract.inviteUser, async (ctx, { body }) => {
        const user = await service.invite(ctx, body);
        await audit.record(
          ctx,
          "inviteUser",
          { kind: "user", id: user.id, name: user.email },
          { userRoles: body.userRoles },
        );
        return user;
      }),
      route(contract.reinviteUser, noted("reinviteUser", service.reinvite)),
      route(contract.createOneTimeLink, async (ctx, { params }) => {
        const { user, ...link } = await service.createLink(ctx, params.userId);
        await audit.record(
          ctx,
          "createOneTimeLink",
          { kind: "user", id: user.id, name: user.email },
          { kind: link.kind },
        );
        return link;
      }),
      route(contract.activateUser, noted("activateUser", service.activate)),
      route(contract.deactivateUser, noted("deactivateUser", service.deactivate)),
      route(contract.removeUser, async (ctx, input) => {
        await removed(ctx, input);
        return {};
      }),
      route(contract.deleteUser, async (ctx, input) => {
        await deleted(ctx, input);
        return {};
      }),
      route(contract.changeUserRoles, async (ctx, { params, body }) => {
        const user = await service.changeRoles(ctx, params.userId, body);
        await audit.record(ctx, "changeUserRoles", { kind: "user", id: user.id, name: user.email }, body);
        return user;
      }),
    ],
  };
}
