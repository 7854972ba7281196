/** A file sent to a multipart endpoint. Only the server's multipart reader makes one: JSON can't forge it. */
import { z } from "zod";

export interface Upload {
  /** As the browser named it: for showing, never for a path. */
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const made = new WeakSet<object>();

export function makeUpload(file: Upload): Upload {
  const upload = Object.freeze({ ...file });
  made.add(upload);
  return upload;
}

/** Schema of one file field of a multipart body. */
/** Browsers send a `Blob`. */
export const upload = (): z.ZodType<Upload, Upload | Blob> =>
  z
    .custom<Upload>((value) => typeof value === "object" && value !== null && made.has(value), "must be a file")
    .meta({ description: "A file", format: "binary" });
