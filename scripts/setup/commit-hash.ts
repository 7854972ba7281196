/** Which commit this is, for what each commit plays or tries of its own. */
import { execFileSync } from "node:child_process";
import { ROOT } from "./root.mjs";

/** Without a repository, that of no commit. */
export function commitHash(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
  } catch {
    return "0".repeat(40);
  }
}
