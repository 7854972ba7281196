/** Search over instances: part of display name, organisation name or id, in any case. */
export function findInstances<Found extends { displayName: string; orgName: string; accordId: string }>(
  instances: readonly Found[],
  text: string,
): readonly Found[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return instances;
  return instances.filter(({ displayName, orgName, accordId }) =>
    [displayName, orgName, accordId].some((part) => part.toLowerCase().includes(wanted)),
  );
}
