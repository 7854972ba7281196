/** Words of addresses in Sync Studio that lead nowhere. */
export const syncAddresses = {
  notFound: "No pipeline or page of Sync studio has this address. It may have been deleted, or the address is cut off.",
  all: "All pipelines",
} as const;
