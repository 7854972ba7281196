/** Files of a folder on an SFTP server. Links are followed: what they lead to is what the server lets this user read. */
import { ConnectorError } from "@accord/connector-sdk";
import type { FileEntryWithStats, Stats } from "ssh2";
import type { FileState, Place, StoredFile } from "../files/places/place.ts";
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
  hintWhenEmpty: "Put files ending in .csv, .tsv, .jsonl, .ndjson or .xlsx there, or name another folder.",
  async list(isWanted) {
    const root = folder === "" ? "." : folder;
    const files: StoredFile[] = [];
    const seen = { count: 0 };
    for (const entry of await entriesOf(session, root, seen)) {
      const path = `${root}/${entry.name}`;
      if (entry.attributes.isFile() && isWanted(entry.name)) files.push(remoteFile(session, entry, path, now));
      else if (entry.attributes.isDirectory() && !entry.name.startsWith("."))
        for (const inside of await filesIn(session, path, seen))
          if (isWanted(inside.name))
            files.push(
              remoteFile(session, { ...inside, name: `${entry.name}/${inside.name}` }, `${path}/${inside.name}`, now),
            );
    }
    return files;
  },
});

/** Of a subfolder: one that this user may not read, or that is gone by now, keeps nobody from the others. */
async function filesIn(session: SftpSession, path: string, seen: { count: number }): Promise<Entry[]> {
  const entries = await entriesOf(session, path, seen).catch((error: unknown) => {
    const status = statusOf(error instanceof ConnectorError ? error.cause : error);
    if (status === STATUS.permissionDenied || status === STATUS.noSuchFile) return [];
    throw error;
  });
  return entries.filter(({ attributes }) => attributes.isFile());
}

interface Entry {
  name: string;
  attributes: Stats;
}

const remoteFile = (session: SftpSession, { name, attributes }: Entry, path: string, now: () => Date): StoredFile => ({
  name,
  // Listed anew for each page: a question for each file would take a way there and back.
  state: async () => stateOf(attributes, now()),
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
  const entries: Entry[] = [];
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
        entries.push({ name: filename, attributes: attrs });
      }
    }
  } finally {
    await ask<void>(label, (sftp, answer) => sftp.close(handle, (error) => answer(error))).catch(() => {});
  }
  const followed: Entry[] = [];
  for (const entry of entries) {
    const target = entry.attributes.isSymbolicLink()
      ? await targetOf(session, `${folder}/${entry.name}`)
      : entry.attributes;
    if (target) followed.push({ name: entry.name, attributes: target });
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
