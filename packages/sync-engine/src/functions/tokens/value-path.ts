/** Members of objects and items of lists by a path such as `address.city` or `items[0].price`. */
import { readPath } from "@accord/expressions";
import { z } from "zod";

export { valueAtPath as valueAt } from "@accord/expressions";

export const pathSetting = z
  .string()
  .max(500, "may have 500 characters at most")
  .transform((text, context) => {
    const path = readPath(text);
    if (path) return path;
    context.addIssue({ code: "custom", message: "is no path; write one like address.city or items[0].price" });
    return z.NEVER;
  });
