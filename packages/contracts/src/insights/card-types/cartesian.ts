/** What columns, bars and lines have in common: categories along one axis, values along the other. */
export const cartesian = {
  shape: { kind: "chart", category: "xaxis", values: "yaxis", series: "series" },
  options: ["stacking", "axisTitles", "referenceLine", "legend", "values"],
} as const;
