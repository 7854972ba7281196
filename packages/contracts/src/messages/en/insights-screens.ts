/** Words on the screens of Insights Studio. */
export const insightsScreens = {
  title: "Insights studio",
} as const;
