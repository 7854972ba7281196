/** How somebody likes the Pipeline Details table: hidden columns and the height of its rows, kept in the browser. */
import { useState } from "react";
import { z } from "zod";
import { hiddenAtFirst } from "./pipeline-columns.tsx";

const KEY = "accord.pipelines.look";
const Look = z.object({ hidden: z.array(z.string()), isDense: z.boolean() });
type Look = z.output<typeof Look>;

function kept(): Look {
  try {
    return Look.parse(JSON.parse(localStorage.getItem(KEY) ?? ""));
  } catch {
    return { hidden: hiddenAtFirst(window.innerWidth), isDense: false };
  }
}

export function useTableLook(): [Look, (look: Look) => void] {
  const [look, setLook] = useState(kept);
  const change = (next: Look) => {
    setLook(next);
    localStorage.setItem(KEY, JSON.stringify(next));
  };
  return [look, change];
}
