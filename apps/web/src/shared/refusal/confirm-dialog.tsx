/** The question before what can't be undone. Its refusal stays in the dialog, with its reason. */
import { ConfirmDialog as PlainConfirmDialog, type ConfirmDialogProps } from "@accord/ui";
import { toast } from "../toast.tsx";
import { RefusalBox } from "./refusal-box.tsx";

/** What fails after the dialog has gone is shown at the lower edge. */
export function ConfirmDialog(props: Omit<ConfirmDialogProps, "onLateError">) {
  return (
    <PlainConfirmDialog
      showError={(error) => <RefusalBox error={error} />}
      onLateError={(error) => toast.failed(error)}
      {...props}
    />
  );
}
