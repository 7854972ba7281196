/** An answer that sends the browser on to one of our own pages. */
export class Redirect {
  /** Path and query, on this server. */
  readonly path: string;

  /** @throws Error for anything that a browser could take for another server's address. */
  constructor(path: string) {
    if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) throw new Error("This is not a path on this server.");
    this.path = path;
  }
}
