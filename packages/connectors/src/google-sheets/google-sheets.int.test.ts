/** Google Sheets on a simulated Google that keeps tabs, checks signatures and lets people change rows: the conformance kit. */
import { testConnector } from "@accord/connector-sdk/test-kit";
import { rowOf } from "../../test-systems/vendors/google/grid.ts";
import { Tokens } from "../../test-systems/vendors/google/tokens.ts";
import { ACCOUNT } from "../../test-systems/vendors/google/google.ts";
import { systemUnderTest } from "../../test-systems/vendors/under-test.ts";
import { CONTACTS, COLUMN, contactRow, EMPTY, settingsOf, startContacts } from "./contacts.fixtures.ts";
import { googleSheetsConnector } from "./index.ts";

testConnector({
  definition: googleSheetsConnector,
  async start() {
    const google = await startContacts(40);
    const [tab] = google.tabs;
    if (!tab) throw new Error("the spreadsheet has a tab");
    let made = 0;
    const system = await systemUnderTest({
      server: google,
      authType: "privateKey",
      settings: settingsOf(google),
      credentials: { serviceAccountKey: google.key },
      wrongCredentials: { serviceAccountKey: new Tokens().newKey(ACCOUNT) },
      entity: CONTACTS,
      emptyEntity: EMPTY,
      seeded: 40,
      expected: {
        idField: "id",
        types: {
          name: "string",
          visits: "integer",
          budget: "double",
          active: "boolean",
          since: "date",
          seen: "datetime",
          twice: "integer",
        },
      },
      outside: {
        async create() {
          const id = `by-hand-${(made += 1)}`;
          tab.rows.splice(3, 0, contactRow(id, "Entered by hand", made));
          google.touch();
          return id;
        },
        async update(id) {
          const row = tab.rows[rowOf(tab, id)];
          if (row) row[COLUMN["name"] ?? 1] = { value: `Changed by hand ${(made += 1)}` };
          google.touch();
        },
        async remove(id) {
          const at = rowOf(tab, id);
          if (at > 0) tab.rows.splice(at, 1);
          google.touch();
        },
      },
      writes: {
        valid: (n) => ({
          name: `Written ${n}`,
          visits: n,
          budget: 12.5 + n,
          active: n % 2 === 0,
          since: "2026-02-28",
          seen: "2026-07-01T10:20:30.456Z",
        }),
        change: { name: "=1+1", visits: null, budget: 0.1 },
        invalid: { name: "x".repeat(50_001) },
        missingId: "nobody-has-this",
        lookupField: "name",
      },
    });
    const { faults } = system;
    return {
      ...system,
      faults: {
        ...faults,
        async loseAnswers() {
          google.loseAnswers(true, /:batchUpdate$/);
          return () => google.loseAnswers(false);
        },
      },
    };
  },
});
