/** Says in short that something is done, for as long as everywhere in Insights Studio. */
import { toast } from "../../../shared/toast.tsx";

const SUCCESS_MS = 1_500;

export const showSuccess = (message: string): void => toast.success(message, { closesAfterMs: SUCCESS_MS });
