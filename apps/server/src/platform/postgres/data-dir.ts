/** Where a cluster lives: in the home folder, or, when PostgreSQL's account can't get there, in a place remembered there. */
import { createHash } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Account, canPass, canReach } from "./account.ts";
import { makeHome } from "./home-folder.ts";
import { PostgresStartError } from "./start-error.ts";

export interface Place {
  /** Holds `data`, `run`, the log, and copied programs. */
  folder: string;
  dataFolder: string;
  socketFolder: string;
  logFile: string;
}

/** The kernel's limit for the path of a socket, with room for its file name. */
const MAX_SOCKET_PATH_LENGTH = 104 - "/.s.PGSQL.65535.lock".length;
/** Folders that last, tried in this order when the home folder is out of reach. */
const ELSEWHERE = ["/var/lib", "/opt", "/srv"];

export function resolveDataDir(home: string, account: Account | undefined): Place {
  const inside = join(resolve(home), "postgres");
  makeHome(home);
  mkdirSync(inside, { recursive: true });
  const note = join(inside, "place.txt");
  const folder = readNote(note) ?? (account ? reachableFolder(inside, account, note) : inside);
  const runFolder = join(folder, "run");
  const socketFolder =
    runFolder.length <= MAX_SOCKET_PATH_LENGTH ? runFolder : join(tmpdir(), `accord-${mark(folder)}`);
  makePrivate(folder, account);
  makePrivate(socketFolder, account);
  return { folder, dataFolder: join(folder, "data"), socketFolder, logFile: join(folder, "postgres.log") };
}

function readNote(note: string): string | undefined {
  if (!existsSync(note)) return undefined;
  const folder = readFileSync(note, "utf8").trim();
  if (existsSync(folder)) return folder;
  throw new PostgresStartError(
    `The database of this home was in ${folder}, which is gone. Bring it back, or delete ${note} to start with an empty one.`,
  );
}

function reachableFolder(inside: string, account: Account, note: string): string {
  if (canPass(dirname(inside), account)) return inside;
  const parent = ELSEWHERE.find((folder) => existsSync(folder) && canReach(folder, account));
  if (!parent) {
    throw new PostgresStartError(
      `The account ${account.name} that runs PostgreSQL can't reach ${inside}. Set ACCORD_HOME to a folder that it can enter.`,
    );
  }
  const folder = join(parent, `accord-${mark(inside)}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(note, folder);
  return folder;
}

/** Makes the folder PostgreSQL's own. One that somebody else made in a shared place is refused. */
function makePrivate(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = statSync(folder).uid;
  const mine = process.getuid?.() ?? owner;
  if (owner !== mine && owner !== account?.uid) {
    throw new PostgresStartError(
      `${folder} belongs to another user. Start Accord as that user, or set ACCORD_HOME to another folder.`,
    );
  }
  if (account) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
}

const mark = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
