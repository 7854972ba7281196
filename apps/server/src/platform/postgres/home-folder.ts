/** The home folder: keys, logs and the database lie in it, so nobody else may look into it. */
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";

/** What lies in every home that a server has been started in. */
const KEY_FILE = "master.key";

/**
 * Makes the folder, open to its owner alone. Started by root, the account that PostgreSQL runs as must be able to walk
 * through, without seeing what is there. A folder that is no home yet and holds other things keeps its mode.
 */
export function makeHome(home: string): void {
  mkdirSync(home, { recursive: true });
  const user = process.getuid?.();
  const entries = readdirSync(home);
  const { uid, mode } = statSync(home);
  if (user === undefined || uid !== user) return;
  // A mode that is narrower already stays.
  if (entries.length === 0 || entries.includes(KEY_FILE)) chmodSync(home, mode & (user === 0 ? 0o711 : 0o700));
}
