/** The component types that are supported. Each stands in one table, by what it becomes. */
import { AUTHENTICATORS, SESSION_AUTHENTICATORS } from "./requests/authenticators.ts";
import { REQUEST_BODIES } from "./requests/bodies.ts";
import { REQUEST_OPTIONS, REQUEST_PATHS } from "./requests/options.ts";
import { REQUESTERS } from "./requests/requester.ts";
import { BACKOFFS } from "./answers/backoffs.ts";
import { DECODERS } from "./answers/decoders.ts";
import { ERROR_HANDLERS, RESPONSE_FILTERS } from "./answers/errors.ts";
import { EXTRACTORS, RECORD_FILTERS, SELECTORS } from "./answers/selection.ts";
import { ADDED_FIELDS, TRANSFORMATIONS } from "./answers/transformations.ts";
import type { Component } from "./component.ts";
import type { Families } from "./model.ts";
import { PAGE_STRATEGIES, PAGINATORS } from "./slices/pagination.ts";
import { PARENTS, ROUTERS } from "./slices/partitions.ts";
import { MOMENTS, TIME_CURSORS } from "./slices/time-cursor.ts";
import { RETRIEVERS, SCHEMA_LOADERS, STREAMS } from "./streams.ts";

const TABLES: { readonly [Family in keyof Families]: readonly Component<Family>[] } = {
  stream: STREAMS,
  retriever: RETRIEVERS,
  requester: REQUESTERS,
  authenticator: AUTHENTICATORS,
  sessionAuthenticator: SESSION_AUTHENTICATORS,
  requestOption: REQUEST_OPTIONS,
  requestPath: REQUEST_PATHS,
  errorHandler: ERROR_HANDLERS,
  responseFilter: RESPONSE_FILTERS,
  backoff: BACKOFFS,
  decoder: DECODERS,
  paginator: PAGINATORS,
  pageStrategy: PAGE_STRATEGIES,
  selector: SELECTORS,
  extractor: EXTRACTORS,
  recordFilter: RECORD_FILTERS,
  transformation: TRANSFORMATIONS,
  addedField: ADDED_FIELDS,
  router: ROUTERS,
  parent: PARENTS,
  timeCursor: TIME_CURSORS,
  moment: MOMENTS,
  schemaLoader: SCHEMA_LOADERS,
  requestBody: REQUEST_BODIES,
};

export const findComponent = <Family extends keyof Families>(
  family: Family,
  type: string,
): Component<Family> | undefined => TABLES[family].find((component) => component.type === type);

type Described = Pick<Component<keyof Families>, "type" | "slots" | "refuses" | "optionNames">;

/** What a manifest itself is made of: read by the runtime, built into nothing. */
const OF_THE_MANIFEST: readonly Described[] = [
  { type: "DeclarativeSource", slots: {}, refuses: [], optionNames: [] },
  { type: "Spec", slots: {}, refuses: [], optionNames: [] },
  { type: "CheckStream", slots: {}, refuses: [], optionNames: [] },
];

const DESCRIBED: ReadonlyMap<string, Described> = new Map(
  [...OF_THE_MANIFEST, ...Object.values(TABLES).flatMap((table): readonly Described[] => table)].map((one) => [
    one.type,
    one,
  ]),
);

/** Slots, refused options and option names of a type; undefined where it is not supported. */
export const describedType = (type: string): Described | undefined => DESCRIBED.get(type);

export const SUPPORTED_TYPES: readonly string[] = [...DESCRIBED.keys()].sort();
