/** Copied nodes as JSON on the system's clipboard, so that they can be pasted in another tab; kept here too where that is forbidden. */
import { keepInBrowser, readInBrowser } from "../../../../shared/browser-storage.ts";
import { GraphGroup, GraphNode, GraphNote } from "@accord/contracts/sync/graph";
import type { Clipboard } from "@accord/sync-engine/graph";
import { z } from "zod";

const STORAGE_KEY = "accord-copied-nodes";
const KIND = "accord/pipeline-nodes";

const Copied = z.object({
  kind: z.literal(KIND),
  instanceId: z.string(),
  scope: z.enum(["entity", "field"]),
  copyNodes: GraphNode.array(),
  copyEdges: z.array(
    z.object({
      id: z.string(),
      source: z.string(),
      sourceAnchor: z.number(),
      target: z.string(),
      targetAnchor: z.number().nullable(),
      edgeType: z.string(),
    }),
  ),
  copyGroups: GraphGroup.array(),
  copyNotes: GraphNote.array().default([]),
});

export const clipboardText = (clipboard: Clipboard): string => JSON.stringify({ kind: KIND, ...clipboard }, null, 1);

/** Nodes in a text; null when it is about something else. */
export function clipboardFrom(text: string): Clipboard | null {
  try {
    const { kind: _, ...clipboard } = Copied.parse(JSON.parse(text));
    return clipboard;
  } catch {
    return null;
  }
}

/** What was copied last in this browser. */
export const keptClipboard = (): Clipboard | null => readInBrowser(STORAGE_KEY, Copied);

/** Where the storage is shut, the system's clipboard has it. */
export const keepClipboard = (text: string): void =>
  keepInBrowser(STORAGE_KEY, Copied.safeParse(JSON.parse(text)).data ?? null);

/** Writes without a key press: from a button or menu. Browsers allow it on secure pages only. */
export async function writeClipboard(text: string): Promise<void> {
  keepClipboard(text);
  await navigator.clipboard?.writeText(text).catch(() => {});
}

/** Reads for a menu; where the browser or the person forbids it, what was copied last in this browser. */
export async function readClipboard(): Promise<Clipboard | null> {
  const text = (await navigator.clipboard?.readText().catch(() => "")) ?? "";
  return clipboardFrom(text) ?? keptClipboard();
}
