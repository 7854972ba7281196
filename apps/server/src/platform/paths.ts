/** Whether one path lies below another: folders that must not hold each other. */
import { isAbsolute, relative } from "node:path";

/** Whether `inner` is `outer` or lies below it. Both are absolute; symbolic links are the caller's to resolve. */
export function isWithin(outer: string, inner: string): boolean {
  const way = relative(outer, inner);
  // Another drive is answered as an absolute path.
  return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way);
}
