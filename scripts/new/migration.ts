/** `npm run new -- migration <scope>/<name>`: a migration with the next free number. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup/root.mjs";
import type { Names, Scaffold } from "./scaffold.ts";

export const MIGRATION_SCOPES = ["app", "data", "instance"] as const;
export type MigrationScope = (typeof MIGRATION_SCOPES)[number];

const FOLDER = "apps/server/migrations";

export function migrationScaffold(scope: MigrationScope, { kebab, title }: Names): Scaffold {
  return {
    files: { [`${FOLDER}/${scope}/${nextNumber()}-${kebab}.sql`]: `-- ${title}: say why.\n` },
    lines: [],
    next: [
      "Forward only, in one transaction; it has to upgrade an installation that runs. Names of `instance` ones are unqualified.",
      "A table with instance_id: a fixture in list-isolation.int.test.ts, its store in apps/server/test-kit/statement-rules.ts.",
      "npm run golden -- --update shows in schema.golden.sql what it makes.",
    ],
  };
}

/** One sequence over all scopes: an installation runs them in this order. */
function nextNumber(): string {
  const files = MIGRATION_SCOPES.flatMap((scope) => readdirSync(join(ROOT, FOLDER, scope)));
  const last = Math.max(...files.map((file) => Number.parseInt(file, 10)).filter(Number.isFinite));
  return String(last + 1).padStart(4, "0");
}
