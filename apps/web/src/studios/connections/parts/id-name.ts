/** The name of a field as people read it: an id of several columns is called by a JSON list of them. */
import { z } from "zod";

const Columns = z.array(z.string()).min(1);

/** `["order_id","line_no"]` → `order_id + line_no`; every other name as it is. */
export function idName(apiName: string): string {
  if (!apiName.startsWith("[")) return apiName;
  try {
    const columns = Columns.safeParse(JSON.parse(apiName));
    return columns.success ? columns.data.join(" + ") : apiName;
  } catch {
    return apiName;
  }
}
