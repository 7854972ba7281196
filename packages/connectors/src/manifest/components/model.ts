/** What the components of a stream are once it is built, and the world they work in. */
import type { ConnectorError, TokenKeeper } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import type { Moment } from "../template/moments.ts";
import type { HeaderFacts } from "./answers/header-facts.ts";
import type { ComponentNode } from "./node.ts";

/** An answer as it came. */
export interface RawAnswer {
  status: number;
  ok: boolean;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** `host:port`, for messages. */
  place: string;
}

/** A request that is being put together. */
export interface Draft {
  method: string;
  url: URL;
  parameters: [string, string][];
  headers: Record<string, string>;
  secretHeaders: Set<string>;
  /** Credentials that came from the system, wherever they are put. */
  secretValues: Set<string>;
  /** Credentials stand somewhere in it. */
  isSecret: boolean;
  form: Record<string, Value>;
  json: Record<string, Value>;
  /** A body that is text. */
  text: string | null;
}

/** What of a stream is read: a partition, an interval of time, or all there is. */
export interface Slice {
  partition: Values;
  interval: Values;
  extra: Values;
}
export const WHOLE: Slice = { partition: {}, interval: {}, extra: {} };

/** What templates may name beside `config` and `parameters`. */
export interface Facts {
  slice?: Slice;
  token?: Value;
  response?: Value;
  headers?: HeaderFacts;
  record?: Value;
  /** A value that is looked at by itself. */
  property?: Value;
  lastRecord?: Value;
  lastPageSize?: number;
}

export interface BoundTemplate {
  source: string;
  text(facts?: Facts): string;
  value(facts?: Facts): Value;
  isTrue(facts?: Facts): boolean;
}

/** What a stream is built with. */
export interface Build {
  readonly stream: string;
  readonly config: Values;
  /** The parameters in force at the component that is built. */
  readonly parameters: Values;
  readonly runtime: Runtime;
  make<Family extends keyof Families>(family: Family, node: ComponentNode): Families[Family];
  template(source: string): BoundTemplate;
  /** Each text in a value is a template; `evaluate` reads one. What comes to nothing is left out. */
  structure(value: Value, evaluate: (template: BoundTemplate, facts: Facts) => Value): (facts: Facts) => Value;
  /** A configuration error that names the stream. */
  problem(sentence: string): ConnectorError;
  /** The origin of an address, kept as one that this manifest may call. */
  origin(address: string, what: string): void;
}

export interface Runtime {
  now(): Date;
  signal: AbortSignal;
  /** Sends once; the answer whatever its status. Refuses origins the manifest does not name. */
  exchange(draft: Draft, signal?: AbortSignal): Promise<RawAnswer>;
  /** Reads a page of another stream, as a parent of partitions. */
  parentPage(stream: ComponentNode, cursor: Value, signal?: AbortSignal): Promise<ParentPage>;
  /** What keeps a token: made once for a connection, by its key. */
  tokens(key: string, make: () => TokenKeeper): TokenKeeper;
}

export interface ParentPage {
  records: Value[];
  /** Where the next page begins; null after the last. */
  next: Value;
}

export interface Authenticator {
  /** Adds credentials; `renew`: those that were given out before are not taken any more. */
  sign(draft: Draft, renew: boolean): Promise<void>;
  /** Signed anew, a call that was refused has other credentials. */
  canRenew(): boolean;
}

export interface RequestOption {
  inject(draft: Draft, value: Value): void;
}

export type Action = "success" | "retry" | "fail" | "ignore" | "rateLimited" | "renew";
export interface Judgement {
  action: Action;
  message: string | null;
  failure: "config_error" | "system_error" | "transient_error" | null;
  /** Milliseconds to wait before the next try; null: by the engine's own rules. */
  waitMs: number | null;
  /** No filter matched: it comes from the status alone. */
  isStandard: boolean;
}
export interface Judged {
  answer: RawAnswer;
  /** The decoded body, as far as it can be. */
  response: Value;
  /** How many tries in a row failed before. */
  attempt: number;
}
export interface ErrorHandler {
  judge(judged: Judged): Judgement;
}
export interface ResponseFilter {
  match(judged: Judged): Omit<Judgement, "waitMs" | "isStandard"> | null;
}
export interface Backoff {
  /** Milliseconds; null where it does not know, infinite where it is not to be waited for. */
  waitMs(judged: Judged): number | null;
}

export interface Call {
  slice: Slice;
  token: Value;
  /** A complete address, or a path, instead of the requester's own. */
  address: string | null;
  inject(draft: Draft): void;
  signal?: AbortSignal | undefined;
}
export interface Requester {
  /** The answer; null where the manifest says to ignore it. */
  send(call: Call, decode: (answer: RawAnswer) => Value[]): Promise<RawAnswer | null>;
}

/** A part of an answer that no record can be made of. */
export interface BadPart {
  message: string;
  excerpt: string;
}
export interface Decoder {
  /**
   * Bodies in an answer: one of JSON, one a line of JSON lines. A line that can't be read is handed to `onBad` where the
   * others can, else it is an error.
   */
  decode(answer: RawAnswer, onBad?: (bad: BadPart) => void): Value[];
}

export interface PageFacts {
  response: Value;
  headers: HeaderFacts;
  lastRecord: Value;
  /** Records the answer held, before any were filtered out. */
  count: number;
}
export interface PageStrategy {
  first: Value;
  pageSize: number | null;
  /** Pages are counted, so that they slide when the list moves. */
  isNumbered: boolean;
  next(token: Value, page: PageFacts): Value;
}
export interface Paginator {
  first: Value;
  isNumbered: boolean;
  /** The address that a token is, where it is one. */
  addressOf(token: Value): string | null;
  inject(draft: Draft, token: Value): void;
  /** null after the last page. */
  next(token: Value, page: PageFacts): Value;
}

export interface Extractor {
  extract(body: Value): Value[];
}
export interface RecordFilter {
  keeps(record: Value, facts: Facts): boolean;
}
export interface Transformation {
  /** A changed copy. */
  apply(record: Values, facts: Facts): Values;
}
export interface Selector {
  /** All records of the bodies, then those that are kept. */
  extract(bodies: readonly Value[]): Value[];
  keeps(record: Value, facts: Facts): boolean;
  filtersTransformed: boolean;
}

export interface Partition {
  values: Values;
  extra: Values;
}
export interface PartitionStep extends Partition {
  /** Where it stands among the others. */
  place: Value;
}
export interface PartitionRouter {
  /** The partition after a place, the first after null; null after the last. "later": none found yet, on from `place`. */
  next(place: Value, isOver: () => boolean, signal?: AbortSignal): Promise<PartitionStep | { later: Value } | null>;
  inject(draft: Draft, partition: Values): void;
}

export interface Interval {
  start: Moment;
  end: Moment;
}
export interface TimeCursor {
  field: string;
  /** Beginning of all there is, and the present end. */
  start(): Moment;
  end(): Moment;
  lookback(moment: Moment): Moment;
  /** The interval that begins at `from`, and where the next one begins. */
  step(from: Moment, end: Moment): { interval: Interval; next: Moment | null };
  values(interval: Interval): Values;
  inject(draft: Draft, interval: Interval): void;
  /** When a record was changed; null where its field can't be read. */
  timeOf(record: Value): Moment | null;
  isClientSide: boolean;
  isNewestFirst: boolean;
  isStrict: boolean;
}

export interface Retriever {
  requester: Requester;
  paginator: Paginator;
  selector: Selector;
  decoder: Decoder;
  router: PartitionRouter | null;
  /** Only the first page of a partition is asked for with its values. */
  injectsFirstPageOnly: boolean;
}

export interface Stream {
  name: string;
  retriever: Retriever;
  cursor: TimeCursor | null;
  transformations: Transformation[];
  primaryKey: string[][];
  /** JSON schema of its records; null where the manifest has none. */
  schema: Values | null;
}

export interface ParentConfig {
  stream: ComponentNode;
  parentKey: string;
  partitionField: string;
  extraFields: string[][];
  option: RequestOption | null;
}

export interface Families {
  stream: Stream;
  retriever: Retriever;
  requester: Requester;
  authenticator: Authenticator;
  sessionAuthenticator: (token: () => string) => Authenticator;
  requestOption: RequestOption;
  requestPath: true;
  errorHandler: ErrorHandler;
  responseFilter: ResponseFilter;
  backoff: Backoff;
  decoder: Decoder;
  paginator: Paginator;
  pageStrategy: PageStrategy;
  selector: Selector;
  extractor: Extractor;
  recordFilter: RecordFilter;
  transformation: Transformation;
  addedField: { path: string[]; value: BoundTemplate; valueType: string | null };
  router: PartitionRouter;
  parent: ParentConfig;
  timeCursor: TimeCursor;
  moment: () => Moment;
  schemaLoader: Values;
  requestBody: (draft: Draft, facts: Facts) => void;
}
