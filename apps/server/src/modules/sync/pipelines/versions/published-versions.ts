/** The version of a pipeline that runs. Versions never change once they are there, so each is read and parsed once. */
import type { Id } from "@accord/contracts";
import type { Db } from "../../../../platform/db/db.ts";
import { keepRecent } from "../../../../platform/keep-recent.ts";
import type { PublishedVersion } from "../needs.ts";
import { findRunning } from "../pipelines.store.ts";
import { findVersion } from "./versions.store.ts";

/** Versions kept; the one not asked for longest goes first. */
const KEPT = 200;
/** Larger ones are read each time. */
const KEPT_LETTERS = 300_000;

type FullVersion = NonNullable<Awaited<ReturnType<typeof findVersion>>>;

export function publishedVersions(appDb: Db) {
  const kept = new Map<string, FullVersion>();

  function keep(key: string, version: FullVersion): void {
    if (kept.has(key) || JSON.stringify(version).length <= KEPT_LETTERS) keepRecent(kept, key, version, KEPT);
  }

  /** A version by its id; null when there is none. Shared: not to be changed. */
  async function version(
    at: Id<"instance">,
    entityId: Id<"entity">,
    versionId: FullVersion["id"],
  ): Promise<PublishedVersion | null> {
    const key = `${at}/${entityId}/${versionId}`;
    const found = kept.get(key) ?? (await findVersion(appDb, at, entityId, versionId));
    if (!found) return null;
    keep(key, found);
    const { number, name, graph, fieldGraphs, settings, publishedAt } = found;
    return { versionId, number, name, graph, fieldGraphs, settings, publishedAt };
  }

  return {
    version,

    /** What runs now, whichever server published it; null when nothing does. Shared: not to be changed. */
    async find(at: Id<"instance">, entityId: Id<"entity">): Promise<PublishedVersion | null> {
      const running = await findRunning(appDb, at, entityId);
      if (!running) return null;
      const found = await version(at, entityId, running.versionId);
      return found && { ...found, mergeConfig: running.mergeConfig, loggedNodes: running.loggedNodes };
    },
  };
}
