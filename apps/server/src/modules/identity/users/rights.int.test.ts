/** Who may give which rights, and roles of one's own. */
import { BUILT_IN_ROLES, PERMISSIONS, type Id, type Permission } from "@accord/contracts";
import { createRole, deleteRole, listRoles, updateRole } from "@accord/contracts/identity/roles";
import {
  changeUserRoles,
  deactivateUser,
  deleteUser,
  getCurrentUser,
  listUsers,
  removeUser,
} from "@accord/contracts/identity/users";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testApp } from "../../../../test-kit/index.ts";
import { permissionsOfRole } from "../../../platform/access/role-permissions.ts";
import { t, setUp } from "./fixtures/users.ts";

setUp();

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
