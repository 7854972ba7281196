/** Use cases of uploaded files: begin, take pieces, look at, save, delete. */
import { ConnectorError } from "@accord/connector-sdk";
import { previewFile } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import {
  FILE_PIECE_BYTES,
  type BegunUpload,
  type ConnectorFile,
  type FileTablePreview,
} from "@accord/contracts/connections/connector-files";
import type { FileSettings, PartialFileSettings } from "@accord/contracts/connections/file-settings";
import { PartialFileSettings as Settings } from "@accord/contracts/connections/file-settings";
import type { Upload } from "@accord/contracts/upload";
import { z } from "zod";
import type { Ctx } from "../../../../platform/ctx.ts";
import type { Deps } from "../../../../platform/deps.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import type { ConnectorFinder } from "../connector-finder.ts";
import { refuse } from "../refusals.ts";
import type { ConfigureFiles } from "./configure-files.ts";
import * as store from "./files.store.ts";
import { entityProblems, nameProblems, namesakeProblems } from "./names.ts";
import { Turns } from "./turns.ts";
import { uploadedFile } from "./stored-file.ts";

type InstanceId = Id<"instance">;
type ConnectorId = Id<"connector">;

/** In milliseconds: what is neither finished nor saved by then is deleted. */
export const ABANDONED_AFTER_MS = 86_400_000;

/** In milliseconds: one preview takes up to 20 s a table. */
const PREVIEW_WAIT_MS = 30_000;

const previewsAreBusy = (): AppError =>
  new AppError("invalid_state", { reason: "Other files are being looked at. Please try again in a moment." });

export interface FilesParts {
  deps: Pick<Deps, "appDb" | "clock" | "newId" | "config">;
  finder: ConnectorFinder;
  configure: ConfigureFiles;
}

/** What is known of its files, in the configuration of a connector. */
const Known = z.object({ files: z.record(z.string(), Settings).default({}) });

export function filesService({ deps, finder, configure }: FilesParts) {
  const { appDb, clock } = deps;
  const limits = deps.config.uploadLimits;
  const previews = new Turns({ waiting: 10, ms: PREVIEW_WAIT_MS, busy: previewsAreBusy });
  const now = (): string => clock.now().toISOString();

  const view = (row: store.FileRow): ConnectorFile => ({
    ...{ id: row.id, name: row.name, state: row.state, size: row.size, received: row.received, rows: row.row_count },
    ...{ createdBy: row.created_by, createdAt: row.created_at },
    expiresAt: row.state === "READY" ? null : new Date(Date.parse(row.changed_at) + ABANDONED_AFTER_MS).toISOString(),
  });

  /** The connector, if it reads uploaded files. */
  const demandUploads = async (at: InstanceId, connectorId: ConnectorId) => {
    const row = await finder.find(at, connectorId);
    if (row.type !== "files" || row.config["place"] !== "uploaded")
      throw new AppError("invalid_state", { reason: `${row.name} doesn't read uploaded files.` });
    return row;
  };

  const demandFile = async (file: store.FileAt): Promise<store.FileRow> => {
    const row = await store.findFile(appDb, file);
    if (!row) throw new AppError("not_found", { what: "File" });
    return row;
  };

  const demandWhole = (row: store.FileRow): void => {
    if (row.state === "RECEIVING")
      throw new AppError("invalid_state", { reason: `${row.name} has not arrived completely.` });
  };

  const look = async (
    file: store.FileAt,
    chosen: SettingsByEntity,
    signal: AbortSignal,
  ): Promise<{ tables: FileTablePreview[] }> => {
    const { config } = await demandUploads(file.instanceId, file.connectorId);
    const row = await demandFile(file);
    demandWhole(row);
    const inUse = (await store.readFiles(appDb, file.instanceId, file.connectorId)).find(
      (other) => other.name === row.name && other.state === "READY" && other.id !== row.id,
    );
    const known = Known.parse(config).files;
    // A file in use is read as was said; a newer version may be written otherwise.
    const said = row.state === "READY" ? { chosen: merged(known, chosen), known: {} } : { chosen, known };
    try {
      const tables = await previewFile(uploadedFile(appDb, row), {
        ...said,
        earlier: inUse ? uploadedFile(appDb, inUse) : null,
        now() {
          // Asked for after each page.
          signal.throwIfAborted();
          return clock.monotonicMs();
        },
      });
      const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0);
      // Another way of reading a file in use is looked at, and may not be saved.
      if (row.state !== "READY" || Object.keys(chosen).length === 0) await store.setRowCount(appDb, file, rows, now());
      return { tables };
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new AppError("file_unreadable", { reason: [error.message, error.hint].filter(Boolean).join(" ") });
    }
  };

  return {
    async list(at: InstanceId, connectorId: ConnectorId) {
      await finder.find(at, connectorId);
      const files = (await store.readFiles(appDb, at, connectorId)).map(view);
      return { files, limits, used: await store.readUsage(appDb, at) };
    },

    async begin(
      { instanceId, actor }: Ctx,
      connectorId: ConnectorId,
      { name, size, fingerprint }: { name: string; size: number; fingerprint: string },
    ): Promise<BegunUpload> {
      await demandUploads(instanceId, connectorId);
      refuse(nameProblems(name));
      if (size > limits.fileBytes)
        refuse([
          { path: "size", message: `${name} is larger than ${megabytes(limits.fileBytes)}, the most a file may have` },
        ]);
      const id = deps.newId<"connectorFile">();
      const row = await appDb.transaction().execute(async (tx) => {
        await store.lockUsage(tx, instanceId);
        const files = await store.readFiles(tx, instanceId, connectorId);
        refuse(namesakeProblems(name, files));
        const begun = files.find(
          (file) =>
            file.state !== "READY" &&
            file.name === name &&
            file.size === size &&
            file.fingerprint === fingerprint &&
            file.user_id === actor.userId,
        );
        if (begun) return begun;
        const used = await store.readUsage(tx, instanceId);
        if (used.files >= limits.files || used.bytes + size > limits.totalBytes)
          throw new AppError("too_many_files", { files: limits.files, total: megabytes(limits.totalBytes) });
        const file = { id, connector_id: connectorId, name, size, fingerprint, piece_bytes: FILE_PIECE_BYTES };
        const by = { user_id: actor.userId, created_by: `${actor.firstName} ${actor.lastName}`.trim() || actor.email };
        await store.insertFile(tx, instanceId, { ...file, ...by }, now());
        return store.findFile(tx, { instanceId, connectorId, id });
      });
      if (!row) throw new AppError("not_found", { what: "File" });
      return { ...view(row), arrived: row.received === 0 ? null : await store.digestPieces(appDb, row) };
    },

    /** Pieces come in their order; one that came before is compared, so that a repetition is harmless. */
    async take(file: store.FileAt, number: number, { bytes }: Upload): Promise<ConnectorFile> {
      await demandUploads(file.instanceId, file.connectorId);
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const row = await appDb.transaction().execute(async (tx) => {
        const found = await store.lockFile(tx, file);
        if (!found) throw new AppError("not_found", { what: "File" });
        const expected = Math.min(found.piece_bytes, found.size - number * found.piece_bytes);
        if (content.length !== expected)
          refuse([
            { path: "piece", message: `has ${content.length} bytes where ${Math.max(0, expected)} are expected` },
          ]);
        const next = Math.ceil(found.received / found.piece_bytes);
        if (number > next)
          throw new AppError("invalid_state", {
            reason: `Piece ${next} of ${found.name} is missing before piece ${number}.`,
          });
        if (number < next) {
          const before = await store.readPiece(tx, file, number);
          if (before?.equals(content)) return found;
          throw new AppError("invalid_state", {
            reason: `${found.name} is not the file any more whose upload was begun. Delete the unfinished upload and start again.`,
          });
        }
        if (found.state !== "RECEIVING")
          throw new AppError("invalid_state", { reason: `${found.name} has arrived completely.` });
        const isLast = found.received + content.length === found.size;
        await store.addPiece(tx, file, { number, content, isLast, now: now() });
        return store.findFile(tx, file);
      });
      if (!row) throw new AppError("not_found", { what: "File" });
      return view(row);
    },

    /** One at a time in an instance, and only while somebody waits for it: each reads a whole file. */
    preview: (file: store.FileAt, chosen: SettingsByEntity, signal: AbortSignal) =>
      previews.take(file.instanceId, signal, () => look(file, chosen, signal)),

    async save(file: store.FileAt, settings: Readonly<Record<string, FileSettings>>): Promise<ConnectorFile> {
      await demandUploads(file.instanceId, file.connectorId);
      await configure(file.instanceId, file.connectorId, async (tx, { config }) => {
        const row = await store.lockFile(tx, file);
        if (!row) throw new AppError("not_found", { what: "File" });
        demandWhole(row);
        const files = await store.readFiles(tx, file.instanceId, file.connectorId);
        refuse(namesakeProblems(row.name, files));
        const inUse = files.filter(({ state }) => state === "READY");
        refuse(await entityProblems(tx, row, inUse));
        await store.putInUse(tx, file, row.name);
        return { ...Known.parse(config).files, ...settings };
      });
      return view(await demandFile(file));
    },

    async remove(file: store.FileAt): Promise<void> {
      await finder.find(file.instanceId, file.connectorId);
      if (!(await store.deleteFile(appDb, file))) throw new AppError("not_found", { what: "File" });
    },

    /** Deletes what was begun and not finished, or never saved. */
    async tidy(): Promise<void> {
      await store.deleteAbandoned(appDb, new Date(clock.now().getTime() - ABANDONED_AFTER_MS).toISOString());
    },
  };
}

type SettingsByEntity = Readonly<Record<string, PartialFileSettings>>;

const merged = (known: SettingsByEntity, chosen: SettingsByEntity): SettingsByEntity => ({
  ...known,
  ...Object.fromEntries(Object.entries(chosen).map(([entity, part]) => [entity, { ...known[entity], ...part }])),
});

export type FilesUseCases = ReturnType<typeof filesService>;

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000).toLocaleString("en")} MB`;
