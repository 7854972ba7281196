/** The OpenAPI 3.1 document of the API, made from the same endpoint objects that the server serves. */
import { API_PREFIX, CSRF, ERROR_STATUS, PRODUCT, type AnyEndpoint, type ErrorCode } from "@accord/contracts";
import { errors as words } from "@accord/contracts/messages/en/errors";
import { z } from "zod";

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> } & Json;
}

export interface Operation extends Json {
  operationId: string;
  summary: string;
  /** Permission or `public`, `signedIn`, … */
  "x-access": string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}

export interface Parameter extends Json {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  schema: Json;
}

const MEDIA_TYPE = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain",
  multipart: "multipart/form-data",
} as const;

export function openApiDocument(
  endpoints: readonly AnyEndpoint[],
  { baseUrl, cookieName }: { baseUrl: string; cookieName: string },
): OpenApiDocument {
  const schemas: Record<string, Json> = { Error: errorSchema() };
  const paths: OpenApiDocument["paths"] = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${PRODUCT.name} API`,
      version: PRODUCT.version,
      description:
        `Sign in with POST ${API_PREFIX}/authenticate. Every write carries the anti-forgery token of the session in the ` +
        `header ${CSRF.header}; GET ${API_PREFIX}/authenticate sets it as cookie ${CSRF.cookie}. Calls that create accept an ` +
        "Idempotency-Key: a repeat within 24 hours is answered as the first one was.",
    },
    servers: [{ url: `${baseUrl}${API_PREFIX}` }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: cookieName },
        antiForgery: { type: "apiKey", in: "header", name: CSRF.header },
        share: { type: "apiKey", in: "cookie", name: "accord_share" },
      },
    },
  };
}

function operation(endpoint: AnyEndpoint, schemas: Record<string, Json>): Operation {
  const hoist = (part: string, schema: z.ZodType, io: "input" | "output") =>
    toSchema(`${endpoint.name}${part}`, schema, io, schemas);
  const kind = endpoint.bodyKind ?? "json";
  const body = endpoint.body && {
    required: true,
    content: { [MEDIA_TYPE[kind]]: { schema: hoist("Body", endpoint.body, "input") } },
  };
  return {
    operationId: endpoint.name,
    summary: endpoint.summary,
    "x-access": endpoint.access,
    ...(endpoint.alsoNeeds ? { "x-also-needs": endpoint.alsoNeeds } : {}),
    tags: [tagOf(endpoint)],
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf("path", endpoint.params, endpoint),
      ...parametersOf("query", endpoint.query, endpoint),
      ...(endpoint.creates ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: {
      "200": {
        description: "Done",
        content: { "application/json": { schema: hoist("Reply", endpoint.reply, "output") } },
      },
      ...errorResponses(endpoint),
    },
  };
}

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", minLength: 8, maxLength: 200 },
};

const tagOf = (endpoint: AnyEndpoint) => endpoint.path.split("/")[1] ?? "general";

function securityOf({ access, method }: AnyEndpoint): Json[] {
  const forgery = method === "GET" ? {} : { antiForgery: [] };
  if (access === "public") return [forgery];
  return [access === "shareViewer" ? { share: [], ...forgery } : { session: [], ...forgery }];
}

function parametersOf(place: "path" | "query", schema: z.ZodType | undefined, endpoint: AnyEndpoint): Parameter[] {
  if (!schema) return [];
  const json = jsonSchema(schema, "input");
  const properties = (json["properties"] ?? {}) as Record<string, Json>;
  const required = new Set((json["required"] ?? []) as string[]);
  const parameters = Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    schema: of,
  }));
  if (JSON.stringify(parameters).includes('"$ref"'))
    throw new Error(`${endpoint.name}: a parameter can't refer to itself`);
  return parameters;
}

/** A schema that refers to itself gets a place of its own, because its references are counted from there. */
function toSchema(name: string, schema: z.ZodType, io: "input" | "output", schemas: Record<string, Json>): Json {
  const json = jsonSchema(schema, io);
  const text = JSON.stringify(json);
  if (!text.includes('"$ref"')) return json;
  const at = `#/components/schemas/${name}`;
  schemas[name] = JSON.parse(text, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" && value.startsWith("#") ? at + value.slice(1) : value,
  ) as Json;
  return { $ref: at };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  }) as Json;
  return json;
}

/** By status, with the codes and words of each. */
function errorResponses(endpoint: AnyEndpoint): Record<string, Json> {
  const general: ErrorCode[] = [
    ...((endpoint.params ?? endpoint.query ?? endpoint.body) ? (["validation_failed"] as const) : []),
    ...(endpoint.access === "public"
      ? []
      : endpoint.access === "shareViewer"
        ? (["share_password_required"] as const)
        : (["not_signed_in"] as const)),
    ...(/^[A-Z]/.test(endpoint.access) ? (["forbidden"] as const) : []),
    ...(endpoint.params ? (["not_found"] as const) : []),
    ...(endpoint.method === "GET" ? [] : (["forgery_check_failed"] as const)),
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...general, ...(endpoint.errors ?? [])])) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${words[code].message}`).join("\n\n"),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function errorSchema(): Json {
  return {
    type: "object",
    required: ["message", "status", "code"],
    properties: {
      message: { type: "string", description: "What happened, in words for people." },
      description: { type: "string", description: "What to do about it." },
      errors: {
        type: "array",
        description: "Problems with single fields of what was sent.",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: {
            path: { type: "string", description: "Dotted: `fields.0.apiName`." },
            message: { type: "string" },
          },
        },
      },
      status: { type: "integer" },
      code: { type: "string", enum: Object.keys(ERROR_STATUS) },
      requestId: { type: "string", description: "Also in the server's log." },
      details: { type: "object", description: "Facts that belong to the code." },
    },
  };
}
