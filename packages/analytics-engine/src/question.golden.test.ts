/** A question on its way to SQL, stage by stage: `question.golden.md` shows what each stage makes of it. */
import { CardConfiguration } from "@accord/contracts/insights/cards";
import type { DatasetConfigInput } from "@accord/contracts/insights/dataset-config";
import { expect, test } from "vitest";
import { cardQuery } from "./card-query.ts";
import { PRINT } from "./golden/case-parts.ts";
import { byCustomer, C, config, O, pick, shop } from "./golden/shop.ts";
import { planQuery } from "./plan.ts";
import { printQuery, type Statement } from "./print.ts";
import type { Expr, Query } from "./query.ts";
import { checkDataset, resolveDataset } from "./resolve.ts";

const DATASET: DatasetConfigInput = {
  sources: [O, C],
  joins: [byCustomer("LEFT")],
  selectedFields: [pick("status"), pick("amount"), pick("placedAt", { as: "placed" })],
  filter: {
    type: "condition",
    left: { kind: "field", field: "quantity" },
    operator: "greater",
    right: [{ kind: "variable", apiName: "least" }],
  },
  variables: [{ apiName: "least", displayName: "Least quantity" } as never],
};

const CARD = CardConfiguration.parse({
  vizType: "LINE",
  xaxis: { column: "placed", grain: "month" },
  yaxis: [{ column: "amount" }],
});

const inWords = (expr: Expr): string => {
  switch (expr.kind) {
    case "column":
      return `${expr.table}.${expr.name} (${expr.dataType})`;
    case "bucket":
      return `${expr.grain} of ${inWords(expr.of)}`;
    case "aggregate":
      return `${expr.fn} of ${expr.of ? inWords(expr.of) : "rows"}`;
    case "formula":
      return `a formula (${expr.dataType})`;
  }
};

const tableInWords = ({ relation }: { relation: { schema: string; name: string } }): string =>
  `${relation.schema}.${relation.name}`;

function queryInWords({ from, joins, where, columns }: Query): string[] {
  const relationOf = (table: Query["from"]): string =>
    "relation" in table ? `${tableInWords(table)} as ${table.alias}` : `a query as ${table.alias}`;
  return [
    `from     ${relationOf(from)}`,
    ...joins.map(
      ({ type, table, on }) =>
        `join     ${type} ${relationOf(table)} on ${on.map(([left, right]) => `${inWords(left)} = ${inWords(right)}`).join(" and ")}`,
    ),
    ...where.map(
      ({ fields, variables }) =>
        `where    reads ${[...fields.values()].map(inWords).join(", ")}; variables ${JSON.stringify(Object.fromEntries(variables))}`,
    ),
    ...columns.map(({ name, expr }) => `column   ${name} = ${inWords(expr)}`),
  ];
}

const block = (kind: string, lines: readonly string[]): string[] => [`\`\`\`${kind}`, ...lines, "```", ""];
const sqlOf = ({ text, params }: Statement): string[] =>
  block("sql", [...params.map((value, at) => `-- $${at + 1} = ${JSON.stringify(value)}`), ...text.split("\n")]);

test("what each stage makes of a dataset and a card upon it", async () => {
  const query = resolveDataset(config(DATASET), shop(), { values: { least: 2 } });
  const planned = planQuery(query);
  const wrong = { ...DATASET, selectedFields: [pick("stauts")] };
  const page = [
    "# A question on its way to SQL",
    "",
    "Orders of at least some quantity, with their customers joined; a line chart of their amounts by month upon it.",
    "",
    "## Resolved",
    "",
    "`resolveDataset` looks every name up in the catalogue. Types are known, the variable has its value.",
    "",
    ...block("text", queryInWords(query)),
    "What can't be resolved is reported at its place, all of it at once (here a field `stauts`):",
    "",
    ...block("json", JSON.stringify(checkDataset(config(wrong), shop()), null, 2).split("\n")),
    "## Planned",
    "",
    "`planQuery` leaves out joins that change nothing: of the customer nothing is read, and its key is unique.",
    "",
    ...block("text", queryInWords(planned)),
    "## Printed",
    "",
    "`printQuery` writes the dataset as SQL. Values are bind parameters; names come from the catalogue and are quoted.",
    "",
    ...sqlOf(printQuery(planned, PRINT)),
    "## The card's query",
    "",
    "`cardQuery` cuts the dataset to what the chart shows: its columns, its grain, and no more points than a browser likes.",
    "",
    ...sqlOf(cardQuery(CARD, query, PRINT)),
  ];
  await expect(page.join("\n")).toMatchFileSnapshot("question.golden.md");
});
