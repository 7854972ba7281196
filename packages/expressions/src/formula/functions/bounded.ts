/** A number held between bounds in SQL; null stays null, unlike with greatest and least. */
import { sql, type SqlFragment } from "../../sql/fragment.ts";

export const bounded = (value: SqlFragment, least: number, most: number): SqlFragment =>
  sql`(CASE WHEN ${value} < ${least}::bigint THEN ${least}::bigint WHEN ${value} > ${most}::bigint THEN ${most}::bigint ELSE ${value} END)`;
