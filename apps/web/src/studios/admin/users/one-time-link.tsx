/** Makes a one-time link that sets somebody's password, and shows it once to whoever hands it over. */
import type { Id } from "@accord/contracts";
import { createOneTimeLink } from "@accord/contracts/identity/users";
import { CopyableId } from "@accord/ui";
import { Button } from "@mantine/core";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export function OneTimeLink({ userId, lead }: { userId: Id<"user">; lead: string }) {
  const { t } = useWords("identity");
  const make = useCall(createOneTimeLink);
  if (make.data)
    return (
      <section className="ac-form" aria-label={t("users.oneTimeLink")}>
        <p className="ac-form__lead">
          {t(make.data.kind === "invitation" ? "users.invitationLinkMade" : "users.resetLinkMade")}
        </p>
        <CopyableId id={make.data.link} />
      </section>
    );
  return (
    <section className="ac-form" aria-label={t("users.oneTimeLink")}>
      <p className="ac-form__lead">{lead}</p>
      {make.isError ? <RefusalBox error={make.error} /> : null}
      <div>
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate({ params: { userId } })}>
          {t("users.oneTimeLink")}
        </Button>
      </div>
    </section>
  );
}
