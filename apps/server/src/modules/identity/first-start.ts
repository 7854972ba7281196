/**
 * The first start: an organisation, its administrator and one instance. Later starts find them and do nothing; one that
 * was cut short is finished by the next.
 */
import { randomBytes } from "node:crypto";
import type { Id } from "@accord/contracts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Deps } from "../../platform/deps.ts";
import * as store from "./first-start.store.ts";
import type { InstancesService } from "./instances/index.ts";
import { hashPassword } from "./sign-in/index.ts";
import { insertUser } from "./users/index.ts";

export interface Installation {
  organisationId: Id<"organisation">;
  instanceId: Id<"instance">;
  adminId: Id<"user">;
  email: string;
  /** Whether the first start was asked for the demo. */
  demo: boolean;
  /** Something was missing until now: other servers wait until this start is through. */
  isFirstStart: boolean;
  /** Only when none was given by the operator: to be shown once, stored nowhere. */
  generatedPassword: string | null;
  /** Call once the password is on somebody's screen: until then each start makes and shows another one. */
  passwordIsTold(): Promise<void>;
}

/** Finds what the first start made, or makes what is missing of it. */
export async function ensureInstallation(deps: Deps, instances: InstancesService): Promise<Installation> {
  const { appDb, config } = deps;
  const generated = config.adminPassword === undefined ? randomBytes(15).toString("base64url") : null;
  const found = await store.findInstallation(appDb);
  const isNew = found === null;
  if (isNew) await begin(deps, generated);
  const row = found ?? (await store.findInstallation(appDb));
  if (!row) throw new Error("the installation that was just written is not there");
  if (!isNew && row.password_untold) {
    const hash = await hashPassword(config.adminPassword ?? generated ?? "");
    await store.setAdminPassword(appDb, {
      adminId: row.admin_id,
      hash,
      untold: generated !== null,
      now: deps.clock.now(),
    });
  }
  const isUntold = isNew || row.password_untold;
  return {
    organisationId: row.organisation_id,
    instanceId: row.instance_id ?? (await makeInstance(deps, instances, row)),
    adminId: row.admin_id,
    email: row.email,
    demo: row.demo,
    isFirstStart: isUntold || row.instance_id === null,
    generatedPassword: isUntold ? generated : null,
    passwordIsTold: () => store.markPasswordTold(appDb),
  };
}

/** Organisation and administrator, both or neither. */
async function begin(deps: Deps, generated: string | null): Promise<void> {
  const { appPool, config, clock, newId } = deps;
  const passwordHash = await hashPassword(config.adminPassword ?? generated ?? "");
  await transaction(appPool, async ({ db }) => {
    const inside = { appDb: db, clock, newId };
    const { organisationId } = await makeOrganisation(inside, "Accord");
    const adminId = await makeUser(inside, {
      organisationId,
      email: config.adminEmail,
      ...nameFromAddress(config.adminEmail),
      passwordHash,
      orgAdmin: true,
      superAdmin: true,
    });
    await store.insertInstallation(db, {
      organisation_id: organisationId,
      admin_id: adminId,
      demo: config.demo,
      password_untold: generated !== null,
    });
  });
}

async function makeInstance(
  { appDb }: Deps,
  instances: InstancesService,
  installation: store.InstallationRow,
): Promise<Id<"instance">> {
  const { organisation_id: organisationId, subscription_id: subscriptionId, admin_id: createdBy } = installation;
  // Nobody can have worked in it yet: what a cut start left half made is made anew.
  for (const id of await store.findUnfinishedInstances(appDb, organisationId)) await instances.purge(id);
  const instanceId = await instances.make({
    organisationId,
    subscriptionId,
    name: "production",
    displayName: "Production",
    type: "production",
    createdBy,
  });
  await store.setInstance(appDb, instanceId);
  return instanceId;
}

export async function makeOrganisation(
  { appDb, clock, newId }: Pick<Deps, "appDb" | "clock" | "newId">,
  name: string,
): Promise<{ organisationId: Id<"organisation">; subscriptionId: string }> {
  const organisationId = newId<"organisation">();
  const subscriptionId: string = newId();
  await store.insertOrganisation(appDb, { id: organisationId, name, subscriptionId, now: clock.now() });
  return { organisationId, subscriptionId };
}

/** A first guess at a person's name, who can change it: `grace.hopper@…` is Grace Hopper, `ada@…` is Ada Admin. */
export function nameFromAddress(email: string): { firstName: string; lastName: string } {
  const words = (email.split("@")[0] ?? "").split(/[._+-]+/).filter((word) => word !== "");
  const [first = "Admin", ...rest] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { firstName: first, lastName: rest.join(" ") || (first === "Admin" ? "Accord" : "Admin") };
}

export interface MadeUser {
  organisationId: string;
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string | null;
  orgAdmin?: boolean;
  superAdmin?: boolean;
}

/** An active user, without invitation. */
export async function makeUser(
  { appDb, clock, newId }: Pick<Deps, "appDb" | "clock" | "newId">,
  user: MadeUser,
): Promise<Id<"user">> {
  const id = newId<"user">();
  const now = clock.now();
  await insertUser(appDb, {
    id,
    organisation_id: user.organisationId,
    email: user.email.toLowerCase(),
    first_name: user.firstName,
    last_name: user.lastName,
    status: "ACTIVE",
    org_admin: user.orgAdmin ?? false,
    super_admin: user.superAdmin ?? false,
    password_hash: user.passwordHash,
    password_changed_at: user.passwordHash === null ? null : now,
    created_at: now,
    updated_at: now,
  });
  return id;
}
