/** One's own profile: name, picture, time zone and password. */
import { getCurrentUser, updateProfile } from "@accord/contracts/identity/users";
import { PASSWORD_LENGTH, updatePassword } from "@accord/contracts/identity/sign-in";
import { Card, ErrorBox, PageBody, PageHeader } from "@accord/ui";
import { Avatar, Button, FileButton, PasswordInput, Select, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError, explanationOf } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useCall } from "../../../app/queries.ts";
import { useSession } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { checkNewPassword } from "../sign-in/new-password.model.ts";
import { shrinkPhoto } from "./shrink-photo.ts";
import { timeZoneChoices } from "../../../shared/time-zones.ts";
import "./profile-screen.css";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function ProfileScreen() {
  const { t } = useWords("identity");
  usePage({ title: t("profile.title") });
  const session = useSession();
  return (
    <PageBody narrow>
      <PageHeader title={t("profile.title")} subtitle={session.email} />
      <AboutYou key={session.id} />
      <Password />
    </PageBody>
  );
}

function AboutYou() {
  const { t } = useWords("identity");
  const session = useSession();
  const [zones] = useState(() => timeZoneChoices(Date.now()));
  const initial = {
    firstName: session.firstName,
    lastName: session.lastName,
    timeZone: session.timeZone,
    photo: session.photo ?? "",
  };
  const [draft, setDraft] = useState(initial);
  const [photoProblem, setPhotoProblem] = useState(false);
  const save = useCall(updateProfile, {
    refreshes: [getCurrentUser],
    onSuccess: () => toast.success(t("profile.updated")),
    onError: (error) => toast.error(t("profile.error", { message: explanationOf(error) })),
  });
  const change = (part: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...part }));
  const dirty = JSON.stringify(draft) !== JSON.stringify(initial);
  useUnsavedChanges(dirty);
  const problemOf = (path: string) => (save.error instanceof ApiError ? save.error.problemOf(path) : undefined);
  const choose = (file: File | null) => {
    if (!file) return;
    shrinkPhoto(file).then(
      (photo) => {
        setPhotoProblem(false);
        change({ photo });
      },
      () => setPhotoProblem(true),
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { photo, ...names } = draft;
    save.mutate({ body: { id: session.id, ...names, ...(photo === initial.photo ? {} : { photo }) } });
  };

  return (
    <Card title={t("profile.about")}>
      <form className="ac-profile" onSubmit={submit}>
        <div className="ac-profile__photo">
          <Avatar src={draft.photo || null} alt="" size={56} color="brand" variant="light">
            {`${draft.firstName.slice(0, 1)}${draft.lastName.slice(0, 1)}`.toUpperCase()}
          </Avatar>
          <FileButton accept="image/png,image/jpeg,image/webp" onChange={choose}>
            {(props) => (
              <Button variant="default" {...props}>
                {t("profile.choosePhoto")}
              </Button>
            )}
          </FileButton>
          {draft.photo ? (
            <Button variant="subtle" onClick={() => change({ photo: "" })}>
              {t("profile.removePhoto")}
            </Button>
          ) : null}
        </div>
        {photoProblem ? <ErrorBox message={t("profile.photoProblem")} /> : null}
        <div className="ac-profile__pair">
          <TextInput
            label={t("profile.firstName")}
            value={draft.firstName}
            maxLength={80}
            autoComplete="given-name"
            error={problemOf("firstName")}
            onChange={(event) => change({ firstName: event.currentTarget.value })}
          />
          <TextInput
            label={t("profile.lastName")}
            value={draft.lastName}
            maxLength={80}
            autoComplete="family-name"
            error={problemOf("lastName")}
            onChange={(event) => change({ lastName: event.currentTarget.value })}
          />
        </div>
        <Select
          label={t("profile.timeZone")}
          description={t("profile.timeZoneHint")}
          data={zones}
          limit={80}
          searchable
          value={draft.timeZone}
          error={problemOf("timeZone")}
          onChange={(timeZone) => timeZone && change({ timeZone })}
        />
        <div className="ac-profile__foot">
          {dirty ? <span>{t("shell:state.unsaved")}</span> : null}
          <Button type="submit" disabled={!dirty} loading={save.isPending}>
            {t("shell:action.save")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

const NOTHING = { current: "", password: "", confirm: "" };

function Password() {
  const { t } = useWords("identity");
  const session = useSession();
  const [draft, setDraft] = useState(NOTHING);
  const [checked, setChecked] = useState(false);
  const change = useCall(updatePassword, {
    onSuccess: () => {
      setDraft(NOTHING);
      setChecked(false);
      toast.success(t("profile.passwordUpdated"));
    },
    onError: (error) => toast.error(t("profile.passwordError", { message: explanationOf(error) })),
  });
  useUnsavedChanges(draft !== NOTHING);
  const problems = checked ? checkNewPassword(draft.password, draft.confirm) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const found = checkNewPassword(draft.password, draft.confirm);
    if (found.password || found.confirm || draft.current === "") return;
    change.mutate({
      params: { userId: session.id },
      body: { userId: session.id, currentPwd: draft.current, newPwd: draft.password },
    });
  };
  const input = (name: keyof typeof NOTHING, label: string, error: string | undefined, autoComplete: string) => (
    <PasswordInput
      label={label}
      value={draft[name]}
      error={error}
      autoComplete={autoComplete}
      maxLength={PASSWORD_LENGTH.max}
      visibilityToggleButtonProps={{ "aria-label": t("reset.show") }}
      onChange={(event) => setDraft((old) => ({ ...old, [name]: event.target.value }))}
    />
  );
  const needed = (label: string) => t("reset.required", { label });
  const refused = change.error instanceof ApiError ? change.error : undefined;
  return (
    <Card title={t("profile.password")}>
      <form className="ac-profile" onSubmit={submit} noValidate>
        {refused ? <RefusalBox error={refused} /> : null}
        {input(
          "current",
          t("profile.current"),
          checked && draft.current === "" ? needed(t("profile.current")) : undefined,
          "current-password",
        )}
        <div className="ac-profile__pair">
          {input(
            "password",
            t("profile.newOne"),
            problems.password ? needed(t("profile.newOne")) : refused?.problemOf("newPwd"),
            "new-password",
          )}
          {input(
            "confirm",
            t("profile.confirm"),
            problems.confirm === "required"
              ? needed(t("profile.confirm"))
              : problems.confirm
                ? t("reset.matchError")
                : undefined,
            "new-password",
          )}
        </div>
        <div className="ac-profile__foot">
          <span>{t("profile.endsOthers")}</span>
          <Button type="submit" loading={change.isPending} disabled={draft.password === "" && draft.current === ""}>
            {t("profile.change")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
