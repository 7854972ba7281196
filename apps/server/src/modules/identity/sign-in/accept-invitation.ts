/** Which account of an address a password opens, and what becomes of an invitation that is accepted with it. */
import type { QueuePlace } from "../../../platform/access/fair-queue.ts";
import { verifyPassword } from "../../../platform/access/password-hash.ts";
import type { Db } from "../../../platform/db/db.ts";
import { invalidField } from "../../../platform/http/app-error.ts";
import * as accounts from "./accounts.store.ts";

/** Of the accounts of an address, the one entered last that the password opens. */
export async function findOpened(
  known: readonly accounts.OpenAccount[],
  password: string,
  place: QueuePlace,
): Promise<accounts.OpenAccount | undefined> {
  const hashes = new Set(known.map((account) => account.password_hash));
  // Without an account it takes as long as with one.
  for (const hash of hashes.size > 0 ? hashes : [null])
    if (await verifyPassword(hash, password, place)) return known.find((account) => account.password_hash === hash);
  return undefined;
}

/**
 * The invited person enters by their new password. One that opens an account of theirs joins both: the same password
 * from then on, and one switches from one to the other. In the same organisation they become one account.
 */
export async function acceptInvitation(
  db: Db,
  invited: accounts.AccountRow,
  opened: accounts.OpenAccount | undefined,
  { now, setPassword }: { now: Date; setPassword: () => Promise<void> },
): Promise<void> {
  const known = await accounts.findAccountsOf(db, invited.email);
  const here = known.find((account) => account.organisation_id === invited.organisation_id);
  // Changed since it was compared: then it is as wrong as any other.
  const joined = known.find(
    (account) => opened && account.id === opened.id && account.password_hash === opened.password_hash,
  );
  if (here) {
    if (joined?.password_hash !== here.password_hash)
      throw invalidField("password", "is not the one of the account that you have in this organisation");
    return accounts.mergeInvited(db, invited, here.id, now);
  }
  if (joined) await accounts.joinAccount(db, invited.id, joined);
  else await setPassword();
  await accounts.activateInvited(db, invited.id, now);
  await accounts.noteEntered(db, invited.id, now);
}
