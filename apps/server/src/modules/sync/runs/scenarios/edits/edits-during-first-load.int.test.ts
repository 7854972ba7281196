/** People edit a JSON API while a pipeline is published; the table beside it tells no times, and its rows are read later. */
import { setTimeout as sleep } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const ROWS = 1_500;
const EDITS = 90;

/** All companies come in each list, with their times of change. */
function wholeList() {
  const { list, ...entity } = companies("all", { kind: "none" });
  const { watermark: _, ...whole } = list;
  return { ...entity, list: whole };
}

test.each(["NONE", "LATEST"])(
  "what is entered meanwhile stays, and reaches the table: %s",
  LONG_TIMEOUT,
  async (authority) => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const { systems, api, untilAgreed, untilBroughtIn } = await shopAndRegister(ROWS, 0, wholeList(), {
      hasTimes: false,
      attaches: true,
      core: { authority },
      prepare: (register) => {
        register.habits.clockOffsetMs = 0;
        for (let id = 1; id <= ROWS; id += 1) {
          const made = register.create({ name: `Shop ${id}`, email: `s${id}@example.com`, size: id });
          register.companies.set(made.id, { ...made, updated_at: yesterday });
        }
      },
    });
    const expected = new Map<string, string>();
    for (let count = 0; count < EDITS; count += 1) {
      const number = 1 + ((count * 37) % ROWS);
      const email = `s${number}@example.com`;
      const found = [...api.companies.values()].find((company) => company.email === email);
      if (!found) throw new Error(`no ${email} in the API`);
      api.touch(found.id, { name: `Edited ${number}` });
      expected.set(email, `Edited ${number}`);
      await sleep(50);
    }
    await untilBroughtIn();
    await untilAgreed("agreement");
    for (const all of [apiCompanies(api), await shopCompanies(systems)]) {
      expect(all).toHaveLength(ROWS);
      const names = new Map(all.map(({ email, name }) => [email, name]));
      expect([...expected].filter(([email, name]) => names.get(email) !== name)).toEqual([]);
    }
  },
);
