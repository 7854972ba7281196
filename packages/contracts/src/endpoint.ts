/** How server and browser agree on one call: method, path, who may call it, what goes in and what comes out. */
import type { z } from "zod";
import type { Permission } from "./access/permissions.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * Who may call an endpoint. A permission name demands that permission in the session's current instance.
 * `public`: anyone; `signedIn`: any session; `passwordExpired`: a session that may only set a new password;
 * `shareViewer`: a session opened with a share's password or code.
 */
export type Access = Permission | "public" | "signedIn" | "passwordExpired" | "shareViewer";

/** Where the objects named by an endpoint's ids live; `instance` ones are always scoped to the session's instance. */
export type Scope = "instance" | "organisation" | "none";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Text parts of a path or query. Query values arrive as text: use `z.coerce` or codecs in their schemas. */
export interface EndpointSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Unique `operationId` in the OpenAPI document: `verbNoun`. */
  name: string;
  method: Method;
  /** Under the API prefix, with `:name` parameters. */
  path: `/${string}`;
  access: Access;
  /** A second permission that is demanded, where what is answered joins two parts of the product. */
  alsoNeeds?: Permission;
  scope: Scope;
  /** One sentence for the reference page. */
  summary: string;
  params?: Params;
  query?: Query;
  /** How the body arrives; forms are the two sign-in calls, text the predicate search. Default `json`. */
  bodyKind?: "json" | "form" | "multipart" | "text";
  body?: Body;
  reply: Reply;
  /** Error codes a caller should expect beyond the general ones. */
  errors?: readonly ErrorCode[];
  /** A POST that creates: accepts an `Idempotency-Key` header and answers a repeat with the first answer. */
  creates?: true;
}

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = Readonly<EndpointSpec<Params, Query, Body, Reply>>;

/** Declares an endpoint. The object itself is what server, browser, OpenAPI document and access tests read. */
export function endpoint<
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodUndefined,
>(spec: EndpointSpec<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return Object.freeze(spec);
}

export type AnyEndpoint = Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType>;

/** What a handler receives: everything already parsed. */
export interface ParsedInput<E extends AnyEndpoint> {
  params: z.output<NonNullable<E["params"]>>;
  query: z.output<NonNullable<E["query"]>>;
  body: z.output<NonNullable<E["body"]>>;
}

/** What a caller sends, before parsing. */
export interface CallInput<E extends AnyEndpoint> {
  params: z.input<NonNullable<E["params"]>>;
  query: z.input<NonNullable<E["query"]>>;
  body: z.input<NonNullable<E["body"]>>;
}

export type ReplyOf<E extends AnyEndpoint> = z.output<E["reply"]>;
/** What a handler returns (input side of the reply schema). */
export type ReplyInput<E extends AnyEndpoint> = z.input<E["reply"]>;
