/** Members of objects and items of lists by a path such as `address.city` or `items[0].price`. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import { readPath } from "@accord/expressions";
import { z } from "zod";

export { valueAtPath as valueAt } from "@accord/expressions";

export const pathSetting = z
  .string()
  .max(500, fill(nodeSettings.charactersAtMost, { limit: 500 }))
  .transform((text, context) => {
    const path = readPath(text);
    if (path) return path;
    context.addIssue({ code: "custom", message: nodeSettings.valuePath });
    return z.NEVER;
  });
