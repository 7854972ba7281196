/** The box in the middle of an outsider's page: password, code, expired. */
import type { ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import "./shared-view.css";

export function Door({
  icon,
  title,
  body,
  tone,
  children,
}: {
  icon: ReactNode;
  title: string;
  body: ReactNode;
  tone?: "warn";
  children?: ReactNode;
}) {
  const { t } = useWords("insights");
  return (
    <div className="ac-outside">
      <main className="ac-door">
        <section className="ac-door__box">
          <span className="ac-door__sign" data-tone={tone} aria-hidden="true">
            {icon}
          </span>
          <h1>{title}</h1>
          <p>{body}</p>
          {children}
        </section>
      </main>
      <footer className="ac-outside__foot">{t("outside.product")}</footer>
    </div>
  );
}
