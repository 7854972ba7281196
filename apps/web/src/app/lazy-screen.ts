/**
 * Loads a screen's chunk when its route is first opened. A failed load is tried again up to 45 times, 2 s apart (the
 * count survives in session storage); then the page reloads once; then the error is raised.
 */
import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";

export const MAX_TRIES = 45;
export const WAIT_MS = 2_000;
const COUNT_KEY = "accord-chunk-tries";
const RELOADED_KEY = "accord-chunk-reloaded";

/** What the rule needs from the browser; a test gives its own. */
export interface ChunkHost {
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  wait: (ms: number) => Promise<void>;
  reload: () => void;
}

const browserHost = (): ChunkHost => ({
  storage: sessionStorage,
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  reload: () => location.reload(),
});

/** Marks an error as a chunk that could not be loaded, for the error screen. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
}

export async function loadChunk<Module>(load: () => Promise<Module>, host = browserHost()): Promise<Module> {
  for (;;) {
    try {
      const loaded = await load();
      host.storage.removeItem(COUNT_KEY);
      host.storage.removeItem(RELOADED_KEY);
      return loaded;
    } catch (error) {
      const tries = Number(host.storage.getItem(COUNT_KEY) ?? "0") + 1;
      if (tries > MAX_TRIES) {
        host.storage.removeItem(COUNT_KEY);
        if (host.storage.getItem(RELOADED_KEY) === null) {
          host.storage.setItem(RELOADED_KEY, "1");
          host.reload();
          return new Promise<never>(() => {});
        }
        throw new ChunkLoadError("A part of the page could not be loaded", { cause: error });
      }
      host.storage.setItem(COUNT_KEY, String(tries));
      await host.wait(WAIT_MS);
    }
  }
}

const LONGEST_WAIT_MS = 60_000;

/**
 * Loads what screens can do without for a while: tried again until it comes, after pauses that grow. The page is never
 * reloaded for it, so that nothing is lost that somebody types meanwhile.
 */
export async function loadUntilThere<Module>(
  load: () => Promise<Module>,
  { wait }: Pick<ChunkHost, "wait"> = browserHost(),
): Promise<Module> {
  for (let pause = WAIT_MS; ; pause = Math.min(LONGEST_WAIT_MS, pause * 2)) {
    try {
      return await load();
    } catch {
      await wait(pause);
    }
  }
}

/** `component: lazyScreen(() => import("./records-screen.tsx"), "RecordsScreen")` */
export function lazyScreen<Name extends string>(load: () => Promise<{ [name in Name]: ComponentType }>, name: Name) {
  return lazyRouteComponent<{ [name in Name]: ComponentType }, Name>(() => loadChunk(load), name);
}
