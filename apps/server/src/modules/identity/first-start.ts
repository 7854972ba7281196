/** The first start: an organisation, its administrator and one instance. Later starts find them and do nothing. */
import { randomBytes } from "node:crypto";
import type { Id } from "@accord/contracts";
import type { Deps } from "../../platform/deps.ts";
import * as store from "./first-start.store.ts";
import type { InstancesService } from "./instances/index.ts";
import { hashPassword } from "./sign-in/index.ts";
import { insertUser } from "./users/index.ts";

export interface FirstStart {
  organisationId: Id<"organisation">;
  instanceId: Id<"instance">;
  adminId: Id<"user">;
  email: string;
  /** Only when none was given by the operator: shown once, stored nowhere. */
  generatedPassword: string | null;
}

/** null: somebody has started here before. */
export async function firstStart(deps: Deps, instances: InstancesService): Promise<FirstStart | null> {
  const { appDb, config } = deps;
  if (await store.hasOrganisation(appDb)) return null;
  const password = config.adminPassword ?? randomBytes(15).toString("base64url");
  const { organisationId, subscriptionId } = await makeOrganisation(deps, "Accord");
  const adminId = await makeUser(deps, {
    organisationId,
    email: config.adminEmail,
    firstName: "Accord",
    lastName: "Admin",
    passwordHash: await hashPassword(password),
    orgAdmin: true,
    superAdmin: true,
  });
  const instanceId = await instances.make({
    organisationId,
    subscriptionId,
    name: "production",
    displayName: "Production",
    type: "production",
    createdBy: adminId,
  });
  const generatedPassword = config.adminPassword === undefined ? password : null;
  return { organisationId, instanceId, adminId, email: config.adminEmail, generatedPassword };
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
