/** People and their rights: T4, and what administrators may do to whom. */
import { BUILT_IN_ROLES, PERMISSIONS, type Id, type Permission } from "@accord/contracts";
import { createRole, deleteRole, listRoles, updateRole } from "@accord/contracts/identity/roles";
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
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, testApp, type TestApp } from "../../../../test-kit/index.ts";
import { permissionsOfRole } from "../../../platform/access/role-permissions.ts";
import { hashPassword } from "../sign-in/index.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ config: { internalEmailDomain: "accord.example" } });
});

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

describe("[T4] rights", () => {
  test("the last active organisation administrator stays, also when two are taken away at once", async () => {
    const fresh = await testApp();
    const [one, two] = [await fresh.build.user({ orgAdmin: true }), await fresh.build.user({ orgAdmin: true })];
    const [first, second] = [await fresh.asUser(one), await fresh.asUser(two)];
    const answers = await Promise.all([
      first.send(changeUserRoles, { params: { userId: two }, body: { orgAdmin: false } }),
      second.send(changeUserRoles, { params: { userId: one }, body: { orgAdmin: false } }),
    ]);
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1);
    const { rows } = await fresh.deps.appPool.query("SELECT count(*) FROM app_user WHERE org_admin");
    expect(rows[0].count).toBe(1);
    const superAdmin = await fresh.asUser(await fresh.build.user({ superAdmin: true }));
    const left = (await superAdmin.call(listUsers)).users.find((user) => user.orgAdmin);
    const userId = left?.id as Id<"user">;
    for (const act of [deactivateUser, removeUser, deleteUser]) {
      await expect(superAdmin.call(act, { params: { userId } })).rejects.toMatchObject({ code: "last_admin" });
    }
    await expect(
      superAdmin.call(changeUserRoles, { params: { userId }, body: { orgAdmin: false } }),
    ).rejects.toMatchObject({ code: "last_admin" });
  });

  test("administrators of another organisation keep nobody's last one from staying", async () => {
    const fresh = await testApp();
    const userId = await fresh.build.user({ orgAdmin: true });
    await fresh.deps.appPool.query("UPDATE app_user SET org_admin = false WHERE org_admin AND id <> $1", [userId]);
    const { organisationId } = await fresh.build.organisation();
    await fresh.build.user({ orgAdmin: true, organisationId });
    const superAdmin = await fresh.asUser(await fresh.build.user({ superAdmin: true }));
    await expect(superAdmin.call(deactivateUser, { params: { userId } })).rejects.toMatchObject({ code: "last_admin" });
  });

  test("nobody changes their own rights, and flags are given only by those who hold them", async () => {
    const adminId = await t.build.user({ roles: ["INSTANCE_ADMIN"] });
    const admin = await t.asUser(adminId);
    const userId = await t.build.user({ roles: ["VIEWER"] });
    const refused = { code: "role_not_grantable", status: 403 };
    await expect(
      admin.call(changeUserRoles, { params: { userId: adminId }, body: { userRoles: {} } }),
    ).rejects.toMatchObject(refused);
    await expect(admin.call(changeUserRoles, { params: { userId }, body: { orgAdmin: true } })).rejects.toMatchObject(
      refused,
    );
    await expect(admin.call(changeUserRoles, { params: { userId }, body: { ghostUser: true } })).rejects.toMatchObject(
      refused,
    );
    for (const role of ["ORG_ADMIN", "SUPER_ADMIN"] as const) {
      await expect(
        admin.call(changeUserRoles, { params: { userId }, body: { userRoles: { [t.instanceId]: [role] } } }),
      ).rejects.toMatchObject(refused);
    }
    const elsewhere = await t.build.instance();
    await expect(
      admin.call(changeUserRoles, { params: { userId }, body: { userRoles: { [elsewhere]: ["VIEWER"] } } }),
    ).rejects.toMatchObject(refused);
  });

  test("[PLT-115] a change of roles is in force at the person's next request", async () => {
    const userId = await t.build.user({ roles: ["VIEWER"] });
    const person = await t.asUser(userId);
    expect((await person.call(getCurrentUser)).permissions).not.toContain("WRITE_STUDIO");
    await t
      .as("ORG_ADMIN")
      .call(changeUserRoles, { params: { userId }, body: { userRoles: { [t.instanceId]: ["SYNC_MANAGER"] } } });
    expect((await person.call(getCurrentUser)).permissions).toContain("WRITE_STUDIO");
    await t.as("ORG_ADMIN").call(changeUserRoles, { params: { userId }, body: { userRoles: { [t.instanceId]: [] } } });
    expect(await person.call(getCurrentUser)).toMatchObject({ permissions: [], currentInstanceAccordId: null });
  });

  test("no sequence of calls raises anybody above those who gave", async () => {
    const world = await testApp();
    const second = await world.build.instance();
    const places = [world.instanceId, second];
    // Nobody here holds an organisation flag: the ceiling is what the administrators of the instances had at first.
    const people = [
      await world.build.user({ roles: ["INSTANCE_ADMIN"] }),
      await world.build.user({ roles: ["INSTANCE_ADMIN"], instanceId: second }),
      await world.build.user({ roles: ["VIEWER"] }),
      await world.build.user({ roles: ["SYNC_MANAGER"], instanceId: second }),
    ];
    const ceiling = permissionsOfRole("INSTANCE_ADMIN");
    const above = PERMISSIONS.filter((permission) => !ceiling.has(permission));
    const granting: Permission[] = ["ADD_USER_ROLE", "REMOVE_USER_ROLE", "ADD_ROLE", "EDIT_ROLE"];
    const sets: Permission[][] = [granting, ["READ_STUDIO"], [...granting, "ADD_INSTANCE"], above];
    const ownRoles: { id: Id<"role">; version: number }[] = [];
    const who = fc.constantFrom([0, 0], [1, 1], [0, 0], [1, 1], [2, 0], [3, 1], [2, 1], [3, 0]);
    const set = fc.nat(sets.length - 1);
    const command = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant("give" as const),
          who,
          to: fc.nat(3),
          at: fc.nat(4),
          role: fc.nat(9),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("make" as const), who, set }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit" as const), who, set, role: fc.nat(9) }) },
    );
    let count = 0;
    const property = fc.asyncProperty(fc.array(command, { minLength: 30, maxLength: 30 }), async (commands) => {
      for (const one of commands) {
        const [by = 0, place = 0] = one.who;
        const actor = await world.asUser(people[by] as Id<"user">, { instanceId: places[place] as Id<"instance"> });
        const ownRole = "role" in one ? ownRoles.at(-1 - (one.role % 3)) : undefined;
        const text = { name: `r${count++}`, description: "", permissions: "set" in one ? (sets[one.set] ?? []) : [] };
        let changed = false;
        if (one.kind === "make") {
          const made = await actor.send(createRole, { body: text });
          if (made.status === 200) ownRoles.push({ id: (made.body as { key: Id<"role"> }).key, version: 1 });
        } else if (one.kind === "edit" && ownRole) {
          const edited = await actor.send(updateRole, {
            params: { roleId: ownRole.id },
            body: { ...text, version: ownRole.version },
          });
          changed = edited.status === 200;
          if (changed) ownRole.version++;
        } else if (one.kind === "give") {
          const role = BUILT_IN_ROLES[one.role] ?? ownRole?.id ?? "VIEWER";
          // Mostly where they work, sometimes elsewhere.
          const at = places[one.at === 4 ? 1 - place : place] as Id<"instance">;
          const params = { userId: people[one.to] as Id<"user"> };
          changed =
            (await actor.send(changeUserRoles, { params, body: { userRoles: { [at]: [role] } } })).status === 200;
        }
        if (changed) await expectNobodyAbove();
      }
    });
    const expectNobodyAbove = async () => {
      for (const person of people) {
        for (const place of places) {
          const held = await world.app.identity.roles.service.permissionsIn(person, place);
          expect(above.filter((permission) => held.has(permission))).toEqual([]);
        }
      }
    };
    await fc.assert(property, { numRuns: 15, seed: 4 });
  });
});

describe("own roles", () => {
  test("are made, given, changed and deleted; built-in ones are listed with what they permit", async () => {
    const admin = t.as("INSTANCE_ADMIN");
    const made = await admin.call(createRole, {
      body: { name: "Auditor", permissions: ["VIEW_TRANSACTIONS", "READ_STUDIO"] },
    });
    await expect(admin.call(createRole, { body: { name: "auditor", permissions: [] } })).rejects.toMatchObject({
      code: "name_taken",
    });
    await expect(
      admin.call(createRole, { body: { name: "Boss", permissions: ["ADD_INSTANCE"] } }),
    ).rejects.toMatchObject({ code: "role_not_grantable" });
    const userId = await t.build.user({ roles: [made.key] });
    expect((await (await t.asUser(userId)).call(getCurrentUser)).permissions.toSorted()).toEqual([
      "READ_STUDIO",
      "VIEW_TRANSACTIONS",
    ]);
    const { roles } = await admin.call(listRoles);
    expect(roles.filter((role) => role.builtIn).map((role) => role.key)).toEqual([...BUILT_IN_ROLES]);
    // Who administers the organisation holds that role everywhere, without being given it in an instance.
    await t.build.user({ orgAdmin: true });
    const before = roles.find((role) => role.key === "ORG_ADMIN");
    expect(before).toMatchObject({ grantable: false });
    const after = (await admin.call(listRoles)).roles.find((role) => role.key === "ORG_ADMIN");
    expect(after?.users).toBe((before?.users ?? 0) + 1);
    expect(roles.find((role) => role.key === made.key)).toMatchObject({ users: 1, grantable: true, builtIn: false });
    const at = { params: { roleId: made.key as Id<"role"> } };
    await expect(admin.call(deleteRole, at)).rejects.toMatchObject({ code: "in_use" });
    const changed = await admin.call(updateRole, {
      ...at,
      body: { name: "Auditor", permissions: ["READ_STUDIO"], version: made.version },
    });
    expect(changed.version).toBe(made.version + 1);
    await expect(
      admin.call(updateRole, { ...at, body: { name: "A", permissions: [], version: made.version } }),
    ).rejects.toMatchObject({ code: "stale_version" });
    await t.as("ORG_ADMIN").call(changeUserRoles, { params: { userId }, body: { userRoles: { [t.instanceId]: [] } } });
    await admin.call(deleteRole, at);
  });
});
