/** What the keys of the pipeline graph do, for the list of shortcuts. */
export const syncKeys = {
  keys: {
    title: "Pipeline graph",
    addNext: "Add a node after the selected one",
    branch: "Another branch, while a node is added",
    configure: "Configure",
    rename: "Rename",
    remove: "Remove",
    nudge: "Move the selected nodes",
    selectAll: "Select all nodes",
    selectMore: "Add the node that has the focus to the selection, or take it out",
    copy: "Copy",
    cut: "Cut",
    paste: "Paste",
    duplicate: "Duplicate",
    group: "Group",
    find: "Find a node",
    save: "Save at once",
  },
} as const;
