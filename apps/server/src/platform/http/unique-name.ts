/** Storing something by a name that is taken once: the database judges, whoever else stores at the same moment. */
import { AppError } from "./app-error.ts";

/** PostgreSQL's unique_violation. */
const UNIQUE_VIOLATION = "23505";

/** What `store` answers. Throws `name_taken` where another one has the name; `field`: the input that holds it. */
export async function uniqueName<Result>(name: string, store: () => Promise<Result>, field?: string): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
    if (!isTaken) throw error;
    const errors = field === undefined ? [] : [{ path: field, message: "is already taken" }];
    throw new AppError("name_taken", { name }, { errors });
  }
}
