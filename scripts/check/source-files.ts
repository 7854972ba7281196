/** The files that the house rules apply to: everything of ours that git knows or will know. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/root.mjs";

const CODE = /\.(ts|tsx|mjs|css)$/;

/** Paths relative to the project, with forward slashes. `names`: other files than code as well. */
export function sourceFiles(root: string = ROOT, names: RegExp = CODE): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  return listed.split("\0").filter((file) => names.test(file) && existsSync(join(root, file)));
}

export const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/(test-kit|test-systems|fixtures|bench)\/|^e2e\//.test(file);
