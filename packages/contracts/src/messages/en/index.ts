/** Every word catalogue of the English locale by namespace. A new area adds its file and one line here. */
import { errors } from "./errors.ts";
import { shell } from "./shell.ts";

export const en = { errors, shell } as const;
