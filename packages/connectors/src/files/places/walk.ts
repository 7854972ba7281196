/** Which files of a folder are read, wherever it is: those in it, and those of the folders in it. */

/** What stands in a folder. */
export interface Listed {
  name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

export interface Found<One extends Listed> {
  /** Below the folder: `flights.csv`, `orders/2024.csv`. */
  name: string;
  path: string;
  entry: One;
}

export interface Walk<One extends Listed> {
  isWanted: (name: string) => boolean;
  /** What stands in the folder at that path, in the order of the names. */
  list(path: string): Promise<One[]>;
  /** The same of a folder in it. */
  listInside(path: string): Promise<One[]>;
  join(path: string, name: string): string;
}

/** Folders whose name begins with a dot are passed over. */
export async function filesBelow<One extends Listed>(root: string, walk: Walk<One>): Promise<Found<One>[]> {
  const { isWanted, list, listInside, join } = walk;
  const files: Found<One>[] = [];
  for (const entry of await list(root)) {
    const path = join(root, entry.name);
    if (entry.isFile() && isWanted(entry.name)) files.push({ name: entry.name, path, entry });
    else if (entry.isDirectory() && !entry.name.startsWith("."))
      for (const inside of await listInside(path))
        if (inside.isFile() && isWanted(inside.name))
          files.push({ name: `${entry.name}/${inside.name}`, path: join(path, inside.name), entry: inside });
  }
  return files;
}
