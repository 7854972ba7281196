/** How one entity of a JSON API is described: where its records are listed, found, created, changed and deleted. */
import { z } from "zod";
import { TimeZone } from "../config/time-zone.ts";
import { FieldSchema } from "../data/schema.ts";

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export const HttpMethod = z.enum(HTTP_METHODS);
export type HttpMethod = z.infer<typeof HttpMethod>;

/** A path below the base address. `{{id}}`, `{{value}}`, `{{page}}`, `{{watermark.start}}` … are filled in. */
const Path = z.string().trim().min(1, "enter a path, e.g. /companies").max(8000);
/** A path into JSON: `data.items`, `meta["next cursor"]`; empty: the whole value. */
const Selector = z.string().trim().max(500).default("");
const Text = z.string().max(20_000);

export const HttpHeader = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "is not a header name"),
  value: z
    .string()
    .max(4000)
    .regex(/^[^\r\n]*$/, "must be one line"),
});
export type HttpHeader = z.infer<typeof HttpHeader>;

const Call = z.strictObject({
  method: HttpMethod.default("GET"),
  path: Path,
  headers: z.array(HttpHeader).max(50).default([]),
  /** JSON with placeholders. Empty: no body when reading; the record itself when writing. */
  body: Text.default(""),
});

const param = z.string().trim().max(100);
const size = z.coerce.number().int().min(1).max(10_000);

export const HttpPaging = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("none") }),
  z.strictObject({
    kind: z.literal("page"),
    pageParam: param.default("page"),
    firstPage: z.coerce.number().int().min(0).max(1).default(1),
    sizeParam: param.default(""),
    size: size.default(100),
    /** Each page is read again after the next one, for records that slid over the seam between the two. */
    readAgain: z.boolean().default(true),
  }),
  z.strictObject({
    kind: z.literal("offset"),
    offsetParam: param.default("offset"),
    limitParam: param.default("limit"),
    size: size.default(100),
  }),
  z.strictObject({
    kind: z.literal("cursor"),
    cursorSelector: z.string().trim().min(1, "where is the next cursor in the answer?").max(500),
    cursorParam: param.default("cursor"),
    sizeParam: param.default(""),
    size: size.default(100),
  }),
  z.strictObject({
    kind: z.literal("nextLink"),
    linkSelector: z.string().trim().min(1, "where is the next address in the answer?").max(500),
    sizeParam: param.default(""),
    size: size.default(100),
  }),
  z.strictObject({ kind: z.literal("linkHeader"), sizeParam: param.default(""), size: size.default(100) }),
  /** The next page is asked for with the id of the last record of this one. */
  z.strictObject({
    kind: z.literal("lastRecord"),
    /** Empty when a placeholder `{{cursor}}` carries the id. */
    param: param.default("starting_after"),
    sizeParam: param.default(""),
    size: size.default(100),
  }),
]);
export type HttpPaging = z.output<typeof HttpPaging>;
export const HTTP_PAGING_KINDS = ["none", "page", "offset", "cursor", "nextLink", "linkHeader", "lastRecord"] as const;

/** `isoSeconds`: ISO 8601 without fractions, for query languages that know none. */
export const WATERMARK_FORMATS = ["iso", "isoSeconds", "date", "epochSeconds", "epochMilliseconds"] as const;

/** How the API is asked for what changed since a moment. Without it each pass reads everything and compares. */
export const HttpWatermark = z.strictObject({
  /** Query parameter; empty when a placeholder `{{watermark.start}}` carries it. */
  param: param.default(""),
  untilParam: param.default(""),
  format: z.enum(WATERMARK_FORMATS).default("iso"),
  /** Records come oldest change first: then reading goes on from the last time stamp instead of page numbers. */
  sorted: z.boolean().default(false),
  /** Seconds read again, for changes that became visible late. */
  overlapSeconds: z.coerce.number().int().min(0).max(86_400).default(30),
});

export const HttpStopRules = z.strictObject({
  /**
   * Numbered pages and offsets: a page with fewer records than an earlier one is the last, unless total or hasMore tell
   * otherwise; else the first page without records is.
   */
  shortPage: z.boolean().default(true),
  /** Where the answer tells how many records there are, or whether more follow. */
  totalSelector: Selector,
  hasMoreSelector: Selector,
  /** Where the answer says that this was the end, for lists that always name a next place: true ends the list. */
  endSelector: Selector,
  maxPages: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  /** As many records as one search ever shows. Sorted by change it goes on from the last time stamp, else it fails there. */
  maxRecords: z.coerce.number().int().min(1).max(10_000_000).nullish(),
});

const PagedCall = Call.extend({
  recordSelector: Selector,
  paging: HttpPaging.default({ kind: "none" }),
  stop: HttpStopRules.prefault({}),
  /** Members of the body that are one placeholder alone are left out where it comes to nothing; null is sent otherwise. */
  leavesOutBlank: z.boolean().default(false),
});

export const HttpList = PagedCall.extend({
  watermark: HttpWatermark.nullish(),
  /**
   * Asked instead of the list when only changes are wanted: a search, an export. The watermark is about this call then,
   * and the list itself is read without a moment and in whatever order.
   */
  changes: PagedCall.extend({ leavesOutBlank: z.boolean().default(true) }).nullish(),
  /** What has a value there, other than false, is no record of this entity: it only counts for the paging. */
  leaveOutSelector: Selector,
  /** Pages fetched before the one ahead of them is stored (page and offset paging only). */
  pagesAhead: z.coerce.number().int().min(0).max(8).default(0),
});

const Found = Call.extend({ recordSelector: Selector });
const Written = Call.extend({
  /** Where the record goes in the body, beside what the body says itself. Empty: the body says it all; without one the record is sent bare. */
  recordPath: Selector,
  /** Where the answer holds the record, and its id when it does not hold the whole record. */
  recordSelector: Selector,
  idSelector: Selector,
});

/** The API compares no version when a record is deleted: it is read and compared right before that instead. */
const ignoredByDelete = z.boolean().default(false);

/**
 * How the API makes a write depend on the version of the record that was read right before. Without it a record that
 * can be read alone is compared before it is written, which leaves the time between the two calls.
 */
export const HttpConcurrency = z.discriminatedUnion("kind", [
  /** The single read's `ETag` goes back as `If-Match`. */
  z.strictObject({ kind: z.literal("etag"), ignoredByDelete }),
  /** A field that changes with each write goes back with the next one, which the API refuses when it is outdated. */
  z.strictObject({
    kind: z.literal("versionField"),
    /** Api name of the field. */
    field: z.string().trim().min(1, "choose the field that holds the version").max(200),
    sendAs: z.enum(["body", "query", "header"]).default("body"),
    /** A time in whole seconds or the like: changes that follow each other at once have the same version. */
    isCoarse: z.boolean().default(false),
    /** A time that is sent as headers spell it (`Sun, 06 Nov 1994 08:49:37 GMT`), as in `If-Unmodified-Since`: whole seconds, so coarse. */
    asHttpDate: z.boolean().default(false),
    ignoredByDelete,
    /** Path in the body, or name of the parameter or header. Empty: as the record has it. */
    name: param.default(""),
  }),
]);
export type HttpConcurrency = z.output<typeof HttpConcurrency>;
export const HTTP_CONCURRENCY_KINDS = ["etag", "versionField"] as const;

export const HttpField = FieldSchema.extend({
  /** Where the value is in a record; the api name itself when empty. */
  path: Selector,
  /** Where it goes in a record that is sent; where it is read when empty. */
  writePath: Selector,
  /** Where nothing goes when it is cleared, as the object that the value stands in; where it is sent when empty. */
  clearPath: Selector,
  /** JSON around the value that is sent, as `{"name": "{{value}}"}`; each of several values is put in it. Empty: the value itself. */
  sentAs: z.string().max(2000).default(""),
  /** The API has the text as a list of parts of so many characters at most: they are put together when read, and sent as such a list. */
  partLength: z.int().min(1).max(1_000_000).nullish(),
  /** Where a record says that there is more of the value than it shows: what is shown is not taken for the value then. */
  moreSelector: Selector,
});
export type HttpField = z.output<typeof HttpField>;

/** JSON, or `application/x-www-form-urlencoded` with nested members as `address[city]=…`. */
export const HTTP_BODY_FORMATS = ["json", "form"] as const;

export const HttpEntityConfig = z.strictObject({
  apiName: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9_-]{0,99}$/, "must start with a letter and hold only letters, digits, _ and -"),
  displayName: z.string().trim().min(1, "give it a name").max(120),
  fields: z.array(HttpField).max(1000).default([]),
  /** Api names of fields. */
  idField: z.string().trim().min(1, "choose the field that identifies a record").max(200),
  watermarkField: z.string().max(200).nullish(),
  deletedField: z.string().max(200).nullish(),
  /** Empty: any value other than false, 0 and nothing means deleted. */
  deletedValue: z.string().max(200).default(""),
  /** Where clocks show the times that the API tells without a zone: those of change, and from which it is asked for changes. */
  timeZone: TimeZone.default("UTC"),
  /** The API leaves out fields that are empty: one that a record lacks is blank, not unknown. */
  leavesOutEmpty: z.boolean().default(false),
  /** A value that is cleared is sent as an empty text, and such a text is read as nothing: the API knows no other blank. */
  blankAsText: z.boolean().default(false),
  /** A record that is missing from the complete list has been deleted. */
  missingMeansDeleted: z.boolean().default(false),
  list: HttpList,
  getById: Found.nullish(),
  lookup: Found.extend({ field: z.string().max(200) }).nullish(),
  /** How what is written is sent. */
  bodyFormat: z.enum(HTTP_BODY_FORMATS).default("json"),
  create: Written.extend({ idempotencyHeader: z.string().trim().max(100).default("") }).nullish(),
  update: Written.nullish(),
  delete: Call.nullish(),
  concurrency: HttpConcurrency.nullish(),
  /** The API stores values exactly as they are sent: a write without an answer need not be read back. */
  storedAsSent: z.boolean().default(false),
});
export type HttpEntityConfig = z.output<typeof HttpEntityConfig>;
export type HttpEntityInput = z.input<typeof HttpEntityConfig>;
