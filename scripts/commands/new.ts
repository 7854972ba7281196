/** `npm run new -- function|connector|card|feature <name>`: makes the files and the lines in the lists. */
import { ROOT } from "../setup/root.mjs";
import { runTool } from "../setup/run-tool.ts";
import { cardScaffold } from "../new/card.ts";
import { connectorScaffold } from "../new/connector.ts";
import { AREAS, featureScaffold } from "../new/feature.ts";
import { functionScaffold } from "../new/function.ts";
import { apply, namesOf, type Scaffold } from "../new/scaffold.ts";

const USAGE = `npm run new -- function split-text
npm run new -- connector acme-crm
npm run new -- card radar
npm run new -- feature <area>/<name>    areas: ${AREAS.join(", ")}`;

const [kind = "", name = ""] = process.argv.slice(2);
const scaffold = chooseScaffold();
if (!scaffold) {
  console.error(`Names are in kebab-case.\n${USAGE}`);
  process.exit(2);
}
const files = apply(scaffold, ROOT);
await runTool("oxfmt", files);
console.log(`Made or changed:\n${files.map((file) => `  ${file}`).join("\n")}\n\nNext:`);
for (const [index, step] of scaffold.next.entries()) console.log(`  ${index + 1}. ${step}`);
process.exit(0);

function chooseScaffold(): Scaffold | undefined {
  const area = AREAS.find((one) => name.startsWith(`${one}/`));
  const last = area ? name.slice(area.length + 1) : name;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(last)) return undefined;
  const names = namesOf(last);
  if (kind === "feature") return area ? featureScaffold(area, names) : undefined;
  if (kind === "function") return functionScaffold(names);
  if (kind === "connector") return connectorScaffold(names);
  return kind === "card" ? cardScaffold(names) : undefined;
}
