/** Reads one record as it is stored, with what is known of it in each system, for either version of a pipeline. */
import type { Plan, StoredLink } from "@accord/sync-engine/run";
import { maskedLinks, type StoredState, type TestPipeline } from "../../runs/index.ts";
import type { DiffSubject } from "./run-version.ts";
import type { StoredSource } from "./source-values.ts";

/** Null: it is not there any more. */
export async function readSubject(
  recordId: string,
  [before, after]: readonly [TestPipeline, TestPipeline],
  stored: StoredState,
): Promise<{ before: DiffSubject; after: DiffSubject } | null> {
  const names = new Set([...before.secretNames, ...after.secretNames]);
  const [record] = await stored.storage(names).readRecords([recordId]);
  if (!record || record.deleted) return null;
  const [links, keptOut] = await Promise.all([stored.links(recordId), stored.keptOut(recordId)]);
  const [linksBefore, linksAfter] = [maskedLinks(links, before), maskedLinks(links, after)];
  const sources = new Map<number, StoredSource>();
  for (const pipeline of [before, after]) {
    for (const { place } of pipeline.plan.sources) {
      const link: StoredLink | undefined = linksAfter.get(place.id);
      if (!link || link.dead || sources.has(place.id)) continue;
      const mappings = [before, after].flatMap(({ plan }) => mappingsAt(plan, place.id));
      sources.set(place.id, {
        link,
        core: record.values,
        keptOut: new Map([...(keptOut.get(place.id) ?? [])].filter(([field]) => !names.has(field))),
        payload: await stored.quarantined(place.id, link.externalId),
        secrets: pipeline.secrets.at(place.id).and(names),
        references: await stored.references({ mappings }, record.values),
      });
    }
  }
  const shared = { record, storedLinks: links, sources };
  return { before: { ...shared, links: linksBefore }, after: { ...shared, links: linksAfter } };
}

const mappingsAt = ({ sources, sinks }: Plan, placeId: number): Mapping[] =>
  [...sources, ...sinks].flatMap(({ place, mappings }): readonly Mapping[] => (place.id === placeId ? mappings : []));

type Mapping = Pick<Plan["sources"][number]["mappings"][number], "coreField" | "reference">;
