/** Which account PostgreSQL runs under: it refuses root, so a server started by root lends it a lesser one. */
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { PostgresStartError } from "./start-error.ts";

export interface Account {
  uid: number;
  gid: number;
  name: string;
}

/** Taken in this order when root starts the server. */
const LESSER_ACCOUNTS = ["accord", "postgres"];
/** Many daemons run as this one: each of them could read the database. */
const SHARED_ACCOUNT = "nobody";

/** The account to switch to, or nothing when the server's own will do. An existing cluster keeps its owner. */
export function chooseAccount(dataFolder: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readAccounts();
  const owner = ownerOf(dataFolder);
  const kept = owner ? accounts.find((account) => account.uid === owner) : undefined;
  if (kept?.name === SHARED_ACCOUNT) {
    throw new PostgresStartError(
      `The database in ${dataFolder} belongs to the account nobody, whose files every daemon of that account can read. ` +
        "Create an account for it (useradd --system accord), give it the folder (chown -R accord), and start again.",
    );
  }
  const chosen = kept ?? LESSER_ACCOUNTS.map((name) => accounts.find((account) => account.name === name)).find(Boolean);
  if (!chosen) {
    throw new PostgresStartError(
      "PostgreSQL doesn't run as root, and this machine has neither the account accord nor postgres. " +
        "Create one (useradd --system accord), or start Accord as another user.",
    );
  }
  return chosen;
}

/** Whether the account can walk to this path, read what is there and, if it is a folder, enter it. */
export function canReach(path: string, account: Account): boolean {
  return canPass(dirname(resolve(path)), account) && allows(path, account, statSync(path).isDirectory() ? 0o5 : 0o4);
}

/** Whether the account can walk through this folder to what lies in it. */
export function canPass(path: string, account: Account): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (!allows(folder, account, 0o1)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function allows(path: string, account: Account, wanted: number): boolean {
  const { uid, gid, mode } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & wanted) === wanted;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid || undefined;
  } catch {
    return undefined;
  }
}

function readAccounts(): Account[] {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name ?? "", uid: Number(uid), gid: Number(gid) }));
}
