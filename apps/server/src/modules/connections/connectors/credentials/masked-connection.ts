/** Connections and contexts in which nothing that a system says repeats a credential: errors, outcomes and warnings. */
import type {
  ConnectContext,
  Connection,
  ConnectorDefinition,
  ConnectorError,
  ListIdsRequest,
  ReadPage,
  ReadRequest,
  SourceRecord,
  SubscribeRequest,
  WriteOutcome,
  WriteRequest,
} from "@accord/connector-sdk";
import type { EntityPreview } from "@accord/connectors";
import { CredentialMask } from "./credential-mask.ts";

type LogFacts = Parameters<ConnectContext["log"]>[2];

/** A context whose errors and log lines are masked, and the mask: it knows what is sent as a credential too. */
export function maskedContext(
  type: ConnectorDefinition,
  context: ConnectContext,
): { context: ConnectContext; mask: CredentialMask } {
  const mask = new CredentialMask(type.authMethods, context.credentials);
  const { accessToken, openProgram } = context;
  return {
    mask,
    context: {
      ...context,
      send: (request) => {
        for (const name of request.secretHeaders ?? []) mask.learn(withoutScheme(request.headers?.[name] ?? ""));
        for (const value of request.secretValues ?? []) mask.learn(value);
        return context.send(request);
      },
      ...(accessToken && {
        accessToken: async (request) => {
          const token = await accessToken(request).catch((error: unknown) => {
            throw mask.error(error);
          });
          mask.learn(token.value);
          return token;
        },
      }),
      ...(openProgram && {
        openProgram: (masked) => openProgram((text) => mask.text(masked(text))),
      }),
      log: (level, message, facts) => context.log(level, mask.text(message), maskedFacts(facts, mask)),
    },
  };
}

/** `Bearer abc` is sent for the token `abc`. */
const withoutScheme = (header: string): string => header.replace(/^[A-Za-z-]+ /, "");

/** Opens a connection of any type: what fails while it is opened or used names no credential. */
export function connectMasked(type: ConnectorDefinition, open: ConnectContext): Connection {
  const { context, mask } = maskedContext(type, open);
  try {
    return maskedConnection(type.connect(context), mask);
  } catch (error) {
    throw mask.error(error);
  }
}

/** Has the same methods as the connection. Records stay as they are: they are the system's data. */
export function maskedConnection(inner: Connection, mask: CredentialMask): Connection {
  const guarded =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await call(...args);
      } catch (error) {
        throw mask.error(error);
      }
    };
  const { listIds, getByIds, lookup, write, subscribe, changeDetection, listReaders, dropReader } = inner;
  return {
    check: guarded(() => inner.check()),
    async *discover(options: Parameters<Connection["discover"]>[0]) {
      try {
        yield* inner.discover(options);
      } catch (error) {
        throw mask.error(error);
      }
    },
    read: guarded(async (request: ReadRequest) => maskedPage(await inner.read(request), mask)),
    listIds:
      listIds &&
      guarded(async (request: ListIdsRequest) => {
        const page = await listIds.call(inner, request);
        return page.records ? { ...page, records: maskedRecords(page.records, mask) } : page;
      }),
    getByIds:
      getByIds &&
      guarded(async (...request: Parameters<typeof getByIds>) =>
        maskedRecords(await getByIds.apply(inner, request), mask),
      ),
    lookup:
      lookup &&
      guarded(async (...request: Parameters<typeof lookup>) => maskedRecords(await lookup.apply(inner, request), mask)),
    write:
      write &&
      guarded(async (request: WriteRequest) =>
        (await write.call(inner, request)).map((outcome) => maskedOutcome(outcome, mask)),
      ),
    subscribe:
      subscribe &&
      guarded((request: SubscribeRequest) => {
        const onBroken = (error: ConnectorError): void => request.onBroken(mask.connectorError(error));
        return subscribe.call(inner, { ...request, onBroken });
      }),
    changeDetection: changeDetection && guarded(changeDetection.bind(inner)),
    listReaders: listReaders && guarded(listReaders.bind(inner)),
    dropReader: dropReader && guarded(dropReader.bind(inner)),
    close: guarded(() => inner.close()),
  } satisfies Record<keyof Connection, unknown>;
}

/** What a preview shows of an answer: the whole of it, so that everything is masked. */
export const maskedPreview = (preview: EntityPreview, mask: CredentialMask): EntityPreview => ({
  ...preview,
  bodyExcerpt: mask.text(preview.bodyExcerpt),
  sample: preview.sample.map((values) => mask.values(values)),
  problem: preview.problem && {
    ...preview.problem,
    message: mask.text(preview.problem.message),
    ...(preview.problem.hint !== undefined && { hint: mask.text(preview.problem.hint) }),
  },
});

const maskedFacts = (facts: LogFacts, mask: CredentialMask): LogFacts =>
  facts && Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, mask.error(fact)]));

function maskedPage(page: ReadPage, mask: CredentialMask): ReadPage {
  const { records, warnings, bad } = page;
  return {
    ...page,
    records: maskedRecords(records, mask),
    ...(warnings && { warnings: warnings.map((one) => maskedTexts(one, mask)) }),
    ...(bad && { bad: bad.map((one) => maskedTexts(one, mask)) }),
  };
}

/** Only what is said of their values is masked. */
function maskedRecords(records: SourceRecord[], mask: CredentialMask): SourceRecord[] {
  if (!records.some(({ badFields }) => badFields)) return records;
  return records.map((record) =>
    record.badFields ? { ...record, badFields: record.badFields.map((one) => maskedTexts(one, mask)) } : record,
  );
}

function maskedTexts<Said extends { message: string; excerpt?: string }>(said: Said, mask: CredentialMask): Said {
  const excerpt = said.excerpt === undefined ? {} : { excerpt: mask.text(said.excerpt) };
  return { ...said, message: mask.text(said.message), ...excerpt };
}

const maskedOutcome = (outcome: WriteOutcome, mask: CredentialMask): WriteOutcome =>
  "message" in outcome ? { ...outcome, message: mask.text(outcome.message) } : outcome;
