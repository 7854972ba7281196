/** How the columnar mirror of an instance stands, for the people who use it: entity by entity, of this server. */
import { getMirrorStatus, type MirroredEntity } from "@accord/contracts/insights/mirror";
import type { Id, ReplyOf } from "@accord/contracts";
import { instanceSchema } from "../../platform/db/db.ts";
import type { Deps } from "../../platform/deps.ts";
import { route } from "../../platform/module.ts";
import type { SchemaService } from "../data/schema/index.ts";
import { answerKey, estimatedRecords, type Mirror } from "./engine/index.ts";

type Needs = { schema: Pick<SchemaService, "listEntities">; mirror: Mirror | null };

export const mirrorRoutes = (deps: Pick<Deps, "config" | "dataPool">, { schema, mirror }: Needs) => [
  route(getMirrorStatus, async ({ instanceId }) => {
    const { minRecords, diskMb } = deps.config.mirror;
    if (!mirror) return { state: "off" as const, minRecords, bytes: 0, diskMb, entities: [] };
    const entities = await schema.listEntities(instanceId, "published");
    const estimates = await estimatedRecords(
      deps.dataPool,
      instanceId,
      entities.map(({ apiName }) => `r_${apiName}`),
    );
    return statusOf(instanceId, mirror, { entities, estimates, minRecords, diskMb });
  }),
];

interface Known {
  entities: readonly { apiName: string; displayName: string }[];
  /** About how many records the tables have. */
  estimates: ReadonlyMap<string, number>;
  minRecords: number;
  diskMb: number;
}

function statusOf(instanceId: Id<"instance">, mirror: Mirror, known: Known): ReplyOf<typeof getMirrorStatus> {
  const { state, tables, tablesAt, files, answeredAt } = mirror.status();
  const schema = instanceSchema(instanceId);
  const iso = (ms: number): string => new Date(ms).toISOString();
  const entities = known.entities.map(({ apiName, displayName }): MirroredEntity => {
    const name = `r_${apiName}`;
    const about = known.estimates.get(name) ?? 0;
    const copy = tables.find((one) => one.schema === schema && one.table === name);
    const answered = answeredAt.get(answerKey(schema, name));
    if (!copy) {
      const none = { records: 0, unfitFields: [], freshAt: null, answeredAt: null, problem: null };
      return { apiName, displayName, state: about < known.minRecords ? "small" : "unasked", about, ...none };
    }
    return {
      ...{ apiName, displayName, state: copy.state, about, records: copy.records, problem: copy.problem },
      unfitFields: copy.unfit,
      freshAt: copy.freshForMs === null ? null : iso(tablesAt - copy.freshForMs),
      answeredAt: answered === undefined ? null : iso(answered),
    };
  });
  const bytes = files.find((one) => one.schema === schema)?.bytes ?? 0;
  return { state, minRecords: known.minRecords, bytes, diskMb: known.diskMb, entities };
}
