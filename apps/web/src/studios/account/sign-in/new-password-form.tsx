/** Two password inputs that must agree, with the server's refusals above them. */
import { PASSWORD_LENGTH } from "@accord/contracts/identity/sign-in";
import { Button, PasswordInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useWords } from "../../../app/words.ts";
import { checkNewPassword, type PasswordProblems } from "./new-password.model.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface NewPasswordFormProps {
  submitLabel: string;
  /** A throw is shown above the inputs. */
  onSubmit: (password: string) => Promise<unknown>;
}

export function NewPasswordForm({ submitLabel, onSubmit }: NewPasswordFormProps) {
  const { t } = useWords("identity");
  const [problems, setProblems] = useState<PasswordProblems>({});
  const [refusal, setRefusal] = useState<{ error: unknown }>();
  const [busy, setBusy] = useState(false);
  const labels = { password: t("reset.password"), confirm: t("reset.confirm") };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [password, confirm] = [String(form.get("password")), String(form.get("confirm"))];
    const found = checkNewPassword(password, confirm);
    setProblems(found);
    setRefusal(undefined);
    const first = found.password ? "password" : found.confirm ? "confirm" : undefined;
    if (first) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    setBusy(true);
    try {
      await onSubmit(password);
    } catch (error) {
      setRefusal({ error });
      setBusy(false);
    }
  };
  const wordsFor = (part: "password" | "confirm") => {
    const problem = problems[part];
    if (!problem) return undefined;
    return problem === "required" ? t("reset.required", { label: labels[part] }) : t("reset.matchError");
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {refusal ? <RefusalBox error={refusal.error} /> : null}
      {(["password", "confirm"] as const).map((part) => (
        <PasswordInput
          key={part}
          name={part}
          label={labels[part]}
          error={wordsFor(part)}
          autoComplete="new-password"
          maxLength={PASSWORD_LENGTH.max}
          autoFocus={part === "password"}
          visibilityToggleButtonProps={{ "aria-label": t("reset.show") }}
        />
      ))}
      <Button type="submit" loading={busy} fullWidth>
        {submitLabel}
      </Button>
    </form>
  );
}
