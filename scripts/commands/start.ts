/** `npm start`: runs the server until Ctrl-C, and starts it again when it crashes. */
import { join } from "node:path";
import { ROOT } from "../setup/root.mjs";
import { supervise } from "../start/supervise.ts";

const file = join(ROOT, "scripts/start/server-process.ts");
process.exit(await supervise({ file, say: (line) => console.error(line) }));
