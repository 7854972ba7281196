/** Fragments in the palette: inserted by a press or by dragging, hidden, shown, shared and deleted. */
import {
  deleteFragment,
  type Fragment,
  hideFragment,
  listFragments,
  showFragment,
} from "@accord/contracts/sync/fragments";
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconEye } from "@tabler/icons-react";
import { useState } from "react";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useInsertNode } from "../canvas/use-placing.ts";
import { EntryButton } from "../palette/entry-list.tsx";
import { Section } from "../palette/section.tsx";
import { fragmentEntry, useFragments } from "./fragment-entries.ts";
import { ShareFragmentDialog } from "./share-fragment-dialog.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";
import "./fragments.css";

const REFRESHES = { refreshes: [listFragments] };

export function FragmentSection() {
  const { t } = useWords("sync");
  const mayWrite = useCan("WRITE_STUDIO");
  const fragments = useFragments();
  const { place, readOnly } = useInsertNode();
  const [asked, setAsked] = useState<{ about: "share" | "delete"; fragment: Fragment } | null>(null);
  const shown = fragments.filter(({ hidden }) => !hidden);
  const hidden = fragments.filter((fragment) => fragment.hidden);
  if (fragments.length === 0 && !mayWrite) return null;
  const close = () => setAsked(null);
  return (
    <Section title={t("fragments.title")}>
      {fragments.length === 0 ? <li className="ac-palette__none">{t("fragments.hint")}</li> : null}
      {shown.map((fragment, index) => (
        <li key={fragment.id} className="ac-fragment">
          <EntryButton
            entry={{ ...fragmentEntry(fragment), help: helpOf(fragment, t) }}
            isStop={index === 0}
            disabled={readOnly}
            onPick={() => place(fragmentEntry(fragment).item)}
          />
          {mayWrite ? <FragmentMenu fragment={fragment} onAsk={(about) => setAsked({ about, fragment })} /> : null}
        </li>
      ))}
      {mayWrite && hidden.length > 0 ? <HiddenFragments fragments={hidden} /> : null}
      <ShareFragmentDialog fragment={asked?.about === "share" ? asked.fragment : null} onClose={close} />
      <DeleteFragmentDialog fragment={asked?.about === "delete" ? asked.fragment : null} onClose={close} />
    </Section>
  );
}

type Words = ReturnType<typeof useWords<"sync">>["t"];

function helpOf({ description, content, sharedBy, shareCount }: Fragment, t: Words): string {
  const origin = sharedBy ? t("fragments.sharedBy", { instance: sharedBy }) : null;
  const shares = shareCount > 0 ? t("fragments.sharedWith", { count: shareCount }) : null;
  return [description, t("fragments.nodes", { count: content.copyNodes.length }), origin, shares]
    .filter(Boolean)
    .join(" · ");
}

function FragmentMenu({ fragment, onAsk }: { fragment: Fragment; onAsk: (about: "share" | "delete") => void }) {
  const { t } = useWords("sync");
  const hide = useCall(hideFragment, REFRESHES);
  const { id: fragmentId, name, sharedBy } = fragment;
  const onHide = () =>
    void hide
      .mutateAsync({ params: { fragmentId } })
      .then(() => toast.success(t("fragments.hiddenNow", { name })))
      .catch(toast.failed);
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={26} aria-label={t("fragments.more", { name })}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onHide}>{t("fragments.hide")}</Menu.Item>
        {sharedBy === null ? (
          <>
            <Menu.Item onClick={() => onAsk("share")}>{t("fragments.share")}</Menu.Item>
            <Menu.Item color="error" onClick={() => onAsk("delete")}>
              {t("fragments.delete")}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Folded away, since they were hidden not to be seen. */
function HiddenFragments({ fragments }: { fragments: readonly Fragment[] }) {
  const { t } = useWords("sync");
  const [open, setOpen] = useState(false);
  const show = useCall(showFragment, REFRESHES);
  const onShow = ({ id: fragmentId, name }: Fragment) =>
    void show
      .mutateAsync({ params: { fragmentId } })
      .then(() => toast.success(t("fragments.shownNow", { name })))
      .catch(toast.failed);
  return (
    <li>
      <button type="button" className="ac-palette__system" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("fragments.hidden", { count: fragments.length })}
      </button>
      {open ? (
        <ul>
          {fragments.map((fragment) => (
            <li key={fragment.id} className="ac-fragment ac-fragment--hidden">
              <span>{fragment.name}</span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                aria-label={t("fragments.show", { name: fragment.name })}
                title={t("fragments.show", { name: fragment.name })}
                onClick={() => onShow(fragment)}
              >
                <IconEye size={15} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function DeleteFragmentDialog({ fragment, onClose }: { fragment: Fragment | null; onClose: () => void }) {
  const { t } = useWords("sync");
  const remove = useCall(deleteFragment, REFRESHES);
  const name = fragment?.name ?? "";
  return (
    <ConfirmDialog
      opened={fragment !== null}
      onClose={onClose}
      title={t("deleteFragment.title", { name })}
      action={t("deleteFragment.action")}
      onConfirm={async () => {
        if (!fragment) return;
        await remove.mutateAsync({ params: { fragmentId: fragment.id } });
        toast.success(t("deleteFragment.done", { name }));
      }}
    >
      {t("deleteFragment.body")}
    </ConfirmDialog>
  );
}
