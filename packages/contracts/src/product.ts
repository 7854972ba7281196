/** The product's name and code name, in the one place everything else derives them from. */
export const PRODUCT = { name: "Accord", code: "accord", version: "0.1.0" } as const;

/** Every API path sits under this prefix. */
export const API_PREFIX = "/api/v1";

/** Path of the message stream (socket). */
export const STREAM_PATH = "/api/v1/message-stream";

/** Anti-forgery: the page carries the token in a meta tag and a readable cookie; every write sends it back in the header. */
export const CSRF = { cookie: "accord_csrf", meta: "csrf-token", header: "x-csrf-token" } as const;
