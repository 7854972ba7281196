/**
 * What stands beside an uploaded synapse in its sandbox: this SDK without types, and the program that loads it. Made
 * from the sources, so that the code inside is the code outside.
 */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The file that Node runs in the sandbox. */
export const GUEST_ENTRY = "sdk/connector-sdk/src/guest/guest.mjs";
/** The folder of the uploaded files, and how they are imported by the guest. */
export const SYNAPSE_FOLDER = "synapse";
export const entryOf = (mainFile: string): string => `../../../../${SYNAPSE_FOLDER}/${mainFile}`;

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGES = join(HERE, "../../..");
const SDK = "node_modules/@accord/connector-sdk";

let made: ReadonlyMap<string, Uint8Array> | undefined;

export function guestFiles(): ReadonlyMap<string, Uint8Array> {
  made ??= new Map([
    ...modulesFrom([join(HERE, "guest.ts"), join(HERE, "sdk.ts")]),
    [
      `${SDK}/package.json`,
      bytes(JSON.stringify({ name: "@accord/connector-sdk", type: "module", exports: "./index.mjs" })),
    ],
    [`${SDK}/index.mjs`, bytes('export * from "../../../sdk/connector-sdk/src/guest/sdk.mjs";\n')],
  ]);
  return made;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const inside = (path: string): string => `sdk/${relative(PACKAGES, path).replace(/\.ts$/, ".mjs")}`;

/** These modules and all that they import of ours. */
function modulesFrom(entries: string[]): Map<string, Uint8Array> {
  const modules = new Map<string, Uint8Array>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const name = inside(path);
    if (modules.has(name)) continue;
    const from = dirname(path);
    const text = stripTypeScriptTypes(readFileSync(path, "utf8")).replaceAll(
      /(from\s*)"([^"]+)"/g,
      (whole, keyword: string, specifier: string) => {
        const imported = pathOf(specifier, from);
        if (imported === null) return whole;
        open.push(imported);
        const way = relative(dirname(name), inside(imported));
        return `${keyword}"${way.startsWith(".") ? way : `./${way}`}"`;
      },
    );
    modules.set(name, bytes(text));
  }
  return modules;
}

/** null: a module of Node's own. */
function pathOf(specifier: string, from: string): string | null {
  if (specifier.startsWith("node:")) return null;
  if (specifier.startsWith(".")) return join(from, specifier);
  const [, workspace, rest] = /^@accord\/([a-z-]+)\/(.+)$/.exec(specifier) ?? [];
  if (workspace === undefined || rest === undefined) throw new Error(`${specifier} can't be imported in a sandbox.`);
  return join(PACKAGES, workspace, "src", `${rest}.ts`);
}
