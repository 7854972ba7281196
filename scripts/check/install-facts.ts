/** Facts about what gets installed that must not change unseen: install scripts, least safe versions, how many. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../setup/root.mjs";
import type { Fault } from "./house-rules.ts";

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});
const Facts = z.object({ installScripts: z.array(z.string()), packagesAtMost: z.number() });

/** Versions below these have published holes. `null`: never to be installed at all. */
const FLOORS: Record<string, string | null> = {
  fastify: "5.8.5",
  "@fastify/static": "9.1.1",
  "@fastify/multipart": "9.0.3",
  "xml-crypto": "6.0.1",
  "@node-saml/node-saml": "5.1.0",
  "@xmldom/xmldom": "0.8.14",
  "@modelcontextprotocol/sdk": "1.25.2",
  "fast-jwt": null,
  vm2: null,
  "extract-zip": null,
};
const FACTS_FILE = join(ROOT, "scripts/check/install-facts.json");
/** Room for one more package with its own before someone must look. */
const SLACK = 10;

/** Faults of the lockfile and the package.json files. */
export function installFaults(lockfileText = readText("package-lock.json")): Fault[] {
  const { packages } = Lockfile.parse(JSON.parse(lockfileText));
  const facts = Facts.parse(JSON.parse(readFileSync(FACTS_FILE, "utf8")));
  const fault = (rule: string, fix: string): Fault => ({ file: "package-lock.json", line: 1, rule, fix });
  const faults: Fault[] = [];
  for (const [path, { version, link, integrity }] of Object.entries(packages)) {
    if (!path.includes("node_modules/") || link) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (!integrity) faults.push(fault("integrity", `${name} has no checksum: run npm install again`));
    const floor = FLOORS[name];
    if (floor === null) faults.push(fault("floor", `${name} is not to be installed: find what asks for it`));
    if (floor && version && isBelow(version, floor))
      faults.push(fault("floor", `${name} ${version}: use ${floor} or later`));
  }
  const scripts = installScripts(packages);
  for (const name of scripts.filter((script) => !facts.installScripts.includes(script))) {
    faults.push(
      fault("install-script", `${name} wants to run code when installed: read it, then npm run golden -- --update`),
    );
  }
  const count = Object.keys(packages).length;
  if (count > facts.packagesAtMost) {
    faults.push(
      fault("budget", `${count} packages, ${facts.packagesAtMost} expected: needed? then npm run golden -- --update`),
    );
  }
  return [...faults, ...versionFaults(Object.keys(packages).filter((path) => !path.includes("node_modules")))];
}

export function writeInstallFacts(): void {
  const { packages } = Lockfile.parse(JSON.parse(readText("package-lock.json")));
  const facts = { installScripts: installScripts(packages), packagesAtMost: Object.keys(packages).length + SLACK };
  writeFileSync(FACTS_FILE, `${JSON.stringify(facts, null, 2)}\n`);
}

/** Every version is exact: what was tested is what runs. */
function versionFaults(workspaces: readonly string[]): Fault[] {
  const Package = z.object({
    dependencies: z.record(z.string(), z.string()).default({}),
    devDependencies: z.record(z.string(), z.string()).default({}),
    optionalDependencies: z.record(z.string(), z.string()).default({}),
  });
  return workspaces.flatMap((workspace) => {
    const file = join(workspace, "package.json");
    const { dependencies, devDependencies, optionalDependencies } = Package.parse(JSON.parse(readText(file)));
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([name, version]) => !name.startsWith("@accord/") && !/^\d/.test(version))
      .map(([name]) => ({ file, line: 1, rule: "exact-version", fix: `write ${name}'s exact version` }));
  });
}

function installScripts(packages: z.infer<typeof Lockfile>["packages"]): string[] {
  return Object.entries(packages)
    .filter(([, entry]) => entry.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length))
    .toSorted();
}

function isBelow(version: string, floor: string): boolean {
  const numbers = (text: string) => text.split(/[.-]/).slice(0, 3).map(Number);
  const [one, other] = [numbers(version), numbers(floor)];
  const place = one.findIndex((number, index) => number !== other[index]);
  return place !== -1 && (one[place] ?? 0) < (other[place] ?? 0);
}

const readText = (file: string): string => readFileSync(join(ROOT, file), "utf8");
