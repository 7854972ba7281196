/** The one error type connectors throw, classified so that the engine knows what to do and the person what to fix. */
export const CONNECTOR_ERROR_KINDS = [
  "authentication",
  "permission",
  "notFound",
  "rateLimited",
  "unreachable",
  "timeout",
  "certificate",
  "unavailable",
  "configuration",
  "schemaChanged",
  "invalidRequest",
  "outboundRefused",
  "unexpected",
] as const;
export type ConnectorErrorKind = (typeof CONNECTOR_ERROR_KINDS)[number];

/** Kinds after which trying again later makes sense without anybody changing anything. */
const RETRYABLE: ReadonlySet<ConnectorErrorKind> = new Set([
  "rateLimited",
  "unreachable",
  "timeout",
  "unavailable",
  "unexpected",
]);

export class ConnectorError extends Error {
  override readonly name = "ConnectorError";
  readonly kind: ConnectorErrorKind;
  /** What the person should do, in one sentence. */
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** The request surely never reached the system: a write did not happen. */
  readonly neverSent: boolean;
  /** With `schemaChanged`: a field of an entity is gone that is otherwise there. Its schema shows which. */
  readonly isFieldGone: boolean;

  constructor(
    kind: ConnectorErrorKind,
    message: string,
    options: { hint?: string; retryAfterMs?: number; neverSent?: boolean; isFieldGone?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
    this.isFieldGone = options.isFieldGone ?? false;
    this.neverSent = options.neverSent ?? (kind === "outboundRefused" || kind === "certificate");
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}
