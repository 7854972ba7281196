/**
 * JavaScript that a browser loads before a screen shows, gzipped: the frame that every screen needs, and what some
 * screens add to it, beside React alone, which none can do without.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Manifest } from "vite";
import { peakRssMb, type Measure } from "../setup/measurement.ts";
import { ROOT } from "../setup/root.mjs";

const WEB = join(ROOT, "apps/web");
const FRAME = "index.html";
const SCREENS = {
  "signed in": "src/frame/shell/shell.tsx",
  home: "src/studios/home/home-screen.tsx",
  pipelines: "src/studios/sync/pipelines/pipelines-screen.tsx",
  editor: "src/studios/sync/pipeline-editor/editor-screen.tsx",
  records: "src/studios/data/records-screen.tsx",
  dashboard: "src/studios/insights/dashboards/dashboard-screen.tsx",
} as const;

export const measure: Measure = async (_words, say) => {
  const outDir = mkdtempSync(join(tmpdir(), "accord-bench-web-"));
  try {
    say("  building the browser app");
    await build({
      root: WEB,
      configFile: join(WEB, "vite.config.ts"),
      logLevel: "error",
      build: { outDir, emptyOutDir: true, manifest: true },
    });
    const manifest = JSON.parse(readFileSync(join(outDir, ".vite/manifest.json"), "utf8")) as Manifest;
    const sizeOf = (chunks: Iterable<string>): number =>
      [...chunks].reduce((sum, chunk) => sum + gzippedKb(join(outDir, manifest[chunk]?.file ?? "")), 0);
    const limit = sizeOf(Object.keys(manifest).filter((chunk) => manifest[chunk]?.name === "react"));
    const frame = loadedWith(manifest, FRAME);
    const measured = [{ name: "web: frame (React alone)", ours: sizeOf(frame) }];
    for (const [name, file] of Object.entries(SCREENS)) {
      const own = [...loadedWith(manifest, file)].filter((chunk) => !frame.has(chunk));
      measured.push({ name: `web: ${name}, beside the frame (React alone)`, ours: sizeOf(own) });
    }
    return measured.map((row) => ({ ...row, limit, unit: "kB gzipped", better: "less", rssMb: peakRssMb() }));
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
};

const gzippedKb = (file: string): number => gzipSync(readFileSync(file)).length / 1_000;

/** A chunk and all that it imports before it runs. Throws where the build has no such chunk. */
function loadedWith(manifest: Manifest, chunk: string, loaded = new Set<string>()): Set<string> {
  const found = manifest[chunk];
  if (!found) throw new Error(`The browser app has no chunk ${chunk}.`);
  if (loaded.has(chunk)) return loaded;
  loaded.add(chunk);
  for (const imported of found.imports ?? []) loadedWith(manifest, imported, loaded);
  return loaded;
}
