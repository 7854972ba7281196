/** Whether somebody may make cards: the wizard creates them and then changes them. */
import { useCan } from "../../../app/session.ts";

export function useMayMakeCards(): boolean {
  const mayCreate = useCan("CREATE_DATACARD");
  return useCan("UPDATE_DATACARD") && mayCreate;
}
