/** Tries calls of an HTTP synapse as it is being described; nothing is stored, and no secret is shown. */
import { compileSynapse, HttpConfig, settingsProblems, synapseConnectorType, trySynapseCall } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import { isExactNumber } from "@accord/contracts/data/exact-number";
import { Value } from "@accord/contracts/data/values";
import type { HttpSynapseSettings, VariableValues } from "@accord/contracts/connections/http-synapse-definition";
import {
  SynapseTestResult,
  type SynapseReadTest,
  type SynapseWriteTest,
} from "@accord/contracts/connections/http-synapse-tests";
import type { Deps } from "../../../platform/deps.ts";
import {
  connectContext,
  CREDENTIAL_MASK,
  type CredentialMask,
  maskedContext,
  refuse,
  refuseForbiddenHosts,
} from "../connectors/index.ts";
import { authMethodOfSynapse, type SynapsesService } from "./synapses.service.ts";
import { joinTrialCredentials } from "./trial-credentials.ts";

/** In milliseconds: a person waits. */
const TIMEOUT_MS = 30_000;

export interface SynapseTestInput {
  metadataId?: Id<"customSynapse"> | undefined;
  settings: HttpSynapseSettings;
  variableValues: VariableValues;
  credentials: Record<string, string>;
  call: SynapseReadTest | SynapseWriteTest;
}

export const synapseTests =
  (deps: Deps, synapses: SynapsesService) =>
  async (at: Id<"instance">, input: SynapseTestInput): Promise<SynapseTestResult> => {
    const { metadataId, settings, call } = input;
    const row = metadataId ? await synapses.find({ instanceId: at, synapseId: metadataId }) : null;
    refuse(settingsProblems(settings).map(({ path, message }) => ({ path: `settings.${path}`, message })));
    const type = synapseConnectorType({ id: "trial", icon: "api", definition: { settings, entities: [] } });
    const values = { ...row?.trial.values, ...input.variableValues };
    refuse(type.problems(values).map(({ path, message }) => ({ path: `variableValues.${path}`, message })));
    const { authType } = settings;
    const method = authMethodOfSynapse(settings);
    const destinations = type.destinations(values, authType);
    const credentials = await joinTrialCredentials(deps, at, row, method, input.credentials, destinations);
    refuse(
      method.fields
        .filter(({ name, required }) => required && !credentials[name])
        .map(({ name }) => ({ path: `credentials.${name}`, message: "is required" })),
    );
    await refuseForbiddenHosts(deps.outbound, type.hosts(values));
    const config = HttpConfig.parse(compileSynapse(settings, values));
    const connection = { instanceId: at, type, config: values, authType, credentials };
    const open = connectContext(deps, connection, AbortSignal.timeout(TIMEOUT_MS));
    const { context, mask } = maskedContext(type, open);
    try {
      return masked(await trySynapseCall(context, config, call, CREDENTIAL_MASK), mask);
    } catch (error) {
      throw mask.error(error);
    }
  };

/** Credentials that are sent in addresses and bodies, or repeated by the system, as well. */
const masked = (result: SynapseTestResult, mask: CredentialMask): SynapseTestResult =>
  SynapseTestResult.parse(maskedPart(result, mask));

function maskedPart(part: Value | object, mask: CredentialMask): Value {
  if (typeof part === "string") return mask.text(part);
  if (Array.isArray(part)) return part.map((one) => maskedPart(one, mask));
  if (part === null || typeof part !== "object") return part;
  // A copy of its members would not be one.
  if (isExactNumber(part)) return Value.parse(part);
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, maskedPart(value, mask)]));
}
