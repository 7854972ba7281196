/** T27: values of password fields go through the product and are shown by no reply, no pushed message and no log line. */
import { Writable } from "node:stream";
import { STREAM_PATH } from "@accord/contracts";
import { PASSWORD_MASK, searchRecords } from "@accord/contracts/data/records";
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { previewResync } from "@accord/contracts/sync/monitoring/explain";
import { listRefusedValues } from "@accord/contracts/sync/monitoring/refused-values";
import { listQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { listTransactions } from "@accord/contracts/sync/monitoring/transactions";
import { io } from "socket.io-client";
import { beforeAll, expect, test } from "vitest";
import { makeLog } from "../src/platform/log/log.ts";
import { validInput } from "../test-kit/generated/inputs.ts";
import { CANARY, passwordPipeline, type PasswordPipeline, PINS } from "../test-kit/systems/password-pipeline.ts";
import { storedRows } from "../test-kit/database/stored-rows.ts";

let p: PasswordPipeline;
let log = "";
const pushed: string[] = [];

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  p = await passwordPipeline({ log: makeLog({ logLevel: "trace", destination }), beforeStart: listen });
  return () => p.close();
}, 120_000);

/** Hears everything that the instance is told while it all happens. */
async function listen(t: PasswordPipeline["t"]): Promise<void> {
  const { token } = await t.asUser(await t.build.user({ roles: ["SYNC_MANAGER"] }));
  const socket = io(t.address, {
    path: STREAM_PATH,
    transports: ["websocket"],
    extraHeaders: { cookie: `accord_session=${token}` },
  });
  socket.onAny((...message: unknown[]) => pushed.push(JSON.stringify(message)));
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
}

test("[T27] no reading call of anybody shows a value of a password field, whatever happened to it", async () => {
  const { t, ids } = p;
  const at = { organisationId: t.organisationId, instanceId: t.instanceId };
  const shown: string[] = [];
  let answered = 0;
  const userId = await t.build.user({ superAdmin: true });
  for (const endpoint of ENDPOINTS.filter(({ method }) => method === "GET")) {
    const input = await validInput(t, endpoint, at);
    const given = (input.params ?? {}) as Record<string, string>;
    const params = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, ids[name] ?? value]));
    for (const query of [input.query, {}]) {
      // A session of its own each time: some of these calls end it or move it to another instance.
      const answer = await (await t.asUser(userId)).send(endpoint, { params, query });
      if (answer.status === 200) answered += 1;
      if (JSON.stringify(answer.body)?.includes(CANARY)) shown.push(endpoint.name);
    }
  }
  expect([...new Set(shown)]).toEqual([]);
  expect(answered).toBeGreaterThan(100);
}, 120_000);

test("[T27] searches, previews and samples show none either", async () => {
  const { t, entityId } = p;
  const manager = t.as("SYNC_MANAGER");
  const params = { entityId };
  const answers = [
    await manager.send(searchRecords, { params, query: {}, body: "" }),
    await manager.send(previewResync, { params, body: { scope: "all", sourceEntityIds: ["from_shop", "from_crm"] } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(CANARY);
});

test("[T27] a change of such a value is shown as a change, without the values", async () => {
  const { t, entityId, recordId } = p;
  const { transactions } = await t.as("VIEWER").call(listTransactions, { query: { entityId, recordId } });
  const changes = transactions.flatMap((one) => one.changes.filter(({ field }) => field === "pin"));
  expect(changes).toContainEqual({ field: "pin", from: null, to: PASSWORD_MASK });
  expect(changes).toContainEqual({ field: "pin", from: PASSWORD_MASK, to: PASSWORD_MASK });
  const { entries } = await t.as("VIEWER").call(listQuarantine, { params: { entityId }, query: {} });
  expect(entries[0]?.payload).toMatchObject({ mail: "refused@example.com", pin: PASSWORD_MASK });
});

test("[T27] no pushed message and no log line holds one", () => {
  p.t.deps.log.info("still writing");
  expect(pushed.length).toBeGreaterThan(0);
  expect(pushed.join("\n")).not.toContain(CANARY);
  expect(log).toContain("still writing");
  expect(log).not.toContain(CANARY);
});

/** Schemas of the systems, which get the values as they are. */
const SYSTEMS = ["shop", "crm"];
const plainAmong = (rows: Awaited<ReturnType<typeof storedRows>>) => rows.filter(({ text }) => text.includes(CANARY));

test("[T27] no table holds one, and the systems got them as they are", async () => {
  const rows = await storedRows(p.t, SYSTEMS);
  expect(plainAmong(rows)).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
  const sent = Object.values(await p.sent());
  expect(sent).toContain(PINS.twin);
  expect(sent.every((pin) => pin.startsWith(CANARY))).toBe(true);
});

test("[T27] what an older version stored as it came is sealed when the server starts", async () => {
  const { dataPool } = p.t.deps;
  const schema = `"i_${p.t.instanceId}"`;
  const count = async (): Promise<number> =>
    Number((await dataPool.query(`SELECT count(*) AS n FROM ${schema}.ledger`)).rows[0].n);
  const changes = JSON.stringify({ pin: [PINS.read, PINS.changed] });
  const values = JSON.stringify({ x: { values: { pin: PINS.read }, origin: {} } });
  await dataPool.query(`UPDATE ${schema}."r_Login" SET pin = $1 WHERE NOT accord_deleted`, [PINS.edited]);
  await dataPool.query(`UPDATE ${schema}.ledger SET changes = $1 WHERE changes::jsonb ? 'pin'`, [changes]);
  await dataPool.query(`UPDATE ${schema}.merge SET before = $1, changes = $2`, [values, changes]);
  await dataPool.query(`UPDATE ${schema}.conflict SET value = $1 WHERE field = 'pin'`, [JSON.stringify(PINS.refused)]);
  await dataPool.query(`UPDATE ${schema}.quarantine SET payload = $1`, [JSON.stringify({ pin: PINS.quarantined })]);
  await dataPool.query("DELETE FROM sealed_instance");
  expect(plainAmong(await storedRows(p.t, SYSTEMS)).length).toBeGreaterThan(5);
  const before = await count();
  await p.t.module("sync/runs").start?.();
  expect(plainAmong(await storedRows(p.t, SYSTEMS))).toEqual([]);
  expect(await count()).toBe(before);
  const { entries } = await p.t.as("VIEWER").call(listQuarantine, { params: { entityId: p.entityId }, query: {} });
  expect(entries[0]?.payload).toEqual({ pin: PASSWORD_MASK });
});

test("[T27] what was a secret when it was put aside stays one, whatever its field is called by now", async () => {
  await p.t.deps.dataPool.query(
    `UPDATE "i_${p.t.instanceId}".quarantine SET message = $1, payload = jsonb_build_object('mail', payload->'pin')`,
    [`The system refused ${PINS.quarantined}.`],
  );
  const params = { entityId: p.entityId };
  const { entries, causes } = await p.t.as("VIEWER").call(listQuarantine, { params, query: {} });
  expect(entries[0]).toMatchObject({
    payload: { mail: PASSWORD_MASK },
    message: `The system refused ${PASSWORD_MASK}.`,
  });
  expect(JSON.stringify([entries, causes])).not.toContain(CANARY);
});

test("[T27] a secret that was refused stays one in the list of refused values, whatever its field is called by now", async () => {
  const schema = `"i_${p.t.instanceId}"`;
  const { rows } = await p.t.deps.dataPool.query(
    `UPDATE ${schema}.ledger SET operation = 'refuse', refused =
       json_build_object('mail', json_build_array((SELECT payload -> 'mail' FROM ${schema}.quarantine LIMIT 1), 'not_convertible'))
     WHERE number = (SELECT max(g.number) FROM ${schema}.ledger g JOIN ${schema}.link l USING (place, external_id)
       JOIN ${schema}.place s ON s.number = g.place WHERE NOT l.dead AND s.pipeline_id = $1)
     RETURNING at, place, external_id`,
    [p.entityId],
  );
  await p.t.deps.dataPool.query(
    `UPDATE ${schema}.link SET decided_at = $1::timestamptz - interval '1 second' WHERE place = $2 AND external_id = $3`,
    [rows[0].at, rows[0].place, rows[0].external_id],
  );
  const answer = await p.t.as("VIEWER").call(listRefusedValues, { params: { entityId: p.entityId }, query: {} });
  expect(answer.values).toMatchObject([{ field: "mail", value: PASSWORD_MASK }]);
  expect(JSON.stringify(answer)).not.toContain(CANARY);
});
