/** Tries calls of an HTTP synapse as it is being described; nothing is stored, and no secret is shown. */
import { compileSynapse, HttpConfig, settingsProblems, synapseConnectorType, trySynapseCall } from "@accord/connectors";
import type { Id } from "@accord/contracts";
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
  credentialProblems,
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
    refuse(credentialProblems(method, credentials));
    await refuseForbiddenHosts(deps.outbound, type.hosts(values));
    const config = HttpConfig.parse(compileSynapse(settings, values));
    const connection = { instanceId: at, type, config: values, authType, credentials };
    const open = connectContext(deps, connection, AbortSignal.timeout(TIMEOUT_MS));
    const { context, mask } = maskedContext(type, open);
    try {
      const masking = { hidden: CREDENTIAL_MASK, mask: (text: string) => mask.text(text) };
      return masked(await trySynapseCall(context, config, call, masking), mask);
    } catch (error) {
      throw mask.error(error);
    }
  };

/** Credentials that are sent in addresses and bodies, or repeated by the system, as well. */
const masked = (result: SynapseTestResult, mask: CredentialMask): SynapseTestResult =>
  SynapseTestResult.parse(mask.values(result));
