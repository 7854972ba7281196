/** Why PostgreSQL could not be started, in words for the person who starts the server. */

export class PostgresStartError extends Error {
  override name = "PostgresStartError";
}
