/** Pages of the pipelines table, and how long they are. */
import { Pagination, Select } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";

/** Rows; with no more there is nothing to page through. */
export const SHORTEST_PAGE = 10;
const PAGE_SIZES = [SHORTEST_PAGE, 25, 50, 100].map(String);

interface Props {
  total: number;
  page: number;
  pageSize: number;
  onChange: (part: { page: number | undefined; pageSize?: number }) => void;
}

export function TablePaging({ total, page, pageSize, onChange }: Props) {
  const { t } = useWords("sync");
  return (
    <div className="ac-pipelines__paging">
      <Select
        aria-label={t("table.pageSize")}
        data={PAGE_SIZES}
        value={String(pageSize)}
        allowDeselect={false}
        w={76}
        onChange={(value) => onChange({ pageSize: Number(value), page: undefined })}
      />
      <Pagination
        total={Math.max(1, Math.ceil(total / pageSize))}
        value={page}
        onChange={(next) => onChange({ page: next })}
        getControlProps={(control) => ({ "aria-label": t(`table.${control}`) })}
      />
    </div>
  );
}
