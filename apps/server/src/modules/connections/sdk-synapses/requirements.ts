/** The requirements of an uploaded synapse: exact versions, of which this version provides the SDK alone. */

export interface Requirement {
  name: string;
  version: string;
}

/** What the sandbox has, and under which version. */
export const PROVIDED: readonly Requirement[] = [{ name: "@accord/connector-sdk", version: "0.1.0" }];

export const MAX_REQUIREMENTS_BYTES = 100_000;
const EXACT = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,60})?$/;
const NAME = /^(?:@[a-z0-9._-]{1,100}\/)?[a-z0-9._-]{1,100}$/;

export class RequirementsError extends Error {
  override readonly name = "RequirementsError";
}

/** A package.json with `dependencies`, or the dependencies alone. Throws `RequirementsError`. */
export function readRequirements(bytes: Uint8Array): Requirement[] {
  if (bytes.byteLength > MAX_REQUIREMENTS_BYTES) throw new RequirementsError("may have 100 KB at most");
  const dependencies = dependenciesIn(bytes);
  const required = Object.entries(dependencies).map(([name, version]): Requirement => {
    if (!NAME.test(name)) throw new RequirementsError(`names ${name.slice(0, 100)}, which is no name of a package`);
    if (typeof version !== "string" || !EXACT.test(version))
      throw new RequirementsError(
        `must pin ${name} to an exact version, such as "1.2.3"; ranges change what was reviewed`,
      );
    return { name, version };
  });
  for (const { name, version } of required) {
    const provided = PROVIDED.find((one) => one.name === name);
    if (!provided)
      throw new RequirementsError(
        `names ${name}: packages are not installed. Bundle it into the synapse file and leave it out here`,
      );
    if (provided.version !== version)
      throw new RequirementsError(`names ${name} ${version}; this server has ${provided.version}`);
  }
  if (!required.some(({ name }) => name === "@accord/connector-sdk"))
    throw new RequirementsError(
      `must name the SDK: {"dependencies": {"@accord/connector-sdk": "${PROVIDED[0]?.version}"}}`,
    );
  return required;
}

function dependenciesIn(bytes: Uint8Array): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RequirementsError("must be JSON like a package.json");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new RequirementsError("must be an object like a package.json");
  for (const other of [
    "devDependencies",
    "peerDependencies",
    "optionalDependencies",
    "bundleDependencies",
    "overrides",
    "scripts",
  ])
    if (other in parsed) throw new RequirementsError(`has ${other}, which are not supported: leave them out`);
  const dependencies = "dependencies" in parsed ? parsed.dependencies : parsed;
  if (typeof dependencies !== "object" || dependencies === null || Array.isArray(dependencies))
    throw new RequirementsError("has dependencies that are no names with versions");
  return dependencies;
}
