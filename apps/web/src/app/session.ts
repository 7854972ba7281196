/** Who is signed in, in which instance, and what they may do. `useSession()`, `useCan("WRITE_STUDIO")`. */
import type { Permission } from "@accord/contracts";
import { getCurrentUser, type CurrentUser } from "@accord/contracts/identity/users";
import { useQuery } from "@tanstack/react-query";
import { endpointQuery, queryClient } from "./queries.ts";

export type Session = CurrentUser;

export const sessionQuery = endpointQuery(getCurrentUser);

/** Reads the session for a route guard; a fresh one is not asked for again. Throws `ApiError` 401 when signed out. */
export const loadSession = (): Promise<Session> => queryClient.ensureQueryData({ ...sessionQuery, staleTime: 60_000 });

/** The signed-in user. Only under the signed-in routes, whose guard has loaded it. */
export function useSession(): Session {
  const { data } = useQuery({ ...sessionQuery, staleTime: 60_000, gcTime: Number.POSITIVE_INFINITY });
  if (!data) throw new Error("useSession is for screens behind sign-in");
  return data;
}

/** Whether the user holds any of these permissions in the current instance. The server asks again, always. */
export function can(session: Session, ...anyOf: readonly Permission[]): boolean {
  return anyOf.some((permission) => session.permissions.includes(permission));
}

/** `const mayEdit = useCan("WRITE_STUDIO")`: hide the action, or disable it and say why. */
export const useCan = (...anyOf: readonly Permission[]): boolean => can(useSession(), ...anyOf);
