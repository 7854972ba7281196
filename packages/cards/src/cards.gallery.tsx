/** Every card type with a small answer, without one, and with long names. */
import { CardConfiguration, type CardConfigurationInput, type CardData } from "@accord/contracts/insights/cards";
import { axis, byMonth, byRegion, region, sales } from "./examples/example.fixtures.ts";
import { CARD_EXAMPLES } from "./examples/examples.fixtures.ts";
import { CARD_VIEWS } from "./views.ts";

const HEIGHT = 240;

function Card({ data, ...configuration }: CardConfigurationInput & { data: CardData }) {
  const View = CARD_VIEWS[configuration.vizType];
  return (
    <div style={{ height: HEIGHT }}>
      <View card={CardConfiguration.parse(configuration)} data={data} />
    </div>
  );
}

const example = ({ card, data }: (typeof CARD_EXAMPLES)["COLUMN"]) => <Card {...card} data={data} />;

export const Column = () => example(CARD_EXAMPLES.COLUMN);
export const Bar = () => example(CARD_EXAMPLES.BAR);
export const Line = () => example(CARD_EXAMPLES.LINE);
export const LineWithoutRows = () => example({ ...CARD_EXAMPLES.LINE, data: { ...byMonth, rows: [] } });
export const Donut = () => example(CARD_EXAMPLES.PIE);
export const DonutWithNegatives = () =>
  example({
    ...CARD_EXAMPLES.PIE,
    data: { ...byRegion, rows: byRegion.rows.map((row, index) => (index === 1 ? { ...row, y0: -1_200 } : row)) },
  });
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
export const Metric = () => example(CARD_EXAMPLES.METRIC);
export const Gauge = () => example(CARD_EXAMPLES.GAUGE);
export const Funnel = () => example(CARD_EXAMPLES.FUNNEL);
export const Table = () => example(CARD_EXAMPLES.TABLE);
