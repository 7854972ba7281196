/** A connection that reads a limited number of bytes for one statement: rows are counted, but each may be large. */
import { Socket } from "node:net";
import pg from "pg";

/** The rows of one statement have more bytes than may be read. Nothing but its connection is lost. */
export class TooManyBytesError extends Error {
  override readonly name = "TooManyBytesError";
}

/** For `new pg.Pool({ Client })`. */
export function boundedClient(maxBytes: number): new (config?: string | pg.ClientConfig) => pg.Client {
  return class BoundedClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const { connection } = this;
      let bytes = 0;
      connection.on("readyForQuery", () => (bytes = 0));
      connection.on("dataRow", ({ length }: { length: number }) => {
        bytes += length;
        if (bytes <= maxBytes) return;
        // There is no other way to stop a statement whose rows are under way; the query fails with this error.
        const { stream } = connection;
        if (stream instanceof Socket) stream.destroy(new TooManyBytesError(`more than ${maxBytes} bytes`));
      });
    }
  };
}
