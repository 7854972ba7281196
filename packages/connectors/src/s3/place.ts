/** Files of a bucket: keys are names, and a slash in them ends the name of a folder, as in folders here. */
import { ConnectorError } from "@accord/connector-sdk";
import { createHash } from "node:crypto";
import { HINT_WHEN_EMPTY, type Place, type StoredFile } from "../files/places/place.ts";
import { filesBelow, type Listed } from "../files/places/walk.ts";
import { openObject } from "./read-ahead.ts";
import { noStorage, type ListPart, type Storage, type StoredObject } from "./storage.ts";

/** Keys and folders looked at in all; the position of a reader remembers each file. */
const MAX_ENTRIES = 10_000;
/** Parts of lists, also those that name nothing, and what all of them may take. */
const MAX_PARTS = 2_000;
const MAX_MS = 300_000;
/** So many parts may name keys at any depth: few files cost one question, whatever folders they are in. */
const DEEP_PARTS = 2;

/** `folder`: without slashes around it; empty: the whole bucket. */
export function bucketPlace(storage: Storage, bucket: string, folder: string, now: () => Date): Place {
  const root = folder === "" ? "" : `${folder}/`;
  const label = folder === "" ? `the bucket ${bucket}` : `${folder} in the bucket ${bucket}`;
  return {
    label: async () => `${label} on ${storage.place}`,
    hintWhenEmpty: HINT_WHEN_EMPTY,
    async list(isWanted) {
      const parts = partsOf(storage, label, now);
      const deep = await wholeList(parts, root);
      const levels = deep ? async (prefix: string) => levelIn(deep, prefix) : levelsOf(parts);
      const found = await filesBelow(root, {
        isWanted,
        list: levels,
        listInside: (prefix) => levels(prefix).catch(emptyIfDenied),
        join: (prefix, name) => `${prefix}${name}/`,
      });
      return found.flatMap(({ name, entry: { object } }) => (object ? [storedFile(storage, name, object)] : []));
    },
  };
}

interface Entry extends Listed {
  /** null: a folder. */
  object: StoredObject | null;
}

const entryOf = (name: string, object: StoredObject | null): Entry => ({
  name,
  object,
  isFile: () => object !== null,
  isDirectory: () => object === null,
});

const storedFile = (storage: Storage, name: string, object: StoredObject): StoredFile => ({
  name,
  // Listed anew for each page.
  state: async () => ({ size: object.size, modified: versionOf(object) }),
  open: async () => openObject(object.size, (range) => storage.read(object, name, range)),
});

/** Two versions may be of one second: only their contents differ. As many bits as a number keeps. */
const versionOf = ({ etag, modified }: StoredObject): number =>
  createHash("sha256")
    .update(JSON.stringify([etag ?? null, modified]))
    .digest()
    .readUIntBE(0, 6);

type Parts = (prefix: string, isOneLevel: boolean) => AsyncGenerator<ListPart, void, void>;

/** Lists that have an end: in number, in time, and however little their parts name. */
function partsOf(storage: Storage, label: string, now: () => Date): Parts {
  const until = now().getTime() + MAX_MS;
  let [entries, count] = [0, 0];
  return async function* (prefix, isOneLevel) {
    for (let token: string | null = null, isFirst = true; isFirst || token !== null; isFirst = false) {
      count += 1;
      if (count > MAX_PARTS) throw tooMany(label);
      if (now().getTime() > until)
        throw new ConnectorError("timeout", `Listing ${label} takes more than ${MAX_MS / 60_000} minutes.`, {
          hint: "Name a folder with fewer files and folders in it.",
        });
      const part: ListPart = await storage.list({ prefix, isOneLevel, token });
      // Keys at any depth may be none that are read: they count once it is known which are.
      if (isOneLevel) entries += part.objects.length + part.folders.length;
      if (entries > MAX_ENTRIES) throw tooMany(label);
      yield part;
      if (part.next !== null && part.next === token) throw noStorage(storage.place);
      token = part.next;
    }
  };
}

/** All objects below the folder where they are few; else null. */
async function wholeList(parts: Parts, root: string): Promise<StoredObject[] | null> {
  const objects: StoredObject[] = [];
  let count = 0;
  for await (const part of parts(root, false)) {
    objects.push(...part.objects);
    count += 1;
    if (part.next !== null && count === DEEP_PARTS) return null;
  }
  return objects;
}

/** What stands in a folder of a list that names keys at any depth. */
function levelIn(objects: readonly StoredObject[], prefix: string): Entry[] {
  const below = objects.filter(({ key }) => key.startsWith(prefix));
  const folders = below.map(({ key }) => key.slice(prefix.length).split("/")).filter((names) => names.length > 1);
  return inOrder([
    ...below.map((object) => entryOf(object.key.slice(prefix.length), object)),
    ...[...new Set(folders.map(([name = ""]) => name))].map((name) => entryOf(name, null)),
  ]);
}

const levelsOf =
  (parts: Parts) =>
  async (prefix: string): Promise<Entry[]> => {
    const entries: Entry[] = [];
    for await (const { objects, folders } of parts(prefix, true)) {
      const isBelow = (key: string): boolean => key.startsWith(prefix);
      for (const object of objects.filter(({ key }) => isBelow(key)))
        entries.push(entryOf(object.key.slice(prefix.length), object));
      for (const folder of folders.filter(isBelow)) entries.push(entryOf(folder.slice(prefix.length, -1), null));
    }
    return inOrder(entries);
  };

/** A key with a slash at its end stands for a folder; a database keeps no text with the letter 0. */
const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries
    .filter(({ name }) => name !== "" && !name.includes("/") && !name.includes("\0"))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** A folder that this key may not list keeps nobody from the others. */
function emptyIfDenied(error: unknown): Entry[] {
  if (error instanceof ConnectorError && error.kind === "permission") return [];
  throw error;
}

const tooMany = (label: string): ConnectorError =>
  new ConnectorError("configuration", `There are more than ${MAX_ENTRIES} files and folders in ${label}.`, {
    hint: "Move files that were read to another folder, or name one with fewer.",
  });
