/** Changes what a person may do in the current instance. */
import type { RoleKey } from "@accord/contracts/identity/roles";
import { changeUserRoles, getCurrentUser, listUsers, type User } from "@accord/contracts/identity/users";
import { Button, Checkbox } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { FormDialog } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function RolesDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useWords("identity");
  const session = useSession();
  const here = session.currentInstanceAccordId;
  const name = `${user.firstName} ${user.lastName}`.trim();
  const before: readonly string[] = (here ? user.userRoles[here] : undefined) ?? [];
  const [roles, setRoles] = useState<readonly string[]>(before);
  const [orgAdmin, setOrgAdmin] = useState(user.orgAdmin);
  const save = useCall(changeUserRoles, {
    refreshes: [listUsers, getCurrentUser],
    onSuccess: () => {
      toast.success(t("users.rolesSaved", { name }));
      onClose();
    },
  });
  const dirty = orgAdmin !== user.orgAdmin || [...roles].sort().join() !== [...before].sort().join();
  const refused = save.error instanceof ApiError ? save.error : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      params: { userId: user.id },
      body: {
        ...(here ? { userRoles: { [here]: roles as RoleKey[] } } : {}),
        ...(orgAdmin === user.orgAdmin ? {} : { orgAdmin }),
      },
    });
  };
  return (
    <FormDialog
      isDirty={dirty && !save.isPending}
      opened
      onClose={onClose}
      title={t("users.editRolesTitle", { name })}
      size={480}
    >
      <form className="ac-form" onSubmit={submit}>
        {refused ? <RefusalBox error={refused} /> : null}
        {session.orgAdmin ? (
          <div className="ac-role-choice">
            <Checkbox
              label={t("users.orgAdmin")}
              description={t("users.orgAdminHint")}
              checked={orgAdmin}
              onChange={(event) => setOrgAdmin(event.currentTarget.checked)}
            />
          </div>
        ) : null}
        <RoleChoice
          legend={t("users.rolesHint", { instance: session.currentInstanceName ?? "" })}
          value={roles}
          onChange={setRoles}
        />
        <div className="ac-form__foot">
          <Button variant="default" onClick={onClose}>
            {t("shell:action.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!dirty}>
            {t("users.saveRoles")}
          </Button>
        </div>
      </form>
    </FormDialog>
  );
}
