/** One table of a file: questions, counts and warnings, first rows, and the choices of how it is written. */
import type { FileTablePreview } from "@accord/contracts/connections/connector-files";
import type { PartialFileSettings } from "@accord/contracts/connections/file-settings";
import { ErrorBox } from "@accord/ui";
import { Radio } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { useTypeWords } from "../../../shared/words/type-words.ts";
import { dayOf, idFlaw, numberOf, type Question } from "./file-preview.model.ts";
import { WrittenAs } from "./written-as.tsx";
import { PlaceList } from "../parts/place-list.tsx";

export interface TablePreviewProps {
  table: FileTablePreview;
  /** Open and answered ones. */
  questions: readonly Question[];
  chosen: PartialFileSettings;
  isOld: boolean;
  onChoose: (part: PartialFileSettings) => void;
}

export function TablePreview({ table, questions, chosen, isOld, onChoose }: TablePreviewProps) {
  const { t } = useWords("connectorFiles");
  return (
    <section className="ac-preview__table" aria-label={table.entity} data-old={isOld || undefined}>
      {table.sheet === null ? null : <h3>{t("preview.sheet", { name: table.sheet })}</h3>}
      {questions.length > 0 ? (
        <div className="ac-preview__questions">
          <h4>{t("preview.asked")}</h4>
          {questions.map((question) => (
            <Answer
              key={question.setting}
              question={question}
              answer={chosen[question.setting] ?? null}
              onAnswer={onChoose}
            />
          ))}
        </div>
      ) : null}
      <Findings table={table} />
      <Rows table={table} />
      <WrittenAs table={table} onChoose={onChoose} />
    </section>
  );
}

interface AnswerProps {
  question: Question;
  answer: string | null;
  onAnswer: (part: PartialFileSettings) => void;
}

function Answer({ question: { setting, column, example }, answer, onAnswer }: AnswerProps) {
  const { t } = useWords("connectorFiles");
  if (setting === "dates")
    return (
      <Radio.Group
        label={t("question.dates", { column, example })}
        value={answer}
        onChange={(value) => onAnswer({ dates: DATES.find((one) => one === value) })}
      >
        <Radio value="dayFirst" label={t("question.dayFirst", { read: dayOf(example, "dayFirst") })} />
        <Radio value="monthFirst" label={t("question.monthFirst", { read: dayOf(example, "monthFirst") })} />
        <Radio value="yearFirst" label={t("question.yearFirst")} />
      </Radio.Group>
    );
  return (
    <Radio.Group
      label={t("question.numbers", { column, example })}
      value={answer}
      onChange={(value) => onAnswer({ numbers: NUMBERS.find((one) => one === value) })}
    >
      <Radio value="point" label={t("question.point", { read: numberOf(example, "point") })} />
      <Radio value="comma" label={t("question.comma", { read: numberOf(example, "comma") })} />
      <Radio value="plain" label={t("question.plain")} />
    </Radio.Group>
  );
}

const DATES = ["dayFirst", "monthFirst", "yearFirst"] as const;
const NUMBERS = ["point", "comma", "plain"] as const;

function Findings({ table }: { table: FileTablePreview }) {
  const { t } = useWords("connectorFiles");
  const { unreadable, missingColumns, changes, rowCount, isComplete } = table;
  const flaw = idFlaw(table);
  return (
    <>
      <p className="ac-preview__count">
        {t("preview.rowCount", { count: rowCount })}
        {changes ? ` · ${t("changes", changes)}` : null}
      </p>
      {isComplete ? null : <ErrorBox tone="warn" message={t("preview.incomplete")} />}
      {missingColumns.length > 0 ? (
        <ErrorBox tone="warn" message={t("warning.missing", { columns: missingColumns.join(", ") })} />
      ) : null}
      {flaw ? <ErrorBox tone="warn" message={t("warning.idDoubled", flaw)} /> : null}
      {unreadable.count > 0 ? (
        <ErrorBox
          tone="warn"
          message={
            <>
              {t("warning.unreadable", { count: unreadable.count })}
              <PlaceList places={unreadable.first} />
            </>
          }
        />
      ) : null}
    </>
  );
}

function Rows({ table: { columns, rows } }: { table: FileTablePreview }) {
  const { t } = useWords("connectorFiles");
  const typeWord = useTypeWords();
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div className="ac-entity__sample" role="region" aria-label={t("preview.rows")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name, dataType }) => (
              <th key={name} scope="col">
                {name}
                <small>{typeWord(dataType)}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map(({ written, read }, column) => (
                <td
                  key={columns[column]?.name ?? column}
                  title={read === written ? written : t("preview.written", { text: written })}
                  data-unread={read === null || undefined}
                >
                  {read ?? `${written} (${t("preview.unread")})`}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
