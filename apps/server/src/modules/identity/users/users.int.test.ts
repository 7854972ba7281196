/** People and their rights: T4, and what administrators may do to whom. */
import { PERMISSIONS, type Permission } from "@accord/contracts";
import { signIn } from "@accord/contracts/identity/sign-in";
import {
  activateUser,
  changeUserRoles,
  createOneTimeLink,
  deactivateUser,
  deleteUser,
  getCurrentUser,
  getVersion,
  listUsers,
  reinviteUser,
  removeUser,
  updateProfile,
} from "@accord/contracts/identity/users";
import { enableFeature, listInstances, switchInstance } from "@accord/contracts/identity/instances";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { describe, expect, test } from "vitest";
import { type Caller } from "../../../../test-kit/index.ts";
import { permissionsOfRole } from "../../../platform/access/role-permissions.ts";
import { hashPassword } from "../sign-in/index.ts";
import { t, setUp } from "./fixtures/users.ts";

setUp();

describe("the signed-in person", () => {
  test("[PLT-042] [PLT-043] [PLT-093] [PLT-094] [PLT-096] rights and names follow the current instance", async () => {
    const second = await t.build.instance({ name: "second" });
    const userId = await t.build.user({ email: "ada@accord.example", roles: ["VIEWER"] });
    const admin = await t.asUser(await t.build.user({ orgAdmin: true }));
    await admin.call(changeUserRoles, { params: { userId }, body: { userRoles: { [second]: ["INSTANCE_ADMIN"] } } });
    const me = await t.asUser(userId);
    const here = await me.call(getCurrentUser);
    expect(here).toMatchObject({
      id: userId,
      orgName: "Test",
      orgAdmin: false,
      isSuperAdmin: false,
      isGhostUser: false,
      ghosted: false,
      instanceAdmin: false,
      admin: false,
      internal: true,
      passwordExpired: false,
      currentInstanceName: "First",
      currentInstanceAccordId: t.instanceId,
      currentInstanceType: "production",
      userRoles: { [t.instanceId]: ["VIEWER"], [second]: ["INSTANCE_ADMIN"] },
      effectiveRoles: ["VIEWER"],
      versionMetadata: await t.anonymous.call(getVersion),
    });
    expect(new Set(here.permissions)).toEqual(permissionsOfRole("VIEWER"));
    expect(here.instances.map((one) => one.accordId)).toEqual([t.instanceId, second]);
    await me.call(switchInstance, { params: { instanceId: second } });
    const there = await me.call(getCurrentUser);
    expect(there).toMatchObject({ currentInstanceName: "second", instanceAdmin: true, admin: true, orgAdmin: false });
    expect(there.permissions).toContain("INVITE_USER");
    const boss = await admin.call(getCurrentUser);
    expect(boss).toMatchObject({
      orgAdmin: true,
      admin: true,
      superAdmin: false,
      internal: false,
      effectiveRoles: ["ORG_ADMIN"],
    });
  });

  test("[PLT-112] changes name, picture and time zone; another's id, markup as picture and invented zones are refused", async () => {
    const userId = await t.build.user({ roles: ["DASHBOARD_LIGHT_VIEWER"] });
    const me = await t.asUser(userId);
    const photo = "data:image/png;base64,iVBORw0KGgo=";
    const body = { id: userId, firstName: "Ada", lastName: "Lovelace", photo, timeZone: "Europe/Vienna" };
    expect(await me.call(updateProfile, { body })).toMatchObject({
      firstName: "Ada",
      photo,
      timeZone: "Europe/Vienna",
    });
    expect(await me.call(updateProfile, { body: { ...body, photo: "" } })).toMatchObject({ photo: null });
    for (const bad of ["data:image/svg+xml;base64,PHN2Zz4=", "javascript:alert(1)", "https://example.com/a.png"]) {
      await expect(me.call(updateProfile, { body: { ...body, photo: bad } })).rejects.toMatchObject({ status: 400 });
    }
    await expect(me.call(updateProfile, { body: { ...body, timeZone: "Mars/Olympus" } })).rejects.toMatchObject({
      status: 400,
    });
    const other = await t.build.user();
    await expect(me.call(updateProfile, { body: { ...body, id: other } })).rejects.toMatchObject({ status: 404 });
  });
});

describe("[PLT-114] people come and go", () => {
  test("a deactivated person is out at once and back after activation; a removed one leaves; a deleted one is gone", async () => {
    const admin = t.as("ORG_ADMIN");
    const password = "a long walk by the river";
    const passwordHash = await hashPassword(password);
    const userId = await t.build.user({ email: "eve@example.com", passwordHash, roles: ["VIEWER"] });
    const at = { params: { userId } };
    const session = await t.asUser(userId);
    const login = async () =>
      (await t.anonymous.send(signIn, { body: { username: "eve@example.com", password } })).status;

    expect(await admin.call(deactivateUser, at)).toMatchObject({ status: "INACTIVE" });
    await expect(session.call(getCurrentUser)).rejects.toMatchObject({ status: 401 });
    expect(await login()).toBe(401);
    await expect(admin.call(deactivateUser, at)).rejects.toMatchObject({ code: "invalid_state" });
    expect(await admin.call(activateUser, at)).toMatchObject({ status: "ACTIVE" });
    expect(await login()).toBe(200);

    await admin.call(removeUser, at);
    expect(await login()).toBe(401);
    expect((await admin.call(listUsers)).users.map((user) => user.id)).not.toContain(userId);
    const other = await t.build.user({ roles: ["VIEWER"] });
    await admin.call(deleteUser, { params: { userId: other } });
    await expect(admin.call(deleteUser, { params: { userId: other } })).rejects.toMatchObject({ status: 404 });
    const { entries } = await admin.call(listAuditEntries);
    expect(entries.map((entry) => entry.action)).toEqual(
      expect.arrayContaining(["deactivateUser", "activateUser", "removeUser", "deleteUser"]),
    );
  });

  test("instance administrators see and manage only the people of their instance", async () => {
    const elsewhere = await t.build.instance();
    const stranger = await t.build.user({ roles: ["VIEWER"], instanceId: elsewhere });
    const admin = t.as("INSTANCE_ADMIN");
    expect((await admin.call(listUsers)).users.map((user) => user.id)).not.toContain(stranger);
    await expect(admin.call(deactivateUser, { params: { userId: stranger } })).rejects.toMatchObject({ status: 404 });
  });

  test("nobody acts on somebody who may do more", async () => {
    const boss = await t.build.user({ roles: ["VIEWER"], orgAdmin: true });
    const admin = t.as("INSTANCE_ADMIN");
    for (const act of [deactivateUser, removeUser, deleteUser]) {
      await expect(admin.call(act, { params: { userId: boss } })).rejects.toMatchObject({ status: 403 });
    }
  });

  test("rank and what somebody holds in other instances count, not permissions held here alone", async () => {
    const elsewhere = await t.build.instance();
    const here = t.as([...PERMISSIONS]);
    const ranked = await t.build.user({ roles: ["VIEWER"], orgAdmin: true });
    const userId = await t.build.user({ roles: ["VIEWER"] });
    await t.as("ORG_ADMIN").call(changeUserRoles, {
      params: { userId },
      body: { userRoles: { [t.instanceId]: ["VIEWER"], [elsewhere]: ["SYNC_MANAGER"] } },
    });
    for (const target of [ranked, userId]) {
      for (const act of [deactivateUser, deleteUser]) {
        await expect(here.call(act, { params: { userId: target } }), act.name).rejects.toMatchObject({ status: 403 });
      }
    }
    const { rows } = await t.deps.appPool.query("SELECT status FROM app_user WHERE id = ANY($1)", [[ranked, userId]]);
    expect(rows).toEqual([{ status: "ACTIVE" }, { status: "ACTIVE" }]);
  });

  test("who may only give roles takes none, and the other way round, and neither more than they hold", async () => {
    const [giver, taker] = [t.as(["LIST_USERS", "ADD_USER_ROLE"]), t.as(["LIST_USERS", "REMOVE_USER_ROLE"])];
    const userId = await t.build.user({ roles: [] });
    await t.as("ORG_ADMIN").call(changeUserRoles, {
      params: { userId },
      body: { userRoles: { [t.instanceId]: ["DASHBOARD_LIGHT_VIEWER"] } },
    });
    const refused = async (who: Caller, keys: string[]) => {
      const body = { userRoles: { [t.instanceId]: keys } };
      expect((await who.send(changeUserRoles, { params: { userId }, body })).status).toBe(403);
    };
    await refused(giver, []);
    await refused(giver, ["DASHBOARD_LIGHT_VIEWER", "SYNC_MANAGER"]);
    await refused(taker, []);
    await refused(taker, ["DASHBOARD_LIGHT_VIEWER", "VIEWER"]);
  });

  test("an organisation administrator may not act on who operates the installation, in any state", async () => {
    const admin = t.as("ORG_ADMIN");
    const states = ["ACTIVE", "INACTIVE", "PENDING"];
    // Without a role in any instance rank alone protects them: so is the first administrator.
    for (const [status, roles] of states.flatMap(
      (status) =>
        [
          [status, []],
          [status, ["VIEWER"]],
        ] as const,
    )) {
      const userId = await t.build.user({ superAdmin: true, roles });
      await t.deps.appPool.query("UPDATE app_user SET status = $1 WHERE id = $2", [status, userId]);
      const before = await t.deps.appPool.query("SELECT * FROM app_user WHERE id = $1", [userId]);
      for (const act of [activateUser, deactivateUser, removeUser, deleteUser, reinviteUser, createOneTimeLink])
        await expect(admin.call(act, { params: { userId } }), `${act.name} ${status}`).rejects.toMatchObject({
          status: 403,
        });
      for (const body of [{ orgAdmin: true }, { ghostUser: true }, { userRoles: { [t.instanceId]: [] } }])
        await expect(admin.call(changeUserRoles, { params: { userId }, body })).rejects.toMatchObject({ status: 403 });
      expect((await t.deps.appPool.query("SELECT * FROM app_user WHERE id = $1", [userId])).rows).toEqual(before.rows);
      // One of their own rank may.
      await t.as("SUPER_ADMIN").call(deleteUser, { params: { userId } });
    }
  });
});

describe("who sees the whole organisation", () => {
  test("is a matter of rank: the permission to add instances, or any other, shows nobody from elsewhere", async () => {
    const elsewhere = await t.build.instance({ name: "elsewhere" });
    const stranger = await t.build.user({ roles: ["VIEWER"], instanceId: elsewhere });
    const foreign = t.as("INSTANCE_ADMIN", { instanceId: elsewhere });
    await foreign.call(enableFeature, { params: { featureName: "BRAND" } });
    const seen = async (who: Caller) => {
      const users = await who.call(listUsers);
      const { instances } = await who.call(listInstances);
      const { entries } = await who.call(listAuditEntries, { query: { count: "200" as never } });
      return [
        users.users.some((user) => user.id === stranger),
        instances.some((one) => one.accordId === elsewhere),
        entries.some((entry) => entry.instanceId === elsewhere),
      ];
    };
    const readers: Permission[] = ["LIST_USERS", "LIST_INSTANCES", "LIST_ROLES", "EDIT_INSTANCE", "READ_OUTBOX"];
    const everything = PERMISSIONS.filter((permission) => permission !== "READ_OUTBOX");
    for (const who of [t.as([...readers, "ADD_INSTANCE"]), t.as([...readers, ...everything])])
      expect(await seen(who)).toEqual([false, false, false]);
    for (const who of [t.as("ORG_ADMIN"), t.as("SUPER_ADMIN")]) expect(await seen(who)).toEqual([true, true, true]);
  });
});
