/**
 * Names of objects in breadcrumbs. Each kind says how to find the name of an id; a feature adds its line.
 * The raw id is shown while nothing is found, or when the id is too short to be looked up.
 */
import { useQuery } from "@tanstack/react-query";

/** Reads a name, usually through the query cache: `(id) => queryClient.ensureQueryData(endpointQuery(…)).then(…)`. */
export type NameOf = (id: string) => Promise<string>;

export type CrumbKind =
  | "connector"
  | "entity"
  | "quickStart"
  | "field"
  | "qualityDashboard"
  | "dashboard"
  | "referenceData"
  | "folder"
  | "file"
  | "dataset"
  | "dataCard"
  | "emailNotification"
  | "webhookNotification"
  | "record"
  | "user"
  | "mail";

const nameOf: Partial<Record<CrumbKind, NameOf>> = {};

/** A feature registers how its objects are named, once, in its queries or routes file. */
export function registerCrumbName(kind: CrumbKind, find: NameOf): void {
  nameOf[kind] = find;
}

const MIN_ID_LENGTH = 20;
const SHORT_IDS_ALLOWED: readonly CrumbKind[] = ["qualityDashboard", "entity", "quickStart", "dashboard"];

/** Short ids are of no stored object, except for these kinds, whose samples have short ids. */
export const isLookedUp = (kind: CrumbKind, id: string): boolean =>
  id.length >= MIN_ID_LENGTH || SHORT_IDS_ALLOWED.includes(kind);

/** The object's name, or its raw id. */
export function useCrumbName(kind: CrumbKind | undefined, id: string): string {
  const find = kind && nameOf[kind];
  const { data } = useQuery({
    queryKey: ["crumb", kind, id],
    queryFn: () => (find ? find(id) : Promise.resolve(id)),
    enabled: kind !== undefined && find !== undefined && isLookedUp(kind, id),
    retry: false,
  });
  return data ?? id;
}
