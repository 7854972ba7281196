/**
 * An instance with everything in it, and two tenants that have a copy of everything: what must be the same before and
 * after they came, and what must never show. Each check is one call of one endpoint, so that it can be made alone.
 */
import { BUILT_IN_ROLES, ID_KINDS, type AnyEndpoint } from "@accord/contracts";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import type { Answer, Caller } from "../caller.ts";
import { fixtureOf, hasFixture, type CallParts } from "../fixtures/index.ts";
import type { Place, TestApp } from "../test-app.ts";
import { tenantHash } from "./database-hash.ts";
import { validInput, type Made } from "./inputs.ts";
import { mayCall, type CallerName } from "./may-call.ts";
import { outsider } from "./outsider.ts";
import { copyTenant } from "./tenant-copy.ts";

/** Calls that only read although they carry a body. Each is proven to change nothing. */
const READING = new Set([
  "searchRecords",
  "countRecords",
  "previewDataset",
  "previewDataCard",
  "previewMarkRecords",
  "dataCardData",
  "testCardAlert",
  "dashboardCardData",
  "dashboardMarkRecords",
  "suggestJoins",
  "validatePipeline",
  "validateFieldPipeline",
  "tryRecord",
  "tryFieldRecord",
  "diffBeforePublish",
  "lookUpTokens",
  "previewResync",
  "previewRepair",
  "getSharedCardData",
]);

/** Calls that write although nothing is sent: each leaves an entry of the audit log, which other reads show. */
const AUDITED = new Set(["downloadDatasetExport"]);

/** What one person alone sees, and who that is in the fixtures. */
const OWNED: Readonly<Record<string, CallerName>> = { getDatasetExport: "SUPER_ADMIN" };

/** Not called, and why no tenant could show there. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  getHealth: "says how the server is, whoever asks",
  getVersion: "says which version runs, whoever asks",
  signIn: "public: names no object",
  signOut: "public: ends the caller's own session",
  forgotPassword: "public: answers the same to everybody",
  openPasswordReset: "public: takes a one-time token",
  setInvitedPassword: "public: takes a one-time token",
  reportError: "public: takes a report and answers nothing",
  requestShareCode: "public: answers the same to everybody",
  openSharedDashboard: "public: called to make the outsider's session",
  getExternalViewToken: "signs another token each time: external-view.int looks at those of other instances",
  closeSharedDashboard: "ends the outsider's own session",
};

/** Reads that are refused here, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  finishConnectorSignInAtSharedAddress: "it answers where the browser goes next: sign-in.int",
  finishConnectorSignIn: "it answers where the browser goes next: sign-in.int",
  getExternalDataset: "asks a product for its datasets, of which there is none here",
  previewExternalDataset: "asks a product for its datasets, of which there is none here",
  getEntityChanges: "asks a system, of which there is none here",
  getSampleRecords: "asks a system, of which there is none here",
  explainRecord: "plays a published pipeline, of which there is none here",
  listEdgeRecords: "plays a published pipeline, of which there is none here",
  tryFieldRecord: "plays a graph with a source, of which there is none here",
  tryRecord: "plays a graph with a source, of which there is none here",
  previewResync: "plays a published pipeline, of which there is none here",
  previewRepair: "plays a published pipeline, of which there is none here",
};

/** Called by everybody who may before anything is compared: they fill tables that nothing else does. */
const FILLING = new Set([
  "visitDashboard",
  "saveRecordColumns",
  "markNotificationsRead",
  "saveServiceProvider",
  "saveExternalViewSettings",
  "makeWebhookAddress",
]);

/** What everybody who may call it sees of the organisation. */
const SHARED: Readonly<Record<string, string>> = {
  listRoles: "roles belong to the organisation: how many people hold each of them is counted in all instances",
};

/** What an administrator of the organisation sees of all its instances, another one's included. */
const ORGANISATION_WIDE: Readonly<Record<string, string>> = {
  listUsers: "the people of all instances",
  listAuditEntries: "what was done in all instances",
  listMails: "the mails of all instances",
};
const ADMINISTRATORS: ReadonlySet<CallerName> = new Set(["SUPER_ADMIN", "ORG_ADMIN"]);

/** Whether the caller sees other instances of the organisation there. */
const seesSiblings = (endpoint: AnyEndpoint, caller: CallerName): boolean =>
  endpoint.name in SHARED || (endpoint.name in ORGANISATION_WIDE && ADMINISTRATORS.has(caller));

export const isRead = ({ method, name }: AnyEndpoint): boolean =>
  (method === "GET" && !AUDITED.has(name)) || READING.has(name);
const called = ENDPOINTS.filter(({ name }) => !(name in NOT_CALLED));
export const READS = called.filter(isRead);
export const WRITES = called.filter((endpoint) => !isRead(endpoint));

/** Every endpoint that stands in one of the lists above. */
export const LISTED = [
  READING,
  AUDITED,
  ...[OWNED, NOT_CALLED, REFUSED, SHARED, ORGANISATION_WIDE].map((list) => Object.keys(list)),
  FILLING,
].flatMap((names) => [...names]);

export interface IsolationWorld {
  t: TestApp;
  own: Place;
  sibling: Place;
  stranger: Place;
  /** Tables that hold rows of the other tenants. */
  filled: Set<string>;
  /** @throws Error when an answer shows another tenant, or differs from what it was before there were any. */
  checkRead(endpoint: AnyEndpoint): Promise<void>;
  /** @throws Error when a call shows another tenant, or changes something of it. */
  checkWrite(endpoint: AnyEndpoint): Promise<void>;
  /** @throws Error when a mail that the administrator of the instance can read shows another tenant. */
  checkMails(): Promise<void>;
}

export async function isolationWorld(t: TestApp): Promise<IsolationWorld> {
  const other = await t.build.organisation("Strangers");
  const stranger = {
    organisationId: other.organisationId,
    instanceId: await t.build.instance({ name: "theirs", ...other }),
  };
  // Between the others, so that indexes find rows of theirs both before and after its own.
  const own = { organisationId: t.organisationId, instanceId: await t.build.instance({ name: "own" }) };
  const sibling = { ...own, instanceId: await t.build.instance({ name: "sibling" }) };

  const made: Made = new Map();
  for (const kind of ID_KINDS) if (hasFixture(kind)) await fixtureOf(kind)(t, own);
  const guest = await outsider(t, own);
  const inputs = new Map<string, CallParts>();
  for (const endpoint of called) {
    const input =
      endpoint.access === "shareViewer"
        ? guest.input
        : await validInput(t, endpoint, own, isRead(endpoint) ? { made } : {});
    inputs.set(endpoint.name, input);
  }
  const callerOf = (name: CallerName): Caller => (name === "SHARE_VIEWER" ? guest.caller : t.as(name as "VIEWER", own));
  const readers = (endpoint: AnyEndpoint) =>
    [...BUILT_IN_ROLES, "SHARE_VIEWER" as const].filter((name) => mayCall(endpoint, name));
  const read = (endpoint: AnyEndpoint, name: CallerName) => callerOf(name).send(endpoint, inputs.get(endpoint.name));

  for (const endpoint of WRITES.filter(({ name }) => FILLING.has(name))) {
    const input = await validInput(t, endpoint, own, { made });
    for (const name of readers(endpoint)) await callerOf(name).send(endpoint, input);
  }
  // People are made at their first call, and are part of what is listed.
  for (const name of BUILT_IN_ROLES) await t.as(name, own).send(READS[0] as AnyEndpoint);
  const before = new Map<string, string>();
  type Choice = (endpoint: AnyEndpoint, name: CallerName) => boolean;
  const remember = async (isChosen: Choice) => {
    for (const endpoint of READS)
      for (const name of readers(endpoint))
        if (isChosen(endpoint, name)) before.set(`${endpoint.name} ${name}`, textOf(await read(endpoint, name)));
  };
  await remember(() => true);

  const marks: RegExp[] = [];
  const filled = new Set<string>();
  const fill = async (to: Place, digit: number) => {
    const copy = await copyTenant(t, { from: own, to, digit });
    for (const table of copy.filled) filled.add(table);
    marks.push(copy.mark);
    const mail = { to: "a@example.com", subject: `canary${digit}`, text: `canary${digit}`, kind: "test" };
    await t.deps.mail.send({ ...mail, ...to });
  };
  await fill(stranger, 2);
  const changedByStrangers = await differences(READS, seesSiblings);
  // From here on they see the sibling as well, as they should.
  await fill(sibling, 1);
  await remember(seesSiblings);

  async function differences(endpoints: readonly AnyEndpoint[], isChosen: Choice) {
    const found: string[] = [];
    for (const endpoint of endpoints)
      for (const name of readers(endpoint)) {
        if (!isChosen(endpoint, name)) continue;
        const text = textOf(await read(endpoint, name));
        const told = `${endpoint.method} ${endpoint.path} as ${name}`;
        const isWide = seesSiblings(endpoint, name);
        for (const mark of isWide ? marks.filter(({ source }) => source.includes("canary2")) : marks) {
          const shown = mark.exec(text);
          if (shown) found.push(`${told} shows ${excerpt(text, shown.index)}`);
        }
        const known = before.get(`${endpoint.name} ${name}`) ?? "";
        if (known !== text) found.push(`${told} changed: ${firstDifference(known, text)}`);
      }
    return found;
  }

  const foreignHash = async () => {
    const ofSibling = await tenantHash(t, sibling, { withOrganisation: false });
    return ofSibling + (await tenantHash(t, stranger, { withOrganisation: true }));
  };
  let lastHash: string | undefined;
  /** Of a user for each call: some end their session, or leave the instance. */
  const writer = async () =>
    t.asUser(await t.build.user({ ...own, roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true }), own);

  return {
    t,
    own,
    sibling,
    stranger,
    filled,
    async checkRead(endpoint) {
      const found = await differences([endpoint], () => true);
      if (endpoint.name in ORGANISATION_WIDE || endpoint.name in SHARED)
        found.push(...changedByStrangers.filter((one) => one.startsWith(`${endpoint.method} ${endpoint.path} as`)));
      if (found.length > 0) throw new Error(found.join("\n"));
      const owner = OWNED[endpoint.name] ?? (readers(endpoint)[0] as CallerName);
      const { status } = await read(endpoint, owner);
      if (status >= 300 && !(endpoint.name in REFUSED))
        throw new Error(
          `${endpoint.name} answered ${status}: give it an input in apps/server/test-kit/fixtures that can be answered`,
        );
    },
    async checkWrite(endpoint) {
      const hash = lastHash ?? (await foreignHash());
      const answer = await (await writer()).send(endpoint, inputs.get(endpoint.name));
      const text = textOf(answer);
      for (const mark of marks) {
        const shown = mark.exec(text);
        if (shown) throw new Error(`${endpoint.name} shows ${excerpt(text, shown.index)}`);
      }
      lastHash = await foreignHash();
      if (lastHash !== hash) throw new Error(`${endpoint.name} changed something of another tenant`);
    },
    async checkMails() {
      const administrator = t.as("INSTANCE_ADMIN", own);
      const { mails } = await administrator.call(listMails);
      for (const { id } of mails) {
        const text = textOf(await administrator.send(getMail, { params: { mailId: id } }));
        for (const mark of marks) {
          const shown = mark.exec(text);
          if (shown) throw new Error(`a mail shows ${excerpt(text, shown.index)}`);
        }
      }
    },
  };
}

/** Different in every answer: the call's own number, and times that the database's clock counts from. */
const RESTLESS = new Set(["requestId", "since"]);

/** The answer without what differs from call to call. */
const textOf = ({ status, body }: Answer): string =>
  `${status} ${typeof body === "string" ? body : JSON.stringify(body, (key, value: unknown) => (RESTLESS.has(key) ? undefined : value))}`;

const excerpt = (text: string, index: number): string => `…${text.slice(Math.max(0, index - 80), index + 60)}…`;

function firstDifference(before: string, after: string): string {
  let place = 0;
  while (place < before.length && before[place] === after[place]) place++;
  return `before ${excerpt(before, place)} after ${excerpt(after, place)}`;
}
