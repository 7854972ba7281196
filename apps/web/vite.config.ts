/** Builds the browser app; in development serves it with the API of a running server behind it. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://127.0.0.1:${process.env["ACCORD_SERVER_PORT"] ?? "3000"}`;

export default defineConfig(({ command }) => ({
  plugins: [react()],
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
  },
}));
