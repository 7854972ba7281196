/** Builds the browser app; in development serves it with the API of a running server behind it. */
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = `http://127.0.0.1:${process.env["ACCORD_SERVER_PORT"] ?? "3000"}`;

/**
 * The order of the style layers is decided by whichever file names them first, and chunks arrive in any order: so each
 * file says it at its head.
 */
const layerOrder: Plugin = {
  name: "layer-order",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === "asset" && file.fileName.endsWith(".css"))
        file.source = `@layer mantine,accord;${String(file.source)}`;
  },
};

export default defineConfig(({ command }) => ({
  plugins: [react(), layerOrder],
  // The server puts a fresh nonce in place of this word on each answer; in development nobody would.
  html: command === "build" ? { cspNonce: "__ACCORD_CSP_NONCE__" } : {},
  server: {
    host: "127.0.0.1",
    port: Number(process.env["ACCORD_WEB_PORT"] ?? "5173"),
    strictPort: true,
    proxy: { "/api": { target: server, ws: true } },
  },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A browser takes as long for a hundred small scripts as for all that is in them. What the page needs before any
        // screen is one script, and so is what most screens share; icons are too small to be asked for one by one.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
            { name: "frame", tags: ["$initial"], priority: 3 },
            { name: "common", minShareCount: 10, includeDependenciesRecursively: false, priority: 2 },
            {
              name: "icons",
              test: /node_modules\/@tabler\//,
              minShareCount: 2,
              includeDependenciesRecursively: false,
              priority: 1,
            },
          ],
        },
      },
    },
  },
}));
