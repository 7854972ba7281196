/** Files of a folder on the server. Links are not followed. */
import { ConnectorError } from "@accord/connector-sdk";
import { constants, type Dirent } from "node:fs";
import { open, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { HINT_WHEN_EMPTY, type Place, type StoredFile } from "./place.ts";
import { filesBelow } from "./walk.ts";

export const folderPlace = (folder: () => Promise<string>): Place => ({
  label: folder,
  hintWhenEmpty: HINT_WHEN_EMPTY,
  async list(isWanted) {
    const walk = { isWanted, list: entriesOf, listInside: entriesOf, join };
    return (await filesBelow(await folder(), walk)).map(({ name, path }) => storedFile(name, path));
  },
});

export const storedFile = (name: string, path: string): StoredFile => ({
  name,
  async state() {
    try {
      const { size, mtimeMs } = await stat(path);
      return { size, modified: mtimeMs };
    } catch {
      return null;
    }
  },
  async open() {
    try {
      // What was a file when it was listed may be a link by now, out of the folder.
      const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
      return {
        async read(offset, length) {
          try {
            const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
            return buffer.subarray(0, bytesRead);
          } catch (error) {
            throw fileError(error, path);
          }
        },
        close: () => file.close(),
      };
    } catch (error) {
      throw fileError(error, path);
    }
  },
});

/** Files and folders looked at in one folder; the position of a reader remembers each file. */
const MAX_ENTRIES = 10_000;

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(folder)) {
      if (entries.push(entry) > MAX_ENTRIES)
        throw new ConnectorError("configuration", `${folder.split("/").at(-1)} holds more than ${MAX_ENTRIES} files.`, {
          hint: "Move files that were read to another folder.",
        });
    }
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw fileError(error, folder);
  }
}

function fileError(error: unknown, path: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const name = path.split("/").at(-1) ?? path;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ConnectorError("configuration", `There is no folder or file ${name}.`, {
      cause: error,
      hint: "Check the folder's name; it must be below the folder the operator allows.",
    });
  if (code === "ELOOP")
    return new ConnectorError("configuration", `${name} is a link, and links are not followed.`, {
      cause: error,
      hint: "Put the file itself there.",
    });
  if (code === "EACCES" || code === "EPERM")
    return new ConnectorError("permission", `${name} may not be read.`, {
      cause: error,
      hint: "Let the account this server runs under read the folder and its files.",
    });
  return new ConnectorError("unexpected", `${name} could not be read.`, { cause: error });
}
