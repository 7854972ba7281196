/** Uploads as a browser makes them: piece by piece, looked at, saved as proposed. */
import * as files from "@accord/contracts/connections/connector-files";
import * as api from "@accord/contracts/connections/connectors";
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import { makeUpload } from "@accord/contracts/upload";
import type { Caller } from "../caller.ts";

type ConnectorId = api.Connector["id"];

export const makeUploadsConnector = (caller: Caller, name: string): Promise<api.ConnectorDetail> =>
  caller.call(api.createConnector, {
    body: { name, typeId: "files", config: { place: "uploaded" }, authType: "none" },
  });

export const pieceOf = (bytes: Uint8Array) =>
  makeUpload({ fileName: "piece", contentType: "application/octet-stream", bytes });

export const beginUpload = (
  caller: Caller,
  connectorId: ConnectorId,
  { name, size, fingerprint = "1" }: { name: string; size: number; fingerprint?: string },
): Promise<files.ConnectorFile> =>
  caller.call(files.beginFileUpload, { params: { connectorId }, body: { name, size, fingerprint } });

export async function sendPieces(caller: Caller, connectorId: ConnectorId, file: files.ConnectorFile, bytes: Buffer) {
  for (let at = file.received; at < bytes.length; at += files.FILE_PIECE_BYTES) {
    const number = String(at / files.FILE_PIECE_BYTES);
    const piece = pieceOf(bytes.subarray(at, at + files.FILE_PIECE_BYTES));
    await caller.call(files.sendFilePiece, { params: { connectorId, fileId: file.id, number }, body: { piece } });
  }
}

export async function uploadFile(
  caller: Caller,
  connectorId: ConnectorId,
  name: string,
  content: string | Buffer,
): Promise<files.ConnectorFile> {
  const bytes = Buffer.from(content);
  const file = await beginUpload(caller, connectorId, { name, size: bytes.length, fingerprint: `${Math.random()}` });
  await sendPieces(caller, connectorId, file, bytes);
  return file;
}

/** Uploads and saves with what is proposed, but for what the caller says. */
export async function saveUpload(
  caller: Caller,
  connectorId: ConnectorId,
  { name, content, said = {} }: { name: string; content: string | Buffer; said?: Partial<FileSettings> },
): Promise<files.FileTablePreview[]> {
  const file = await uploadFile(caller, connectorId, name, content);
  const params = { connectorId, fileId: file.id };
  const { tables } = await caller.call(files.previewConnectorFile, { params, body: {} });
  const settings = Object.fromEntries(tables.map((table) => [table.entity, { ...table.settings, ...said }]));
  await caller.call(files.saveConnectorFile, { params, body: { settings } });
  return tables;
}
