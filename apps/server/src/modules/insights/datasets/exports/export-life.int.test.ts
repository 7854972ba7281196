/** Exports that are canceled, wait their turn, outlive a restart, and belong to one person. */
import type { Id } from "@accord/contracts";
import {
  cancelDatasetExport,
  createDatasetExport,
  type DatasetExport,
  deleteDatasetExport,
  downloadDatasetExport,
  getDatasetExport,
  listDatasetExports,
} from "@accord/contracts/insights/dataset-exports";
import { listNotifications } from "@accord/contracts/operations/notifications";
import { afterEach, beforeAll, expect, test } from "vitest";
import { makeExport, squaredDeals } from "../../../../../test-kit/fixtures/exports.ts";
import { makeDataset } from "../../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../../test-kit/index.ts";

const DEALS = 1_000;
const DAY_MS = 86_400_000;

let t: TestApp;
/** Of a million rows: seconds. */
let long: Id<"dataset">;
let short: Id<"dataset">;
let stopWorker: (() => Promise<void>) | undefined;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
  long = await squaredDeals(t, t, DEALS);
  short = await makeDataset(t, t);
}, 120_000);
afterEach(() => stop());

async function work(): Promise<void> {
  stopWorker = await t.module("insights/datasets/exports").startWorker?.();
}
async function stop(): Promise<void> {
  await stopWorker?.();
  stopWorker = undefined;
}
const editor = () => t.as("SYNC_MANAGER");
const start = (id: Id<"dataset">) => editor().call(createDatasetExport, { params: { id }, body: { format: "CSV" } });
const params = ({ id }: Pick<DatasetExport, "id">) => ({ params: { exportId: id } });
const get = (one: Pick<DatasetExport, "id">) => editor().call(getDatasetExport, params(one));
const is = (one: Pick<DatasetExport, "id">, expected: Partial<DatasetExport>) =>
  expect.poll(() => get(one), { timeout: 60_000 }).toMatchObject(expected);
const runs = (one: DatasetExport) =>
  expect.poll(async () => (await get(one)).rows, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);

async function chunksOf({ id }: Pick<DatasetExport, "id">): Promise<number> {
  const { rows } = await t.deps.appPool.query("SELECT FROM dataset_export_chunk WHERE export_id = $1", [id]);
  return rows.length;
}

/** Statements of exports that the database works on. */
async function running(): Promise<number> {
  const { rows } = await t.deps.dataPool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND backend_type = 'client backend' AND query LIKE '%"others"%' AND pid <> pg_backend_pid()`,
  );
  return rows.length;
}

async function linesOf(one: DatasetExport): Promise<number> {
  const { bytes } = await editor().send(downloadDatasetExport, params(one));
  return bytes.toString("utf8").split("\r\n").length - 1;
}

test("[INS-134] canceling an export stops its query, frees its file, and lets the next one run", async () => {
  const [one, next, last] = [await start(long), await start(short), await start(short)];
  await work();
  await runs(one);
  expect(await get(one)).toMatchObject({ status: "RUNNING", totalRows: DEALS ** 2 });
  expect(await get(next)).toMatchObject({ status: "QUEUED" });
  expect(await running()).toBe(1);
  expect(await editor().call(cancelDatasetExport, params(last))).toMatchObject({ status: "CANCELED" });
  expect(await editor().call(cancelDatasetExport, params(one))).toMatchObject({ status: "CANCELED", bytes: 0 });
  await expect.poll(running).toBe(0);
  await is(next, { status: "COMPLETED", rows: 4 });
  expect(await get(one)).toMatchObject({ status: "CANCELED" });
  expect(await get(last)).toMatchObject({ status: "CANCELED", rows: 0 });
  expect(await chunksOf(one)).toBe(0);
  const again = await editor().send(cancelDatasetExport, params(one));
  expect(again).toMatchObject({ status: 409, body: { code: "invalid_state" } });
  expect((await editor().send(downloadDatasetExport, params(one))).status).toBe(409);
}, 120_000);

test("deleting an export that runs stops its query", async () => {
  const one = await start(long);
  await work();
  await runs(one);
  await editor().call(deleteDatasetExport, params(one));
  await expect.poll(running).toBe(0);
  expect(await chunksOf(one)).toBe(0);
}, 120_000);

test("an export that a stopping server gives up is made anew by the next one, and whole", async () => {
  const one = await start(long);
  await work();
  await runs(one);
  await stop();
  expect(await get(one)).toMatchObject({ status: "QUEUED" });
  await expect.poll(running).toBe(0);
  await work();
  await is(one, { status: "COMPLETED", rows: DEALS ** 2 });
  expect(await linesOf(await get(one))).toBe(DEALS ** 2 + 1);
}, 120_000);

/** As a server leaves an export that is killed: running, with a piece of its file. */
async function abandoned(attempts: number, datasetId = short): Promise<Pick<DatasetExport, "id">> {
  const { id } = await start(datasetId);
  await t.deps.appPool.query(
    `UPDATE dataset_export SET status = 'RUNNING', run_id = 'gone', attempts = $2, lease_until = now() - interval '1 second'
     WHERE id = $1`,
    [id, attempts],
  );
  await t.deps.appPool.query("INSERT INTO dataset_export_chunk VALUES ($1, $2, 0, 'half a file')", [t.instanceId, id]);
  return { id };
}

test("an export of a server that was killed is made anew, and fails with a sentence when that happens again and again", async () => {
  const one = await abandoned(1);
  await work();
  await is(one, { status: "COMPLETED", rows: 4 });
  expect(await linesOf(await get(one))).toBe(5);
  await stop();
  const hopeless = await abandoned(3);
  await work();
  await is(hopeless, { status: "FAILED", error: expect.stringMatching(/stopped 3 times/) as string });
  expect(await chunksOf(hopeless)).toBe(0);
}, 120_000);

/** What a person finds under the bell about the exports of a dataset. */
async function notificationsAbout(datasetId: Id<"dataset">, person: ReturnType<typeof editor>): Promise<object[]> {
  const { notifications } = await person.call(listNotifications, { query: { count: 100 } });
  return notifications.filter(({ link }) => link === `/insights-studio/datasets?exports=${datasetId}`);
}

test("whoever started an export is notified once when it has ended, and nobody else; of a canceled one nobody is", async () => {
  const [completed, lost, canceled] = [await makeDataset(t, t), await makeDataset(t, t), await makeDataset(t, t)];
  await editor().call(cancelDatasetExport, params(await start(canceled)));
  const one = await start(completed);
  await abandoned(3, lost);
  await work();
  await expect
    .poll(() => notificationsAbout(completed, editor()))
    .toMatchObject([
      { severity: "success", message: `The export ${one.fileName} can be downloaded`, detail: "4 rows", read: false },
    ]);
  await expect
    .poll(() => notificationsAbout(lost, editor()))
    .toMatchObject([{ severity: "error", detail: expect.stringMatching(/stopped 3 times/) as string }]);
  expect(await notificationsAbout(canceled, editor())).toEqual([]);
  expect(await notificationsAbout(completed, t.as("SUPER_ADMIN"))).toEqual([]);
}, 120_000);

test("exports are seen by whoever started them alone, and need their own permissions", async () => {
  const id = await makeExport(t, t, { datasetId: short });
  const other = { instanceId: await t.build.instance() };
  for (const caller of [editor(), t.as("SUPER_ADMIN", other), t.as("ORG_ADMIN")]) {
    for (const endpoint of [getDatasetExport, cancelDatasetExport, deleteDatasetExport, downloadDatasetExport])
      expect([endpoint.name, (await caller.send(endpoint, params({ id }))).status]).toEqual([endpoint.name, 404]);
  }
  const { exports } = await editor().call(listDatasetExports, { params: { id: short } });
  expect(exports.map((one) => one.id)).not.toContain(id);
  const list = await t.as("SUPER_ADMIN", other).send(listDatasetExports, { params: { id: short } });
  expect(list.status).toBe(404);
  const viewer = await t.as("VIEWER").send(createDatasetExport, { params: { id: short }, body: { format: "CSV" } });
  expect(viewer).toMatchObject({ status: 403, body: { code: "forbidden" } });
  expect((await t.as("SUPER_ADMIN").send(downloadDatasetExport, params({ id }))).body).toBe("status\r\nopen\r\n");
});

test("an instance keeps a limited number of exports", async () => {
  const at = { ...t, instanceId: await t.build.instance() };
  const id = await makeDataset(t, at);
  for (let made = 0; made < 100; made += 1) await makeExport(t, at, { datasetId: id, userId: await t.build.user() });
  const refused = await t.as("SYNC_MANAGER", at).send(createDatasetExport, { params: { id }, body: { format: "CSV" } });
  expect(refused).toMatchObject({ status: 409, body: { code: "too_many_exports" } });
}, 60_000);

test("files are kept for a day and then deleted", async () => {
  const id = await makeExport(t, t, { datasetId: short });
  const owner = () => t.as("SUPER_ADMIN");
  expect((await owner().send(downloadDatasetExport, params({ id }))).status).toBe(200);
  t.clock.advance(DAY_MS + 1);
  expect((await owner().send(downloadDatasetExport, params({ id }))).status).toBe(404);
  expect((await owner().call(listDatasetExports, { params: { id: short } })).exports).toEqual([]);
  await work();
  await expect.poll(() => chunksOf({ id })).toBe(0);
});
