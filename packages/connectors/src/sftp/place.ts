/** Files of a folder on an SFTP server. Links are followed: what they lead to is what the server lets this user read. */
import { ConnectorError } from "@accord/connector-sdk";
import type { FileEntryWithStats, Stats } from "ssh2";
import { type FileState, HINT_WHEN_EMPTY, type Place, type StoredFile } from "../files/places/place.ts";
import { filesBelow, type Found, type Listed } from "../files/places/walk.ts";
import { STATUS, statusOf } from "./errors.ts";
import type { SftpSession } from "./session.ts";

/** Files and folders looked at in all; the position of a reader remembers each file. */
const MAX_ENTRIES = 10_000;
/** Parts of a list that name nothing, and characters of a name: more than any server has. */
const MAX_BLANK_PARTS = 100;
const MAX_NAME = 1_000;
/** Times of change are whole seconds here: a file may be changed once more within the same one. */
const SETTLED_MS = 3_000;

export const sftpPlace = (session: SftpSession, folder: string, now: () => Date): Place => ({
  label: async () => `${folder === "" ? "the first folder" : folder} on ${session.place}`,
  hintWhenEmpty: HINT_WHEN_EMPTY,
  async list(isWanted) {
    const seen = { count: 0 };
    const found = await filesBelow(folder === "" ? "." : folder, {
      isWanted,
      list: (path) => entriesOf(session, path, seen),
      listInside: (path) => entriesInside(session, path, seen),
      join: (path, name) => `${path}/${name}`,
    });
    return found.map((file) => remoteFile(session, file, now));
  },
});

/** Of a subfolder: one that this user may not read, or that is gone by now, keeps nobody from the others. */
async function entriesInside(session: SftpSession, path: string, seen: { count: number }): Promise<Entry[]> {
  return entriesOf(session, path, seen).catch((error: unknown) => {
    const status = statusOf(error instanceof ConnectorError ? error.cause : error);
    if (status === STATUS.permissionDenied || status === STATUS.noSuchFile) return [];
    throw error;
  });
}

interface Entry extends Listed {
  attributes: Pick<Stats, "size" | "mtime">;
}

const entryOf = (name: string, stats: Stats): Entry => ({
  name,
  attributes: stats,
  isFile: () => stats.isFile(),
  isDirectory: () => stats.isDirectory(),
});

const remoteFile = (session: SftpSession, { name, path, entry }: Found<Entry>, now: () => Date): StoredFile => ({
  name,
  // Listed anew for each page: a question for each file would take a way there and back.
  state: async () => stateOf(entry.attributes, now()),
  async open() {
    const ask = await session.onOneConnection();
    const handle = await ask<Buffer>(name, (sftp, answer) => sftp.open(path, "r", answer));
    return {
      async read(offset, length) {
        const bytes = Buffer.alloc(length);
        let filled = 0;
        while (filled < length) {
          const from = filled;
          const count = await ask<number>(name, (sftp, answer) =>
            sftp.read(handle, bytes, from, length - from, offset + from, (error, read) => answer(error, read)),
          );
          if (count === 0) break;
          filled += count;
        }
        return bytes.subarray(0, filled);
      },
      // The server closes it with the session if this can't be asked any more.
      close: () => ask<void>(name, (sftp, answer) => sftp.close(handle, (error) => answer(error))).catch(() => {}),
    };
  },
});

/** A file that was changed just now counts as changed once more a little later. */
export function stateOf({ size, mtime }: Pick<Stats, "size" | "mtime">, now: Date): FileState {
  const changed = mtime * 1000;
  return { size, modified: now.getTime() < changed + SETTLED_MS ? changed - 1 : changed };
}

/** In the order of their names. */
async function entriesOf(session: SftpSession, folder: string, seen: { count: number }): Promise<Entry[]> {
  const label = folder === "." ? "the first folder" : folder;
  const ask = await session.onOneConnection();
  const handle = await ask<Buffer>(label, (sftp, answer) => sftp.opendir(folder, answer));
  const entries: { name: string; stats: Stats }[] = [];
  try {
    for (let [more, blank] = [true, 0]; more;) {
      if (blank > MAX_BLANK_PARTS) throw tooMany(label);
      const found = await ask<FileEntryWithStats[] | null>(label, (sftp, answer) =>
        sftp.readdir(handle, (error, list) =>
          statusOf(error) === STATUS.eof ? answer(null, null) : answer(error, list),
        ),
      );
      more = found !== null;
      if (found?.length === 0) blank += 1;
      for (const { filename, attrs } of found ?? []) {
        seen.count += 1;
        if (seen.count > MAX_ENTRIES) throw tooMany(label);
        if (filename === "." || filename === ".." || filename.includes("/") || filename.length > MAX_NAME) continue;
        entries.push({ name: filename, stats: attrs });
      }
    }
  } finally {
    await ask<void>(label, (sftp, answer) => sftp.close(handle, (error) => answer(error))).catch(() => {});
  }
  const followed: Entry[] = [];
  for (const { name, stats } of entries) {
    const target = stats.isSymbolicLink() ? await targetOf(session, `${folder}/${name}`) : stats;
    if (target) followed.push(entryOf(name, target));
  }
  return followed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** null: a link that leads nowhere, or where this user may not look. */
async function targetOf(session: SftpSession, path: string): Promise<Stats | null> {
  const missing = new Set<number | null>([STATUS.noSuchFile, STATUS.permissionDenied]);
  return session.ask<Stats | null>(path, (sftp, answer) =>
    sftp.stat(path, (error, stats) =>
      error && missing.has(statusOf(error)) ? answer(null, null) : answer(error, stats),
    ),
  );
}

const tooMany = (folder: string): ConnectorError =>
  new ConnectorError("configuration", `${folder} holds more than ${MAX_ENTRIES} files.`, {
    hint: "Move files that were read to another folder.",
  });
