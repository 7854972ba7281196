/** `npm run new -- <kind> <name>`: makes the files of something new and its lines in the lists. */
import { ROOT } from "../setup/root.mjs";
import { runTool } from "../setup/run-tool.ts";
import { scaffoldFor } from "../new/kinds.ts";
import { apply, type Scaffold } from "../new/scaffold.ts";

const [kind = "", name = ""] = process.argv.slice(2);
const { files, scaffold } = make();
await runTool("oxfmt", files);
print("Made or changed", files);
print("The type checker now asks for an answer in", scaffold.places ?? []);
console.log("Next:");
for (const [index, step] of scaffold.next.entries()) console.log(`  ${index + 1}. ${step}`);
process.exit(0);

function make(): { files: string[]; scaffold: Scaffold } {
  try {
    const scaffold = scaffoldFor(kind, name);
    return { files: apply(scaffold, ROOT), scaffold };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(2);
  }
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`${title}:\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
}
