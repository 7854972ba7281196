/** Every card type with a small answer, without one, and with long names. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { CARD_VIEWS } from "./views.ts";

const HEIGHT = 240;

const axis = (column: string, displayName: string) => ({
  column,
  name: column,
  displayName,
  displayFormat: "number" as const,
});
const sales = axis("sales", "Sales");
const region = { ...axis("region", "Region"), displayFormat: "text" as const };

const REGIONS = ["North", "South", "West of the old river and everything beyond it", "East"];
const MONTHS = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"];

const answer = (columns: CardData["columns"], rows: CardData["rows"]): CardData => ({
  columns,
  rows,
  reduction: null,
  asOf: "2026-06-01T08:00:00.000Z",
  dataAsOf: "2026-06-01T07:59:00.000Z",
  label: "",
});
const byRegion = answer(
  [
    { name: "x", displayName: "Region", dataType: "string" },
    { name: "y0", displayName: "Sales", dataType: "integer" },
  ],
  REGIONS.map((x, at) => ({ x, y0: 4_200 - at * 1_150 })),
);
const byMonth = answer(
  [
    { name: "x", displayName: "Month", dataType: "date" },
    { name: "y0", displayName: "Sales", dataType: "integer" },
  ],
  MONTHS.map((x, at) => ({ x, y0: 900 + ((at * 370) % 800) })),
);
const asColumns = (rows: CardData["rows"]) =>
  answer(
    [
      { name: "c0", displayName: "Region", dataType: "string" },
      { name: "c1", displayName: "Sales", dataType: "integer" },
    ],
    rows,
  );
const single = answer([{ name: "c0", displayName: "Sales", dataType: "integer" }], [{ c0: 10_900 }]);

function Card({ data, ...configuration }: CardConfigurationInput & { data: CardData }) {
  const View = CARD_VIEWS[configuration.vizType];
  return (
    <div style={{ height: HEIGHT }}>
      <View card={CardConfiguration.parse(configuration)} data={data} />
    </div>
  );
}

export const Column = () => <Card vizType="COLUMN" xaxis={region} yaxis={[sales]} data={byRegion} />;
export const Bar = () => <Card vizType="BAR" xaxis={region} yaxis={[sales]} data={byRegion} />;
export const Line = () => <Card vizType="LINE" xaxis={{ ...region, grain: "month" }} yaxis={[sales]} data={byMonth} />;
export const LineWithoutRows = () => (
  <Card vizType="LINE" xaxis={{ ...region, grain: "month" }} yaxis={[sales]} data={{ ...byMonth, rows: [] }} />
);
export const Donut = () => (
  <Card vizType="PIE" legendPosition="RIGHT" category={region} value={sales} data={byRegion} />
);
export const DonutWithNegatives = () => (
  <Card
    vizType="PIE"
    category={region}
    value={sales}
    data={{ ...byRegion, rows: byRegion.rows.map((row, index) => (index === 1 ? { ...row, y0: -1_200 } : row)) }}
  />
);
export const ColumnWithTwoFormats = () => (
  <Card
    vizType="COLUMN"
    xaxis={{ ...region, grain: "month" }}
    yaxis={[sales, { ...axis("revenue", "Revenue"), displayFormat: "currency" }]}
    data={{
      ...byMonth,
      columns: [...byMonth.columns, { name: "y1", displayName: "Revenue", dataType: "integer" }],
      rows: byMonth.rows.map((row, index) => ({ ...row, y1: 40_000 + index * 9_000 })),
    }}
  />
);
export const Metric = () => <Card vizType="METRIC" columns={[sales]} data={single} />;
export const Gauge = () => (
  <Card
    vizType="GAUGE"
    columns={[sales]}
    ranges={[
      { name: "Below plan", color: "warning", minimumValue: 0, maximumValue: 10_000 },
      { name: "On plan", color: "positive", minimumValue: 10_000, maximumValue: 15_000 },
    ]}
    data={single}
  />
);
export const Funnel = () => (
  <Card
    vizType="FUNNEL"
    legendPosition="LEFT"
    measure={sales}
    dataField={{ column: "region", name: "region" }}
    data={byRegion}
  />
);
export const Table = () => (
  <Card
    vizType="TABLE"
    columns={[region, sales]}
    data={asColumns(REGIONS.map((c0, at) => ({ c0, c1: 4_200 - at * 1_150 })))}
  />
);
