/** Outlines of what is still loading. */
import { CardSkeleton, FormSkeleton, TableSkeleton } from "./skeletons.tsx";

export const Table = () => <TableSkeleton rows={4} columns={4} />;
export const CardOutline = () => <CardSkeleton height={140} />;
export const Form = () => <FormSkeleton fields={3} />;
