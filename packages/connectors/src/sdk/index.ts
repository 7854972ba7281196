/** Uploaded synapses as connector types: what they say of themselves, and their code in a process of its own. */
import type { AuthMethod, Capability, ConnectorDefinition } from "@accord/connector-sdk";
import type { FieldProblem } from "@accord/contracts";
import { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { Values } from "@accord/contracts/data/values";
import { connectProgram } from "./connection.ts";
import { hostOf, OriginError, originsFor } from "./origins.ts";

export { askedOf } from "./connection.ts";
export { originsFor } from "./origins.ts";

/** The type of an uploaded synapse is this and its id. */
export const UPLOADED_TYPE = "sdk:";
/** Where a connection's configuration holds what its synapse says of itself. Written by the server alone. */
export const DESCRIPTION_MEMBER = "$synapse";

const WRITING: ReadonlySet<Capability> = new Set([
  ...(["create", "update", "delete", "idempotentCreate", "conditionalWrite", "checkedWrite"] as const),
]);

/** The connector type of a synapse; `id`: of the synapse. `icon`: a name, or an image as a data address. */
export function uploadedType(id: string, description: SynapseDescription, icon = "code"): ConnectorDefinition {
  const { displayName, helpUrl, configFields, capabilities, readPageSize, writeBatchSize, readDelaySeconds } =
    description;
  const origins = (config: Values): string[] => originsFor(description.origins, config);
  const problems = (config: Values): FieldProblem[] => problemsOf(description, config);
  const authMethods: AuthMethod[] = description.authMethods;
  return {
    type: `${UPLOADED_TYPE}${id}`,
    ...{ displayName, configFields, authMethods, readPageSize, writeBatchSize, readDelaySeconds },
    capabilities: [...capabilities],
    ...(helpUrl !== undefined && { helpUrl }),
    category: "api",
    description: description.description,
    icon,
    backgroundColor: "teal",
    hosts: (config) => origins(config).map(hostOf),
    destinations: origins,
    problems,
    editProblems: problems,
    signInProblems: () => [],
    capabilitiesOf: (_, entity) =>
      entity.readOnly ? capabilities.filter((capability) => !WRITING.has(capability)) : [...capabilities],
    connect: (context) => connectProgram(context, description),
  };
}

/** The type as a stored connection knows it; null where its configuration holds no description. */
export function uploadedTypeOf(type: string, config: Values): ConnectorDefinition | null {
  const description = SynapseDescription.safeParse(config[DESCRIPTION_MEMBER]);
  return description.success ? uploadedType(type.slice(UPLOADED_TYPE.length), description.data) : null;
}

function problemsOf({ configFields, origins }: SynapseDescription, config: Values): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const { name, required, datatype, values } of configFields) {
    const value = config[name];
    const isBlank = value === undefined || value === null || value === "";
    if (isBlank && required) problems.push({ path: name, message: "is required" });
    if (isBlank) continue;
    if (datatype === "boolean" && typeof value !== "boolean")
      problems.push({ path: name, message: "must be true or false" });
    if (datatype === "integer" && !Number.isSafeInteger(Number(value)))
      problems.push({ path: name, message: "must be a whole number" });
    if (values && !values.some(({ id }) => id === value))
      problems.push({ path: name, message: "must be one of the choices" });
  }
  if (problems.length > 0) return problems;
  try {
    originsFor(origins, config);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    problems.push({ path: error.input, message: error.problem });
  }
  return problems;
}
