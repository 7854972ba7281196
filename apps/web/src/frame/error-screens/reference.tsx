/**
 * The number of a failed request or of a report, to quote to support: copied with one press once that part of the kit is
 * loaded, plain text until then and wherever it can't be.
 */
import { lazy, Suspense } from "react";

interface ReferenceProps {
  id: string;
  /** Word before the id: "Request". */
  label?: string;
}

function PlainReference({ id, label }: ReferenceProps) {
  return (
    <span>
      {label ? `${label} ` : ""}
      <code>{id}</code>
    </span>
  );
}

/** Its tooltip is 20 kB of script that no page needs before something fails. */
const CopyableReference = lazy(() =>
  import("./copyable-reference.ts").then(
    ({ CopyableId }) => ({ default: CopyableId }),
    () => ({ default: PlainReference }),
  ),
);

export function Reference(props: ReferenceProps) {
  return (
    <Suspense fallback={<PlainReference {...props} />}>
      <CopyableReference {...props} />
    </Suspense>
  );
}
