/** Queries of the simulated Salesforce answer as the SOQL reference and the REST API developer guide say. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { isObject } from "../kit.ts";
import { client, refused } from "./client.ts";
import { startSalesforce, type SalesforceServer } from "./salesforce.ts";

let server: SalesforceServer;
beforeAll(async () => void (server = await startSalesforce(30, { batch: 12 })));
afterAll(() => server.stop());
const { ask, query, names, created } = client(() => server);

test("a result of many records comes in batches, by links that name the rest", async () => {
  const first = await query("SELECT Id, Name FROM Account ORDER BY Name");
  expect(first.body).toMatchObject({
    totalSize: 30,
    done: false,
    nextRecordsUrl: expect.stringMatching(/^\/services\/data\/v65\.0\/query\/01g\w{15}-12$/),
    records: expect.objectContaining({ length: 12 }),
  });
  const next = isObject(first.body) ? String(first.body["nextRecordsUrl"]) : "";
  const second = await ask("GET", next);
  expect(second.body).toMatchObject({ done: false, records: expect.objectContaining({ length: 12 }) });
  const last = await ask("GET", next.replace(/12$/, "24"));
  expect(last.body).toMatchObject({ totalSize: 30, done: true, records: expect.objectContaining({ length: 6 }) });
  expect(last.body).not.toHaveProperty("nextRecordsUrl");
  expect(await ask("GET", "query/01gNobody00000000A-12")).toMatchObject(refused(400, "INVALID_QUERY_LOCATOR"));
});

test("SOQL filters, whatever the case of names and texts, and nests what belongs to related records", async () => {
  expect(await names("select name from ACCOUNT where NAME = 'account 7'")).toEqual(["Account 7"]);
  expect(await names("SELECT Name FROM Account WHERE Name LIKE '%t 1_' AND NumberOfEmployees > 17")).toHaveLength(2);
  expect(await names("SELECT Name FROM Account WHERE NumberOfEmployees = null")).toHaveLength(6);
  expect(await names("SELECT Name FROM Contact WHERE Account.Name IN ('Account 1','Account 2')")).toHaveLength(2);
  expect(await names("SELECT Name FROM Account ORDER BY NumberOfEmployees DESC NULLS LAST LIMIT 2 OFFSET 1")).toEqual([
    "Account 28",
    "Account 27",
  ]);
  expect(await names("SELECT Name FROM Account WHERE SystemModstamp >= 2024-01-01T01:29:00+01:00")).toHaveLength(2);
  expect(await query("SELECT COUNT() FROM Lead WHERE Company = 'O\\'Hara & Sons'")).toMatchObject({
    body: { totalSize: 10, done: true, records: [] },
  });
  expect(await query("SELECT Id, Account.Name FROM Contact LIMIT 1")).toMatchObject({
    body: { records: [{ attributes: { type: "Contact" }, Account: { attributes: { type: "Account" } } }] },
  });
});

test.for([
  ["SELECT Id FROM Account WHERE Name = 'a' AND Name = 'b' OR Name = 'c'", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE", "MALFORMED_QUERY"],
  ["SELECT Id, Id FROM Account", "MALFORMED_QUERY"],
  ["SELECT * FROM Account", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE Name = 'O'Hara'", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE Name = 'a\\x'", "MALFORMED_QUERY"],
  ["SELECT FIELDS(ALL) FROM Account", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account ORDER BY Description", "MALFORMED_QUERY"],
  ["SELECT Id FROM Account WHERE SystemModstamp > 2024-01-01T00:00:00.000+0000", "MALFORMED_QUERY"],
  ["SELECT Id, Nothing FROM Account", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE SystemModstamp > '2024-01-01T00:00:00Z'", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE SystemModstamp > 2024-01-01", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Name = 7", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE IsDeleted = 'false'", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Description = 'a'", "INVALID_FIELD"],
  ["SELECT Nobody.Name FROM Account", "INVALID_FIELD"],
  ["SELECT Id FROM Account WHERE Id = '001'", "INVALID_QUERY_FILTER_OPERATOR"],
  ["SELECT Id FROM Account OFFSET 2001", "NUMBER_OUTSIDE_VALID_RANGE"],
  ["SELECT Id FROM Nothing", "INVALID_TYPE"],
] as const)("%s is refused as %s", async ([soql, code]) => {
  expect(await query(soql)).toMatchObject(refused(400, code));
});

test("deleted records come with queryAll and in the list of deletions, with their contacts, until they are purged", async () => {
  const start = new Date(Date.now() - 120_000).toISOString();
  const AccountId = await created("Account", { Name: "Going" });
  await created("Contact", { LastName: "Going too", AccountId });
  await ask("DELETE", `sobjects/Account/${AccountId}`);
  for (const object of ["Account", "Contact"]) {
    const soql = `SELECT Name, IsDeleted FROM ${object} WHERE IsDeleted = true AND Name LIKE 'Going%'`;
    expect(await names(soql)).toEqual([]);
    expect(await names(soql, "queryAll")).toHaveLength(1);
  }
  const end = new Date(Date.now() + 60_000).toISOString();
  const deletions = () => ask("GET", `sobjects/Account/deleted?start=${start}&end=${end}`);
  expect((await deletions()).body).toMatchObject({
    deletedRecords: expect.arrayContaining([{ id: AccountId, deletedDate: expect.stringMatching(/\+0000$/) }]),
    latestDateCovered: expect.any(String),
    earliestDateAvailable: expect.any(String),
  });
  expect(await ask("GET", `sobjects/Account/deleted?start=${end}&end=${start}`)).toMatchObject(
    refused(400, "INVALID_REPLICATION_DATE"),
  );
  server.emptyRecycleBin();
  expect((await deletions()).body).toMatchObject({ deletedRecords: [] });
  expect(await ask("GET", `sobjects/Account/${AccountId}`)).toMatchObject(refused(404, "NOT_FOUND"));
});

test("what the system itself does to a record moves SystemModstamp alone", async () => {
  const [id = ""] = server.accounts.keys();
  server.touchBySystem(id);
  const soql = "SELECT Name FROM Account WHERE Name = 'Account 1' AND";
  expect(await names(`${soql} SystemModstamp > 2025-01-01T00:00:00Z`)).toHaveLength(1);
  expect(await names(`${soql} LastModifiedDate > 2025-01-01T00:00:00Z`)).toHaveLength(0);
});
