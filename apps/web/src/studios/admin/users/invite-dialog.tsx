/** Invites a person by e-mail, with roles in the current instance. */
import { inviteUser, listUsers } from "@accord/contracts/identity/users";
import type { RoleKey } from "@accord/contracts/identity/roles";
import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { useIsChanged } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { FormDialog } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useWords("identity");
  const session = useSession();
  const [draft, setDraft] = useState({ email: "", firstName: "", lastName: "" });
  const [roles, setRoles] = useState<string[]>(["VIEWER"]);
  const isChanged = useIsChanged([draft, roles]);
  const invite = useCall(inviteUser, {
    refreshes: [listUsers],
    onSuccess: (user) => {
      toast.success(t("users.invited", { email: user.email }));
      onClose();
    },
  });
  const refused = invite.error instanceof ApiError ? invite.error : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const here = session.currentInstanceAccordId;
    // The server parses each role key again; the choice only offers those it listed.
    invite.mutate({ body: { ...draft, userRoles: here ? { [here]: roles as RoleKey[] } : {} } });
  };
  const input = (name: keyof typeof draft, label: string, type = "text") => (
    <TextInput
      label={label}
      type={type}
      required
      withAsterisk={false}
      autoComplete="off"
      value={draft[name]}
      error={refused?.problemOf(name)}
      onChange={(event) => setDraft((old) => ({ ...old, [name]: event.target.value }))}
      data-autofocus={name === "email" || undefined}
    />
  );
  return (
    <FormDialog isDirty={isChanged} opened onClose={onClose} title={t("users.inviteTitle")} size={480}>
      <form className="ac-form" onSubmit={submit}>
        <p className="ac-form__lead">{t("users.inviteLead")}</p>
        {refused && refused.fieldProblems.length === 0 ? <RefusalBox error={refused} /> : null}
        {input("email", t("users.email"), "email")}
        <div className="ac-form__pair">
          {input("firstName", t("profile.firstName"))}
          {input("lastName", t("profile.lastName"))}
        </div>
        <RoleChoice
          legend={t("users.rolesHint", { instance: session.currentInstanceName ?? "" })}
          value={roles}
          onChange={setRoles}
        />
        <div className="ac-form__foot">
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={invite.isPending}>
            {t("users.sendInvite")}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
