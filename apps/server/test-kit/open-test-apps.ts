/** Servers that a test file has opened, to be closed when it ends: workers go on with the next file. */
export const openTestApps = new Set<() => Promise<void>>();
