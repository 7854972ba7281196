/** The page around forms for people without a session: the claim with its picture at the left, the form at the right. */
import { PRODUCT } from "@accord/contracts";
import { Mark } from "../../../frame/shell/mark.tsx";
import { useWords } from "../../../app/words.ts";
import type { ReactNode } from "react";
import { AgreementPicture } from "./agreement-picture.tsx";
import "./open-page.css";

export interface OpenPageProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}

export function OpenPage({ title, lead, children, footer }: OpenPageProps) {
  const { t } = useWords("identity");
  return (
    <div className="ac-open">
      <aside className="ac-open__claim" aria-label={PRODUCT.name}>
        <div className="ac-open__product">
          <Mark size={30} />
          {PRODUCT.name}
        </div>
        <AgreementPicture />
        <div className="ac-open__words">
          <p className="ac-open__line">{t("signIn.claim")}</p>
          <p>{t("signIn.claimBody")}</p>
        </div>
      </aside>
      <main className="ac-open__main">
        <div className="ac-open__form">
          <h1>{title}</h1>
          {lead ? <p className="ac-open__lead">{lead}</p> : null}
          {children}
          {footer ? <p className="ac-open__foot">{footer}</p> : null}
        </div>
      </main>
    </div>
  );
}
