/** Entry of every npm command. Runs under plain Node 20 with nothing installed: installs, then hands over to Node 24. */
import { ensureInstalled } from "./setup/install.mjs";
import { runUnderNode24 } from "./setup/node24.mjs";

const COMMANDS = [
  "start",
  "dev",
  "test",
  "check",
  "spec",
  "bench",
  "golden",
  "sim",
  "mutants",
  "reconcile",
  "manifest",
  "conformance",
  "synapse",
  "new",
];
const [command = "", ...words] = process.argv.slice(2);

if (!COMMANDS.includes(command)) {
  console.error(`Unknown command "${command}". There are: ${COMMANDS.join(", ")}.`);
  process.exit(2);
}
try {
  await ensureInstalled();
  await runUnderNode24(`scripts/commands/${command}.ts`, words);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
