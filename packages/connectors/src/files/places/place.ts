/** A place where files are: a folder, what was uploaded. It names files and hands out their bytes, whatever they mean. */

export interface FileState {
  size: number;
  /** Another number for each time it was changed or replaced. */
  modified: number;
}

/** Bytes of an open file, from any place in it; fewer than asked for only at its end. */
export interface Bytes {
  read(offset: number, length: number): Promise<Buffer>;
}

export interface OpenBytes extends Bytes {
  close(): Promise<void>;
}

export interface StoredFile {
  /** Below the place: `flights.csv`, `orders/2024.csv`. */
  name: string;
  /** null when the file is gone. */
  state(): Promise<FileState | null>;
  /** It and its `read` throw `ConnectorError`. */
  open(): Promise<OpenBytes>;
}

export interface Place {
  /** As messages name it: `/srv/accord/files/…`, `the uploaded files`. */
  label(): Promise<string>;
  /** What to do where nothing is there. */
  hintWhenEmpty: string;
  /** Files with one of these endings, in the order of their names, at most one folder deep. */
  list(isWanted: (name: string) => boolean): Promise<StoredFile[]>;
}

/** Of folders. */
export const HINT_WHEN_EMPTY =
  "Put files ending in .csv, .tsv, .jsonl, .ndjson or .xlsx there, or name another folder.";

/** Opens a file for as long as the work takes. */
export async function withFile<Result>(file: StoredFile, work: (bytes: Bytes) => Promise<Result>): Promise<Result> {
  const bytes = await file.open();
  try {
    return await work(bytes);
  } finally {
    await bytes.close();
  }
}
