/** Where on the server the files of an instance lie: nowhere else may its connectors read. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { ConnectorError } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../../config.ts";
import { isWithin } from "../../../platform/paths.ts";

type FoldersConfig = Pick<Config, "filesRoot" | "filesFolders">;

/** Absolute folder with the files of an instance: the one that the operator named for it, else its own below the root. */
export const filesFolderOf = ({ filesRoot, filesFolders }: FoldersConfig, instanceId: Id<"instance">): string =>
  filesFolders.get(instanceId) ?? join(filesRoot, instanceId);

/**
 * The folder `path` below the folder of the instance, links resolved. The instance's own folder below the root is made
 * when it is missing; one that the operator named has to be there, since it may be a disk that is not mounted.
 * @throws ConnectorError `configuration` for what is not there or leads elsewhere, in the same words for both.
 */
export async function resolveFilesFolder(
  config: FoldersConfig,
  instanceId: Id<"instance">,
  path: string,
): Promise<string> {
  const base = filesFolderOf(config, instanceId);
  if (!config.filesFolders.has(instanceId)) await mkdir(base, { recursive: true });
  const allowed = await realpath(base).catch(() => null);
  const folder = allowed === null ? null : await realpath(join(allowed, path)).catch(() => null);
  if (allowed === null)
    throw new ConnectorError("configuration", fill(connectionErrors.noFolder, { folder: base }), {
      hint: connectionErrors.noFolderHint,
    });
  if (folder === null || !isWithin(allowed, folder))
    throw new ConnectorError("configuration", fill(connectionErrors.noFolderBelow, { folder: path, base }), {
      hint: fill(connectionErrors.noFolderBelowHint, { root: config.filesRoot }),
    });
  return folder;
}
