/** Which value is named when an index refuses a record for its length: one that can be the cause, or the id. */
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { CUSTOMER, pageOf, storeWorld } from "../../../../../test-kit/replay/store-world.ts";
import { INDEXED_BYTES, longestIndexed, unstorableOfPage } from "./unstorable-values.store.ts";

/** Characters that take four bytes at most fit into an index entry up to this number. */
const ALWAYS_FITS = INDEXED_BYTES / 4;
const TOO_LARGE = Object.assign(new Error("index row size 2800 exceeds btree version 4 maximum 2704"), {
  code: "54000",
});

/** Customers that are compared by their phone. */
async function customers() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool, schema } = await storeWorld(database);
  const records = `${schema}."r_Customer"`;
  await pool.query(`CREATE INDEX ON ${records} (phone)`);
  const stored = { pool, records, fields: CUSTOMER.fields };
  /** What is said of one record that an index refuses. */
  const refused = async (phone: string, externalId: string): Promise<string> => {
    const page = pageOf(externalId);
    const creates = page.creates.map((one) => ({ ...one, values: { name: "n".repeat(5_000), phone } }));
    return (await unstorableOfPage(stored, { ...page, creates }, TOO_LARGE)).message;
  };
  return { stored, refused };
}

describe("a record that an index refuses for its length", () => {
  test("names the field that is compared and may be too long, not a longer one that no index holds", async () => {
    const { stored, refused } = await customers();
    const values = { name: "n".repeat(9_000), phone: "p".repeat(ALWAYS_FITS + 1) };
    expect(await longestIndexed(stored, values)).toMatchObject({ field: "phone" });
    expect(await refused("p".repeat(3_000), "7")).toMatch(/^phone is compared .* this one has 3,000 characters\.$/);
  });

  test("names the id where no compared text is long enough to be the cause", async () => {
    const { stored, refused } = await customers();
    const short = "p".repeat(ALWAYS_FITS);
    expect(await longestIndexed(stored, { phone: short })).toBeNull();
    const message = await refused(short, "i".repeat(ALWAYS_FITS + 1));
    expect(message).toMatch(/\bid\b.*2,704 bytes/);
    expect(message).not.toContain("phone");
  });

  test("names neither where both fit: then what the database says is passed on", async () => {
    const { refused } = await customers();
    expect(await refused("p".repeat(ALWAYS_FITS), "i".repeat(ALWAYS_FITS))).toContain(TOO_LARGE.message);
  });
});
