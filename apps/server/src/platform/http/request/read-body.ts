/** How bodies are read: four kinds, bounded in size and depth, with nothing that could reach a prototype. */
import type { AnyEndpoint } from "@accord/contracts";
import { makeUpload } from "@accord/contracts/upload";
import { isTextTooDeep, MAX_LEVELS } from "@accord/expressions";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parse as parseSafely } from "secure-json-parse";
import { AppError } from "../app-error.ts";

export const BODY_LIMIT_BYTES = 1024 * 1024;
export const MULTIPART_LIMITS = { fields: 50, parts: 60, files: 4, fileSize: 50 * 1024 * 1024, fieldSize: 1024 * 1024 };

export type BodyKind = NonNullable<AnyEndpoint["bodyKind"]>;

const MEDIA_TYPE: Record<BodyKind, string> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain",
  multipart: "multipart/form-data",
};

/** Replaces fastify's own parsers, so that no body is read in a way we did not choose. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(MEDIA_TYPE.json, { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(MEDIA_TYPE.form, { parseAs: "string" }, (_request, text, done) => {
    done(null, parseForm(String(text)));
  });
  app.addContentTypeParser(MEDIA_TYPE.text, { parseAs: "string" }, (_request, text, done) => done(null, text));
}

/** Refuses a body of another kind than the endpoint declares, before it is read. */
export function checkMediaType(request: FastifyRequest, endpoint: AnyEndpoint): void {
  const sent = request.headers["content-type"];
  const hasBody = sent !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
  if (!hasBody) return;
  const expected = MEDIA_TYPE[endpoint.bodyKind ?? "json"];
  const type = String(sent ?? "")
    .split(";")[0]
    ?.trim()
    .toLowerCase();
  if (type !== expected) throw new AppError("unsupported_media_type", { expected });
}

/** The body as the endpoint's schema expects it. An absent JSON body counts as `{}`: a call without inputs needs none. */
export async function readBody(request: FastifyRequest, endpoint: AnyEndpoint): Promise<unknown> {
  if (!endpoint.body) {
    if (!isEmpty(request.body)) throw new AppError("malformed_body", { reason: "This call takes no body." });
    return undefined;
  }
  if (endpoint.bodyKind === "multipart") return readMultipart(request);
  if (request.body === undefined || request.body === null) return endpoint.bodyKind === "text" ? "" : {};
  return request.body;
}

function isEmpty(body: unknown): boolean {
  if (body === undefined || body === null || body === "") return true;
  return typeof body === "object" && Object.keys(body).length === 0;
}

/** @throws AppError `malformed_body`, also for `__proto__`, `constructor.prototype` and nesting deeper than 64. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  if (isTextTooDeep(text))
    throw new AppError("malformed_body", { reason: `It is nested deeper than ${MAX_LEVELS} levels.` });
  try {
    return parseSafely(text, { protoAction: "error", constructorAction: "error" });
  } catch {
    throw new AppError("malformed_body", { reason: "The body is not valid JSON." });
  }
}

/** A name that comes twice becomes a list; the schema decides whether that is allowed. */
function parseForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) addField(fields, name, value);
  return Object.fromEntries(fields);
}

async function readMultipart(request: FastifyRequest): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw new AppError("unsupported_media_type", { expected: MEDIA_TYPE.multipart });
  const fields = new Map<string, unknown>();
  for await (const part of request.parts()) {
    const value =
      part.type === "file"
        ? makeUpload({ fileName: part.filename, contentType: part.mimetype, bytes: await part.toBuffer() })
        : String(part.value);
    addField(fields, part.fieldname, value);
  }
  return Object.fromEntries(fields);
}

function addField(fields: Map<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__" || name === "constructor" || name === "prototype") {
    throw new AppError("malformed_body", { reason: `A field may not be named ${name}.` });
  }
  const before = fields.get(name);
  fields.set(name, before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]);
}
