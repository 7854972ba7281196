/** The parts of a workbook's archive, within bounds: what it says of its size is checked before anything is unpacked. */
import { ConnectorError } from "@accord/connector-sdk";
import { PassThrough, Readable } from "node:stream";
import yauzl from "yauzl";
import type { Bytes } from "../../places/place.ts";

export const XLSX_LIMITS = {
  /** Parts of the archive. */
  entries: 10_000,
  /** Of one sheet, unpacked. */
  sheetBytes: 2_000_000_000,
  /** Of the shared texts. */
  textBytes: 200_000_000,
  /** Of the texts in them, as they stay in memory while a sheet is read. */
  keptTextBytes: 32_000_000,
  /** Letters of one, as many as a spreadsheet takes. */
  textLength: 32_767,
  /** Characters of the format of a number, as many as a spreadsheet takes. */
  formatLength: 255,
  /** Visible ones. */
  sheets: 100,
  /** Of any other part that is read: the list of sheets, styles. */
  partBytes: 8_000_000,
  /** Unpacked bytes for each packed one, in parts over a megabyte. Sheets come to 10 to 40. */
  ratio: 300,
} as const;

const PIECE = 262_144;

/** Hands ranges of the file to the library that knows archives. */
class BytesReader extends yauzl.RandomAccessReader {
  readonly #bytes: Bytes;
  constructor(bytes: Bytes) {
    super();
    this.#bytes = bytes;
  }
  override _readStreamForRange(start: number, end: number): PassThrough {
    const bytes = this.#bytes;
    const pieces = async function* (): AsyncGenerator<Buffer> {
      for (let at = start; at < end;) {
        const piece = await bytes.read(at, Math.min(PIECE, end - at));
        if (piece.length === 0) throw notAWorkbook();
        at += piece.length;
        yield piece;
      }
    };
    const out = new PassThrough();
    const source = Readable.from(pieces());
    source.on("error", (error) => out.destroy(error));
    out.on("close", () => source.destroy());
    return source.pipe(out);
  }
}

export interface Archive {
  has(name: string): boolean;
  /** Unpacks one part as it is read. Its size is held to what the archive says. */
  unpack(name: string, maxBytes: number): Promise<Readable>;
}

export async function openArchive(bytes: Bytes, size: number): Promise<Archive> {
  try {
    const zip = await yauzl.fromRandomAccessReaderPromise(new BytesReader(bytes), size, {
      autoClose: false,
      lazyEntries: true,
      validateEntrySizes: true,
    });
    if (zip.entryCount > XLSX_LIMITS.entries) throw tooLarge(`has more than ${XLSX_LIMITS.entries} parts`);
    const entries = new Map<string, yauzl.Entry>();
    for await (const entry of zip.eachEntry()) entries.set(keyOf(entry.fileName), entry);
    const unpack = async (name: string, maxBytes: number): Promise<Readable> => {
      const entry = entries.get(keyOf(name));
      if (!entry) throw notAWorkbook();
      if (entry.isEncrypted()) throw encrypted();
      demandSize(entry, maxBytes);
      return zip.openReadStreamPromise(entry);
    };
    return {
      has: (name) => entries.has(keyOf(name)),
      unpack,
    };
  } catch (error) {
    throw workbookError(error);
  }
}

/** Parts are known by their names whatever the case. */
const keyOf = (name: string): string => name.replace(/^\//, "").toLowerCase();

function demandSize({ fileName, compressedSize, uncompressedSize }: yauzl.Entry, maxBytes: number): void {
  if (uncompressedSize > maxBytes) throw tooLarge(`unpacks ${fileName} to ${megabytes(uncompressedSize)}`);
  if (uncompressedSize > 1_000_000 && uncompressedSize > compressedSize * XLSX_LIMITS.ratio)
    throw tooLarge(`packs ${fileName} more tightly than a sheet of data can be`);
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000).toLocaleString("en")} MB`;

export const tooLarge = (why: string): ConnectorError =>
  new ConnectorError("configuration", `The workbook can't be read: it ${why}.`, {
    hint: "Save the sheet as a CSV file, or split it into several workbooks.",
  });

const encrypted = (): ConnectorError =>
  new ConnectorError("configuration", "The workbook is protected with a password.", {
    hint: "Save it without one.",
  });

export const notAWorkbook = (cause?: unknown): ConnectorError =>
  new ConnectorError("configuration", "The file is no XLSX workbook, or it is damaged.", {
    cause,
    hint: "Open it in a spreadsheet program and save it as an Excel workbook (.xlsx), or upload it again.",
  });

/** What goes wrong in an archive is a fault of the file, whatever the library calls it; the place's own errors stay. */
export const workbookError = (error: unknown): ConnectorError =>
  error instanceof ConnectorError ? error : notAWorkbook(error);
