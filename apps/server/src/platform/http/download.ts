/** An answer that is a file instead of JSON. */
import type { Readable } from "node:stream";

/** Return one from a handler: it is sent as an attachment, never shown by the browser. */
export class Download {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Readable | Uint8Array | string;

  constructor(file: { fileName: string; contentType: string; content: Readable | Uint8Array | string }) {
    this.fileName = file.fileName;
    this.contentType = file.contentType;
    this.content = file.content;
  }
}
