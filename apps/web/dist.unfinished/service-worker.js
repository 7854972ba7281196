/* Registered at start-up. It holds no cache: data must never be stale, and scripts carry their hash in their names. */
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
