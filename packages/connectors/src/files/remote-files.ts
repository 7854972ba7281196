/** What connectors of files on other servers share: what they can, how much is read at once, and how their tables are read. */
import type { Capability, ConnectContext, Connection } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { TextRules } from "./cells.ts";
import type { Place } from "./places/place.ts";
import { readTables } from "./read-tables.ts";

const capabilities: Capability[] = [
  "read",
  "readChanges",
  "readByWatermark",
  "userEditableId",
  "userEditableWatermark",
];

export const REMOTE_FILES = {
  category: "files",
  backgroundColor: "gold",
  capabilities,
  readPageSize: 2000,
  writeBatchSize: 1,
  readDelaySeconds: 0,
} as const;

/** What an entity can: only one with a watermark field is read by it. */
export function remoteFileCapabilities({ fields }: Pick<EntitySchema, "fields">): Capability[] {
  return capabilities.filter(
    (capability) => capability !== "readByWatermark" || fields.some((field) => field.isWatermarkField),
  );
}

/** All files of a place are written alike. `leave`: ends what the place is reached by. */
export function readRemoteFiles(
  context: ConnectContext,
  place: Place,
  text: Omit<TextRules, "idColumn" | "isExact">,
  leave: () => void,
): Connection {
  const { check, discover, read, close } = readTables(context, place, () => ({
    ...text,
    idColumn: null,
    isExact: true,
  }));
  return {
    check,
    discover,
    read,
    async close() {
      await close();
      leave();
    },
  };
}
