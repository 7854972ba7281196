/** A digest of what something was made of: it differs when a source has changed since. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** Of the names and contents of all files that the patterns find below the root, in hexadecimal digits. */
export function fingerprintOf(sources: readonly string[], except: RegExp): string {
  const hash = createHash("sha256");
  const files = globSync([...sources], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !except.test(file))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
