/** Where the project stands on this machine. */
import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../..");
