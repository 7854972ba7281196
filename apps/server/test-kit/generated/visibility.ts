/**
 * What shows to whom: an instance with objects of every kind, some of them in states that matter, beside a sibling and a
 * foreign organisation with the same; and for each reading call and each caller, which of the objects the answer names.
 */
import { ID_KINDS, type AnyEndpoint, type BuiltInRole, type Id, type IdKind } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import { createRecord } from "@accord/contracts/data/records";
import { createConnector } from "@accord/contracts/connections/connectors";
import { createRole } from "@accord/contracts/identity/roles";
import { forgotPassword } from "@accord/contracts/identity/sign-in";
import { listMails } from "@accord/contracts/operations/mails";
import { createCustomAction } from "@accord/contracts/sync/actions";
import { saveServiceProvider } from "@accord/contracts/sync/providers";
import type { Answer, Caller } from "../caller.ts";
import { fixtureOf, hasFixture, type CallParts } from "../fixtures/index.ts";
import { configureExternalView } from "../fixtures/external-view.ts";
import { makeCard, makeDashboard, makePublished, makeShare } from "../fixtures/insights.ts";
import type { Place, TestApp, UserOptions } from "../test-app.ts";
import { idPlaces, PARTS, validInput, type Made } from "./inputs.ts";
import { outsider } from "./outsider.ts";
import { replaceAt } from "./schema-walk.ts";

/** Objects to name in a call, beside those that any call of the kind would do with. */
interface Subject {
  name: string;
  /** A call is made where these are all the ids it takes. */
  ids: Partial<Record<IdKind, string>>;
}

export interface VisibilityWorld {
  /** From the most to the least that they may see, by the names that the matrix shows. */
  callers: ReadonlyMap<string, Caller>;
  /** Session tokens of those who may listen to messages. */
  tokens: ReadonlyMap<string, string>;
  instanceIds: readonly Id<"instance">[];
  subjects: readonly Subject[];
  /** What the caller gets to see, in words. */
  look(endpoint: AnyEndpoint, caller: string, subject: Subject | null): Promise<string>;
  /** Whether the call takes ids of that subject, and no others. */
  isAbout(endpoint: AnyEndpoint, subject: Subject): boolean;
}

const SHORT: ReadonlyMap<BuiltInRole, string> = new Map([
  ["SUPER_ADMIN", "super"],
  ["ORG_ADMIN", "org"],
  ["INSTANCE_ADMIN", "instance"],
  ["SYNC_MANAGER", "sync"],
  ["VIEWER", "viewer"],
  ["DASHBOARD_LIGHT_VIEWER", "light"],
]);

export async function visibilityWorld(t: TestApp): Promise<VisibilityWorld> {
  const other = await t.build.organisation("Strangers");
  const own: Place = { organisationId: t.organisationId, instanceId: t.instanceId };
  const sibling = { ...own, instanceId: await t.build.instance({ name: "sibling" }) };
  const stranger: Place = { ...other, instanceId: await t.build.instance({ name: "theirs", ...other }) };

  /** By what it is found in an answer: an id, or a text that nothing else holds. */
  const marks = new Map<string, string>();
  const made: Made = new Map();
  for (const [place, owner] of [
    [own, ""],
    [sibling, "sibling's "],
    [stranger, "stranger's "],
  ] as const)
    for (const kind of ID_KINDS) {
      // Everybody shows their organisation; a run's id is its number, which stands in many answers.
      if (!hasFixture(kind) || kind === "organisation" || kind === "run") continue;
      const id = kind === "instance" ? place.instanceId : await fixtureOf(kind)(t, place);
      // Roles belong to the organisation, which the sibling shares.
      marks.set(id, kind === "role" && place === sibling ? kind : `${owner}${kind}`);
      if (place === own) made.set(`${kind} ${own.instanceId}`, Promise.resolve(id));
    }
  const subjects = await makeSubjects(t, own, marks);
  const guest = await outsider(t, own);
  const guestSubject = guest.input.params as { dashboardId: string; cardId: string };
  marks.set(guestSubject.dashboardId, "dashboard shared with the guest");
  marks.set(guestSubject.cardId, "card of it");

  const callers = new Map<string, Caller>();
  const tokens = new Map<string, string>();
  const addCaller = async (name: string, who: UserOptions & Place): Promise<void> => {
    const caller = await t.asUser(await t.build.user(who), who);
    callers.set(name, caller);
    tokens.set(name, caller.token);
  };
  for (const [role, name] of SHORT)
    await addCaller(name, {
      ...own,
      roles: [role],
      orgAdmin: role === "ORG_ADMIN",
      superAdmin: role === "SUPER_ADMIN",
    });
  const body = { name: "nothing", permissions: [] };
  await addCaller("none", { ...own, roles: [(await t.as("SUPER_ADMIN").call(createRole, { body })).key] });
  await addCaller("sibling", { ...sibling, roles: ["INSTANCE_ADMIN"] });
  await addCaller("stranger", { ...stranger, roles: ["SUPER_ADMIN"], orgAdmin: true, superAdmin: true });
  callers.set("guest", guest.caller);
  callers.set("nobody", t.anonymous);

  const inputs = new Map<string, CallParts>();
  async function inputOf(endpoint: AnyEndpoint, subject: Subject | null): Promise<CallParts> {
    const key = `${endpoint.name} ${subject?.name}`;
    const known = inputs.get(key);
    if (known) return known;
    const isForGuests = endpoint.access === "shareViewer";
    const base = isForGuests ? guest.input : await validInput(t, endpoint, own, { made });
    const input = subject ? withIds(endpoint, base, subject.ids) : base;
    inputs.set(key, input);
    return input;
  }

  const idKinds = (endpoint: AnyEndpoint) => new Set(idPlaces(endpoint).map(({ kind }) => kind));

  return {
    callers,
    tokens,
    instanceIds: [own.instanceId, sibling.instanceId, stranger.instanceId],
    subjects,
    isAbout(endpoint, { ids }) {
      const kinds = idKinds(endpoint);
      return kinds.size > 0 && [...kinds].every((kind) => ids[kind] !== undefined);
    },
    async look(endpoint, name, subject) {
      const caller = callers.get(name);
      if (!caller) throw new Error(`There is no caller ${name}`);
      return inWords(endpoint, await caller.send(endpoint, await inputOf(endpoint, subject)), marks);
    },
  };
}

/** Objects whose state decides who sees them, and secrets, which nobody does. */
async function makeSubjects(t: TestApp, own: Place, marks: Map<string, string>): Promise<Subject[]> {
  const subjects: Subject[] = [];
  const add = (name: string, ids: Subject["ids"], ...more: readonly (readonly [string, string])[]) => {
    subjects.push({ name, ids });
    for (const id of Object.values(ids)) if (!marks.has(id)) marks.set(id, name);
    for (const [mark, what] of more) marks.set(mark, what);
  };
  const admin = t.as("SUPER_ADMIN", own);

  const onPublished = await makeCard(t, own);
  const published = await makePublished(t, own, [onPublished]);
  const onDraft = await makeCard(t, own);
  const draft = await makeDashboard(t, own, [onDraft]);
  add("published dashboard", { dashboard: published, dataCard: onPublished }, [
    onPublished,
    "card of a published dashboard",
  ]);
  add("dashboard never published", { dashboard: draft, dataCard: onDraft }, [
    onDraft,
    "card of a dashboard never published",
  ]);
  add("card on no dashboard", { dataCard: await makeCard(t, own) });
  const { share } = await makeShare(t, own, published);
  marks.set(share.sharedItemId, "share of a published dashboard");

  const entity = await admin.call(createEntity, {
    body: {
      apiName: `Secret${t.deps.newId()}`,
      displayName: "Secret",
      fields: [
        { apiName: "name", displayName: "Name" },
        { apiName: "pin", displayName: "Pin", dataType: "password" },
      ],
      publish: true,
    },
  });
  const { record } = await admin.call(createRecord, {
    params: { entityId: entity.id },
    body: { values: { name: "canary-of-a-value", pin: "canary-of-a-password" } },
  });
  add(
    "record with a password",
    { entity: entity.id, record: record?.accordId ?? "" },
    [entity.id, "entity with a password field"],
    ["canary-of-a-value", "value of a field"],
    ["canary-of-a-password", "VALUE OF A PASSWORD FIELD"],
  );

  const mail = async (kind: string, more: { code?: string }, place: Partial<Place>): Promise<Id<"mail">> => {
    const subject = `mail ${t.deps.newId()}`;
    await t.deps.mail.send({ to: "a@example.com", subject, text: "{{code}}", kind, ...own, ...more, ...place });
    const { mails } = await admin.call(listMails, { query: { count: 200 } });
    return mails.find((one) => one.subject === subject)?.id as Id<"mail">;
  };
  add("mail with a guest's code", { mail: await mail("shareCode", { code: "canary-of-a-code" }, {}) }, [
    "canary-of-a-code",
    "code of a guest",
  ]);
  const email = `${t.deps.newId()}@example.com`;
  const administrator = await t.build.user({ ...own, email, roles: ["INSTANCE_ADMIN"], orgAdmin: true });
  marks.set(administrator, "administrator of the organisation");
  await t.anonymous.call(forgotPassword, { body: { email } });
  await t.app.identity.signIn.service.settle();
  const { rows } = await t.deps.appPool.query("SELECT id FROM mail WHERE recipient = $1", [email]);
  add("mail that resets the administrator's password", { mail: rows[0]?.id });

  const { id: connectorId } = await admin.call(createConnector, {
    body: {
      typeId: "webhook",
      name: `Posts ${t.deps.newId()}`,
      config: { sample: '{"id":1}' },
      authType: "bearerToken",
      credentials: { token: "canary-of-a-credential" },
    },
  });
  add("connector with a credential", { connector: connectorId }, ["canary-of-a-credential", "SECRET OF A CONNECTOR"]);
  const { id: actionId } = await admin.call(createCustomAction, {
    body: {
      displayName: "Ping",
      apiName: `ping_${t.deps.newId()}`,
      endpoint: "http://127.0.0.1:9/ping",
      authentication: { type: "bearer" },
      secret: "canary-of-an-action",
    },
  });
  add("custom action with a secret", { customAction: actionId }, ["canary-of-an-action", "SECRET OF AN ACTION"]);
  await admin.call(saveServiceProvider, {
    params: { service: "slack" },
    body: { protocol: "incomingWebhook", secret: "https://chat.example.com/canary-of-a-service" },
  });
  marks.set("canary-of-a-service", "SECRET OF A SERVICE");
  await configureExternalView(t, own);
  marks.set("canary-of-an-external-view", "SECRET OF AN EXTERNAL VIEW");
  return subjects;
}

function withIds(endpoint: AnyEndpoint, base: CallParts, ids: Subject["ids"]): CallParts {
  const parts: CallParts = { ...base };
  for (const part of PARTS)
    for (const { kind, path, part: where } of idPlaces(endpoint)) {
      const id = ids[kind];
      if (where === part && id !== undefined) parts[part] = replaceAt(parts[part], path, id).input;
    }
  return parts;
}

/** `refused`, `not found`, or what the answer names. */
function inWords(endpoint: AnyEndpoint, { status, body }: Answer, marks: ReadonlyMap<string, string>): string {
  if (status === 401 || status === 403) return "refused";
  if (status === 404) return "not found";
  if (status >= 300) return `refused with ${(body as { code?: string }).code}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const names = [...marks].flatMap(([mark, name]) => (text.includes(mark) ? [name] : []));
  if (endpoint.name === "countRecords") names.push(`a count of ${(body as { count: number }).count}`);
  return names.length > 0 ? [...new Set(names)].toSorted().join(", ") : "answered";
}
