/** Words of exports of datasets. */
export const insightsExports = {
  exports: {
    menu: "Export…",
    title: "Exports of {{name}}",
    about:
      "All rows of the dataset as it is saved, in one file. Exports run one after the other, times are in UTC, and files are deleted after a day.",
    format: "Format",
    formats: { CSV: "CSV", XLSX: "Excel (XLSX)" },
    formatHelp: {
      CSV: "Up to {{rows}} rows. Texts that begin like a formula get an apostrophe in front.",
      XLSX: "Up to {{rows}} rows. Numbers of more than 15 digits are written as texts, since Excel would round them.",
    },
    start: "Start export",
    started: "The export has started",
    mayNotStart:
      "You may see your exports here, but not start one. That takes the permissions “EXPORT_DATASET” and “PREVIEW_DATACARD”.",
    mayNotSee: "You may start exports, but not see them. Ask an administrator for “VIEW_EXPORT_JOBS”.",
    list: "Your exports",
    none: "No exports yet",
    noneBody: "Choose a format and start one; you can leave this page meanwhile.",
    status: {
      QUEUED: "Waiting",
      RUNNING: "Running",
      COMPLETED: "Completed",
      FAILED: "Failed",
      CANCELED: "Canceled",
    },
    waiting: "Waits for its turn",
    rowsOf: "{{rows}} of {{total}} rows",
    rowsSoFar_one: "{{rows}} row so far",
    rowsSoFar_other: "{{rows}} rows so far",
    rows_one: "{{rows}} row",
    rows_other: "{{rows}} rows",
    progress: "Progress of {{name}}",
    expires: "kept until {{when}}",
    cancel: "Cancel",
    cancelOf: "Cancel {{name}}",
    download: "Download",
    downloadOf: "Download {{name}}",
    again: "Try again",
    againOf: "Try again: {{name}}",
    delete: "Delete",
    deleteOf: "Delete {{name}}",
    deleted: "Export deleted",
    /** Under the bell of the person who started it. */
    ended: { completed: "The export {{name}} can be downloaded", failed: "The export {{name}} failed" },
    /** Why an export failed, and what to do. */
    failed: {
      xlsx_rows:
        "An Excel sheet holds {{limit}} rows below its header, and this dataset has more. Export it as CSV, or filter it.",
      xlsx_cell:
        "A text of “{{column}}” has more than {{limit}} characters, the most that a cell in Excel holds. Export it as CSV.",
      csv_rows: "The dataset has more than {{limit}} rows, the most of one export. Filter it and export it in parts.",
      bytes: "The file would be larger than {{limit}} MB. Filter the dataset, or choose fewer columns.",
      value_bytes:
        "Row {{row}} has a text of more than {{limit}} MB in “{{column}}”, the most that an export holds. Shorten it, leave the column out, or filter the row out.",
      row_bytes:
        "Row {{row}} has more than {{limit}} MB of texts, the most that a row of an export holds. Choose fewer columns, or filter the row out.",
      time: "The export took longer than {{minutes}} minutes. Filter the dataset, or make it simpler.",
      computed_text:
        "A formula of “{{column}}” makes texts of more than {{limit}} characters, which would be cut. Shorten them in the formula.",
      dataset_gone: "The dataset or something that it is built on was deleted meanwhile.",
      lost: "The server stopped {{count}} times while this export ran. Try again later.",
      unexpected: "Something unexpected went wrong. Try again; the server's log says more.",
    },
  },
} as const;
