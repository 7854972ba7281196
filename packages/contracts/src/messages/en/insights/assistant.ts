/** Words of the assistant of data cards. */
export const insightsAssistant = {
  assistant: {
    sourceUnknown: "It names a dataset or entity that was not among those asked about.",
    nothingNamed: "It names no dataset, entity or column that there is here. Use their names, as in the examples.",
    noChange: "It changes nothing of what is proposed. Name a column, a filter, a chart or a number.",
  },
} as const;
