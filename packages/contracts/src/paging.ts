/** Cursor paging, the same in every list. */
import { z } from "zod";

/** `count` or `pageSize` as each specification section names it. */
export const cursorQuery = (options: { count: number; max: number }) =>
  z.strictObject({
    cursor: z.string().max(500).optional(),
    count: z.coerce.number().int().min(1).max(options.max).default(options.count),
    direction: z.enum(["next", "previous"]).default("next"),
  });

export const PageInfo = z.strictObject({
  nextCursor: z.string().nullable(),
  previousCursor: z.string().nullable(),
});
export type PageInfo = z.infer<typeof PageInfo>;
