/** What PostgreSQL itself said about a statement, for those who answer it and run no SQL. */
import pg, { type DatabaseError } from "pg";

export type { DatabaseError };

export const isDatabaseError = (error: unknown): error is DatabaseError => error instanceof pg.DatabaseError;
