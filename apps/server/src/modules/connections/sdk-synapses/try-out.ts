/** The author's test: the draft's check, run in the sandbox with inputs that are stored nowhere. */
import { ConnectorError, type ConnectContext, type Connection } from "@accord/connector-sdk";
import { recordExchanges, uploadedType } from "@accord/connectors";
import type { Id, ReplyOf } from "@accord/contracts";
import type { CheckResult } from "@accord/contracts/connections/connector-shapes";
import { SynapseExchange } from "@accord/contracts/connections/http-synapse-tests";
import type { testSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { Sandbox } from "../../../platform/sandbox/sandbox.ts";
import { CREDENTIAL_MASK, checkOf, connectContext, connectMasked, maskedContext } from "../connectors/index.ts";
import { startProgram } from "./run-program.ts";
import { refuse, type SynapsesService } from "./synapses.service.ts";

const CHECK_TIMEOUT_MS = 20_000;

export interface TriedInputs {
  config: Values;
  authType: string;
  credentials: Record<string, string>;
}

export interface Tried {
  result: CheckResult;
  description: SynapseDescription | null;
  discovery: ReplyOf<typeof testSdkSynapse>["discovery"];
  log: string;
  exchanges: SynapseExchange[];
  exchangeCount: number;
}

interface TryDeps {
  synapses: SynapsesService;
  sandbox: Sandbox;
}

/** What the draft, else the published version, says of itself, or what is wrong with its code. */
export async function describeSynapse(deps: Deps, { synapses }: TryDeps, at: Id<"instance">, id: Id<"sdkSynapse">) {
  const version = await versionOf(synapses, at, id);
  let description: SynapseDescription | null = null;
  const { problem } = await checkOf(deps.clock, async () => {
    description = await synapses.describe(version, AbortSignal.timeout(CHECK_TIMEOUT_MS));
    return { check: async () => {}, close: async () => {} };
  });
  return { contentHash: version.content_hash, description, problem };
}

async function versionOf(synapses: SynapsesService, at: Id<"instance">, id: Id<"sdkSynapse">) {
  const { draft, published } = await synapses.current(await synapses.own(at, id));
  const version = draft ?? published;
  if (!version) throw refuse("It has no version.");
  return version;
}

const NOTHING_FOUND: Pick<Tried, "discovery" | "log" | "exchanges" | "exchangeCount"> = {
  discovery: { entities: [], problem: null },
  ...{ log: "", exchanges: [], exchangeCount: 0 },
};

export async function tryOut(
  deps: Deps,
  { synapses, sandbox }: TryDeps,
  at: Id<"instance">,
  id: Id<"sdkSynapse">,
  inputs: TriedInputs,
): Promise<Tried> {
  const version = await versionOf(synapses, at, id);
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  let description: SynapseDescription;
  try {
    description = await synapses.describe(version, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const result = await checkOf(deps.clock, () => Promise.reject(error));
    return { result, description: null, ...NOTHING_FOUND };
  }
  const type = uploadedType(id, description);
  refuseInputs(description, inputs, type.problems(inputs.config));
  const code = await synapses.codeOf(version);
  const logs: (() => string)[] = [];
  const openProgram: ConnectContext["openProgram"] = async () => {
    const program = await startProgram(sandbox, code, { instanceId: at, isTest: true, signal });
    logs.push(program.log);
    return program;
  };
  const context = connectContext(deps, { instanceId: at, type, ...inputs }, signal);
  const { context: open, mask } = maskedContext(type, { ...context, openProgram });
  const recorder = recordExchanges(open, { hidden: CREDENTIAL_MASK, mask: (text) => mask.text(text) });
  const { result, discovery } = await checkAndDiscover(deps, () => connectMasked(type, recorder.context));
  const { exchanges: recorded, exchangeCount } = recorder.recorded();
  const exchanges = z.array(SynapseExchange).parse(mask.values({ recorded })["recorded"]);
  // Code may print what it was given, and what it was answered.
  const log = mask.text(logs.map((read) => read()).join(""));
  return { result, discovery, description, log, exchanges, exchangeCount };
}

/** A check that passes is followed by the list of entities, over the same connection. */
async function checkAndDiscover(
  { clock }: Pick<Deps, "clock">,
  connect: () => Connection,
): Promise<Pick<Tried, "result" | "discovery">> {
  const entities: Tried["discovery"]["entities"] = [];
  let discovered: CheckResult | null = null;
  const result = await checkOf(clock, async () => {
    const connection = connect();
    const discover = async (): Promise<void> => {
      for await (const { entity } of connection.discover({}))
        entities.push({
          ...{ apiName: entity.apiName, displayName: entity.displayName, fieldCount: entity.fields.length },
        });
    };
    return {
      check: async () => {
        await connection.check();
        discovered = await checkOf(clock, async () => ({ check: discover, close: async () => {} }));
      },
      close: () => connection.close(),
    };
  });
  return { result, discovery: { entities, problem: problemIn(discovered) } };
}

const problemIn = (result: CheckResult | null) => result?.problem ?? null;

function refuseInputs(
  { authMethods }: SynapseDescription,
  { authType, credentials }: TriedInputs,
  problems: { path: string; message: string }[],
): void {
  const method = authMethods.find(({ type }) => type === authType);
  const errors = problems.map(({ path, message }) => ({ path: `config.${path}`, message }));
  if (!method)
    errors.push({ path: "authType", message: `must be one of ${authMethods.map(({ type }) => type).join(", ")}` });
  for (const { name, required } of method?.fields ?? [])
    if (required && (credentials[name] ?? "") === "")
      errors.push({ path: `credentials.${name}`, message: "is required" });
  if (errors.length > 0) throw new AppError("validation_failed", {}, { errors });
}
