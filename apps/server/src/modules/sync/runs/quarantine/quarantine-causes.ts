/** Why records wait in quarantine, cause by cause, and what people call them; without values of secret fields. */
import type { Id } from "@accord/contracts";
import type { QuarantineCause } from "@accord/contracts/sync/monitoring/quarantine";
import { SecretFields } from "@accord/expressions";
import { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import { PipelineNotRunnable } from "../worker/pipeline-endpoints.ts";
import type { PipelineSecrets } from "../secrets/pipeline-secrets.ts";
import type { PipelinePlans, CompiledPipeline } from "../worker/plans.ts";
import type { EntityId, InstanceId, ServiceContext } from "../published-pipelines.ts";
import type { QuarantineCauseRow } from "../monitoring/standing-problems.store.ts";

export interface SecretParts {
  plans: Pick<PipelinePlans, "load">;
}

type Parts = Pick<ServiceContext, "deps" | "standing"> & SecretParts;

/** Null while the pipeline can't run. */
export async function loadIfReady(
  { plans }: SecretParts,
  at: InstanceId,
  entityId: EntityId,
): Promise<CompiledPipeline | null> {
  try {
    return await plans.load(at, entityId);
  } catch (error) {
    if (error instanceof PipelineNotRunnable) return null;
    throw error;
  }
}

/** Null while the pipeline does not run: then nobody knows which fields are secret. */
export const secretsOf = async (
  parts: SecretParts,
  at: InstanceId,
  entityId: EntityId,
): Promise<PipelineSecrets | null> => (await loadIfReady(parts, at, entityId))?.secrets ?? null;

/** The reason of one entry of each cause, by the entry's id. */
export async function causeReasons(
  { deps, standing, plans }: Parts,
  at: InstanceId,
  entityId: EntityId,
  causes: readonly QuarantineCauseRow[],
): Promise<Map<string, string>> {
  if (causes.length === 0) return new Map();
  const samples = await standing.causeSamples(at, causes);
  const known = await secretsOf({ plans }, at, entityId);
  const seals = new SealedValues(deps.secrets, at, SecretFields.of(null));
  return new Map(
    causes.flatMap(({ placeId, sampleId }) => {
      const sample = samples.get(sampleId);
      if (!sample || (sample.isPayloadLeftOut && known?.hasSecretsAt(placeId) !== false)) return [];
      const { message, payload } = sample;
      const secrets = (known?.at(placeId) ?? SecretFields.of(null)).and(seals.sealedAmong(payload ?? {}));
      return [[sampleId, secrets.text(message, payload && seals.openAll(payload))] as const];
    }),
  );
}

/** Causes as people see them, the most frequent first. */
export async function quarantineCauses(
  parts: Parts,
  at: Id<"instance">,
  entityId: EntityId,
): Promise<QuarantineCause[]> {
  const causes = await parts.standing.quarantineCauses(at, entityId);
  const reasons = await causeReasons(parts, at, entityId, causes);
  return causes.map(({ code, nodeId, direction, count, sampleId }) => ({
    code,
    nodeId,
    direction,
    count,
    message: reasons.get(sampleId) ?? "",
  }));
}
