/** Label, help, control and problem of one value, tied together for screen readers; for controls Mantine has none of. */
import { Input } from "@mantine/core";
import { useId, type ReactNode } from "react";

export interface FieldProps {
  label: ReactNode;
  help?: ReactNode;
  problem?: ReactNode;
  required?: boolean;
  /** Right end of the label's line: a small action. */
  children: (ids: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": boolean | undefined;
  }) => ReactNode;
}

export function Field({ label, help, problem, required = false, children }: FieldProps) {
  const id = useId();
  const describedBy = [help ? `${id}-description` : "", problem ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <Input.Wrapper id={id} label={label} description={help} error={problem} required={required} labelElement="label">
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": problem ? true : undefined })}
    </Input.Wrapper>
  );
}
