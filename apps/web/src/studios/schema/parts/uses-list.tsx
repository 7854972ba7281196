/** What still uses a field or entity, with where to find it. */
import { SchemaUse } from "@accord/contracts/data/core-schema";
import { Link } from "@tanstack/react-router";
import { z } from "zod";
import { ApiError } from "../../../app/api-error.ts";

const Details = z.object({ uses: z.array(SchemaUse) });

/** The uses that a refusal names; none for any other error. */
export function usesIn(error: unknown): readonly SchemaUse[] {
  if (!(error instanceof ApiError) || error.code !== "in_use") return [];
  const parsed = Details.safeParse(error.details);
  return parsed.success ? parsed.data.uses : [];
}

export function UsesList({ uses }: { uses: readonly SchemaUse[] }) {
  if (uses.length === 0) return null;
  return (
    <ul>
      {uses.map((use) => (
        <li key={`${use.kind} ${use.name}`}>
          {use.href ? (
            <Link to={use.href as string} className="ac-link">
              {use.name}
            </Link>
          ) : (
            use.name
          )}
        </li>
      ))}
    </ul>
  );
}
