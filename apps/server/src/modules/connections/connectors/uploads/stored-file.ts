/** Uploaded files as connectors read them: bytes from any place, whatever the pieces. */
import type { UploadedFile } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Db } from "../../../../platform/db/db.ts";
import { readFiles, readPiece, type FileRow } from "./files.store.ts";

/** Kept at hand: readers look at the beginning of a file again and again, and their steps end within pieces. */
const PIECES_KEPT = 4;

/** Pieces of files that are being read; the ones used last are kept. They never change. */
class Pieces {
  readonly #db: Db;
  #latest: { key: string; content: Buffer }[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  async read(row: FileRow, number: number): Promise<Buffer | null> {
    const key = `${row.id} ${number}`;
    const known = this.#latest.find((piece) => piece.key === key);
    const content = known?.content ?? (await readPiece(this.#db, { instanceId: row.instance_id, id: row.id }, number));
    if (content)
      this.#latest = [...this.#latest.filter((piece) => piece.key !== key), { key, content }].slice(-PIECES_KEPT);
    return content;
  }
}

/** Those in use. */
export function uploadedFiles(db: Db, at: Id<"instance">, connectorId: string) {
  const pieces = new Pieces(db);
  return {
    list: async (): Promise<UploadedFile[]> =>
      (await readFiles(db, at, connectorId))
        .filter(({ state }) => state === "READY")
        .map((row) => uploadedFile(db, row, pieces)),
  };
}

export function uploadedFile(db: Db, row: FileRow, pieces = new Pieces(db)): UploadedFile {
  const { name, size, number: modified, piece_bytes: pieceBytes } = row;
  return {
    ...{ name, size, modified },
    async read(offset, length) {
      const parts: Buffer[] = [];
      const end = Math.min(offset + length, size);
      for (let at = offset; at < end;) {
        const number = Math.floor(at / pieceBytes);
        const piece = await pieces.read(row, number);
        if (!piece) return null;
        const from = at - number * pieceBytes;
        const part = piece.subarray(from, from + end - at);
        if (part.length === 0) return null;
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
  };
}
