/** People an alert has to do with: who may see a card, as recipient or owner. */
import type { Id, Permission } from "@accord/contracts";
import { ALERT_LIMITS } from "@accord/contracts/insights/card-alerts";
import type { Db } from "../../../platform/db/db.ts";
import { effectivePermissions, findPeople, type PersonIn } from "../../identity/roles/index.ts";

/** What it takes to see a card's value, and to be notified of it. */
const SEES: Permission = "READ_INSIGHTS";
/** What it takes to make an alert, and so to keep one. */
export const MAKES: readonly Permission[] = ["UPDATE_DATACARD", SEES];

export const nameOf = ({ firstName, lastName, email }: PersonIn): string => `${firstName} ${lastName}`.trim() || email;

const seesCards = (person: PersonIn): boolean => effectivePermissions(person.holdings).has(SEES);

/** Everybody who can be notified. */
export async function candidates(db: Db, instanceId: Id<"instance">): Promise<PersonIn[]> {
  return (await findPeople(db, instanceId, { limit: ALERT_LIMITS.people })).filter(seesCards);
}

/** Of these people, those who are there and those of them who see cards. */
export async function peopleOf(
  db: Db,
  instanceId: Id<"instance">,
  ids: readonly Id<"user">[],
): Promise<{ known: PersonIn[]; seeing: PersonIn[] }> {
  const known = ids.length === 0 ? [] : await findPeople(db, instanceId, { ids, limit: ids.length });
  return { known, seeing: known.filter(seesCards) };
}

/** The owner's permissions; null when they may no longer make alerts, or are gone. */
export async function permissionsOfOwner(
  db: Db,
  instanceId: Id<"instance">,
  ownerId: Id<"user"> | null,
): Promise<ReadonlySet<Permission> | null> {
  const { known } = await peopleOf(db, instanceId, ownerId === null ? [] : [ownerId]);
  const [owner] = known;
  if (!owner) return null;
  const permissions = effectivePermissions(owner.holdings);
  return MAKES.every((one) => permissions.has(one)) ? permissions : null;
}
