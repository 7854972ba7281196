/** How somebody likes the Pipeline Details table: hidden columns, their widths and the height of rows, kept in the browser. */
import { useState } from "react";
import { z } from "zod";
import { keepInBrowser, readInBrowser } from "../../../shared/browser-storage.ts";
import { hiddenAtFirst } from "./pipeline-columns.tsx";

const KEY = "accord.pipelines.look";
const Look = z.object({
  hidden: z.array(z.string()),
  isDense: z.boolean(),
  /** Pixels by column id, of those that somebody has dragged. */
  widths: z.record(z.string(), z.number().positive()).catch({}),
});
type Look = z.output<typeof Look>;

const kept = (): Look =>
  readInBrowser(KEY, Look) ?? { hidden: hiddenAtFirst(window.innerWidth), isDense: false, widths: {} };

export function useTableLook(): [Look, (look: Look) => void] {
  const [look, setLook] = useState(kept);
  const change = (next: Look) => {
    setLook(next);
    keepInBrowser(KEY, next);
  };
  return [look, change];
}
