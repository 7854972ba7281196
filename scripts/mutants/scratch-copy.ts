/** A copy of the project in a temporary folder, in which a file can be changed without touching the project's own. */
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { sourceFiles } from "../check/source-files.ts";

export interface ScratchCopy {
  root: string;
  /** Replaces a file of the copy. The project's file, a hard link of the same, stays as it is. */
  write(file: string, text: string): void;
  remove(): void;
}

/** Files are hard links, copies where the temporary folder is on another disk; packages are links to the project's. */
export function makeScratchCopy(root: string): ScratchCopy {
  const copy = mkdtempSync(join(tmpdir(), "accord-mutants-"));
  for (const file of sourceFiles(root, /./)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    linkOrCopy(join(root, file), join(copy, file));
  }
  linkPackages(root, copy);
  return {
    root: copy,
    write(file, text) {
      const path = join(copy, file);
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Our own packages lead into the copy, all others into the project's folder. */
function linkPackages(root: string, copy: string): void {
  const from = join(root, "node_modules");
  const to = join(copy, "node_modules");
  mkdirSync(join(to, "@accord"), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith(".vi") || name === "@accord") continue;
    symlinkSync(join(from, name), join(to, name));
  }
  for (const folder of ["packages", "apps"])
    for (const name of readdirSync(join(copy, folder)))
      symlinkSync(relative(join(to, "@accord"), join(copy, folder, name)), join(to, "@accord", name));
}
