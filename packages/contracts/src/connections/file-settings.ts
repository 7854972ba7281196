/** How a file is written, as a person said it: shared by the connector that reads it and the screens that ask. */
import { z } from "zod";

export const FILE_HEADERS = ["auto", "yes", "no"] as const;
export const FILE_DELIMITERS = ["auto", "comma", "semicolon", "tab", "pipe"] as const;
export const FILE_ENCODINGS = ["utf-8", "utf-16", "windows-1252"] as const;
/** Which number of `03/04/2026` is the day. `yearFirst`: nobody said, and such texts are no dates. */
export const FILE_DATES = ["yearFirst", "dayFirst", "monthFirst"] as const;
/** `plain`: 1234.56 only; `point`: 1,234.56 as well; `comma`: 1.234,56 and 1234,56. */
export const FILE_NUMBERS = ["plain", "point", "comma"] as const;

/** Column that a connector adds: file and line of a row. */
export const FILE_ROW_FIELD = "_row";

export const FileSettings = z.strictObject({
  header: z.enum(FILE_HEADERS),
  delimiter: z.enum(FILE_DELIMITERS),
  encoding: z.enum(FILE_ENCODINGS),
  dates: z.enum(FILE_DATES),
  numbers: z.enum(FILE_NUMBERS),
  /** Column that identifies a row; null where the connector finds one, or counts the lines. */
  idColumn: z.string().max(200).nullable(),
});
export type FileSettings = z.output<typeof FileSettings>;

/** Whoever leaves one out says nothing about it. */
export const PartialFileSettings = FileSettings.partial();
export type PartialFileSettings = z.output<typeof PartialFileSettings>;
