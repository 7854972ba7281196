/** Search, filters and the head of a page. */
import { Button } from "@mantine/core";
import { IconFilter, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ColumnChoice } from "../data-table/column-choice.tsx";
import { PageHeader, Toolbar } from "../page-header/page-header.tsx";
import { SearchBox } from "../search-box/search-box.tsx";
import { StatusTag } from "../status-tag/status-tag.tsx";
import { FilterChips } from "./filter-chips.tsx";

export function HeadOfAPage() {
  const [text, setText] = useState("");
  const [hidden, setHidden] = useState<string[]>([]);
  return (
    <div style={{ display: "grid", gap: 16 }}>
      <PageHeader
        title="Account records"
        subtitle="120,000 records"
        tags={<StatusTag tone="ok">Published</StatusTag>}
        actions={<Button leftSection={<IconPlus size={16} />}>New record</Button>}
      />
      <Toolbar
        end={
          <ColumnChoice
            columns={[
              { id: "a", header: "Name" },
              { id: "b", header: "Domain" },
            ]}
            hidden={hidden}
            onChange={setHidden}
          />
        }
      >
        <SearchBox value={text} onChange={setText} placeholder="Search records" />
        <Button variant="default" leftSection={<IconFilter size={16} />}>
          Filter
        </Button>
      </Toolbar>
      <FilterChips
        onClear={() => {}}
        chips={[
          { id: "1", label: "Country is one of Austria, Italy", onRemove: () => {} },
          { id: "2", label: "Amount is greater than 100", onRemove: () => {} },
        ]}
      />
    </div>
  );
}
