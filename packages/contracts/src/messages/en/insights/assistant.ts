/** Words of the assistant of data cards. */
export const insightsAssistant = {
  assistant: {
    sourceUnknown: "It names a dataset or entity that was not among those asked about.",
    nothingNamed: "It names no dataset, entity or column that there is here. Use their names, as in the examples.",
    noSources: "There is no dataset or entity that you may read. Ask an administrator for READ_INSIGHTS.",
    noChange: "It changes nothing of what is proposed. Name a column, a filter, a chart or a number.",
    /** Why a question is refused whose words are known. */
    refused: {
      negation:
        "It excludes something, and it is not clear what. Name the column and the value, such as “status is not Closed”.",
      comparison:
        "It compares a number, and no column of numbers stands beside it. Name the column, such as “employees over 100”.",
      mixedOr:
        "It joins filters by “and” and by “or”. A card has one of the two: ask with one of them, and set up the other under Edit the card.",
      smallest:
        "Charts draw the largest, and of dates the newest. The smallest can be listed in a table: leave out the chart, or ask “as a table”.",
      share:
        "It is not clear what the share is of. Name one column to divide by, such as “share of accounts by status”.",
      limit: "A card shows at least 1 and at most 1,000 rows or categories. Ask for a number in between.",
      tooMuch:
        "It asks for more than one card holds: 5 values, 20 columns and 20 filters with up to 50 values each. Ask for less.",
      averageOfRows:
        "A card can't show the average, median, largest or smallest of a number of rows. Ask for the number of rows, or name a column of numbers.",
      chartCategory: "This chart needs something to group by. Add a column, such as “by status” or “per month”.",
      order:
        "There is no date or number to find the newest or largest by. Name a column to order by, such as “sorted by name”.",
    },
    title: "Ask for a card",
    subtitle: "A question becomes a proposal of a dataset and a chart. Nothing is saved until you save it.",
    action: "Ask for a card",
    actionOff: "No assistant is configured. Open it to see how.",
    by: {
      none: "Nobody answers yet",
      builtIn: "Answered by built-in rules",
      model: "Answered by {{model}} at {{host}}",
    },
    offTitle: "No assistant is configured",
    offBody:
      "Questions can be answered by rules that are built in, which send nothing anywhere, or by a language model of your choice. Choose one under Configure.",
    offAsk:
      "Somebody who may enter credentials of services, such as an administrator of this instance, can choose built-in rules or a language model here.",
    configure: "Configure",
    settings: {
      title: "Who answers questions",
      who: "Answered by",
      builtIn: "Built-in rules",
      builtInHelp: "They know the names of columns, options and periods. Nothing leaves this server.",
      model: "A language model",
      modelHelp:
        "Any service in the form of OpenAI's chat completions. It is sent the question and the names, types and options of columns; values only when somebody asks for it.",
      none: "Nobody",
      noneHelp: "The assistant is off.",
      endpoint: "Base address",
      endpointHelp: "https://…/v1; /chat/completions is added.",
      modelName: "Model",
      key: "Secret key",
      keyKept: "A key is stored. Leave this empty to keep it.",
      keyHelp: "Stored encrypted and never shown again. Leave it empty for a service that needs none.",
      save: "Save",
      cancel: "Cancel",
      saved: "Assistant saved",
    },
    dataset: "Dataset",
    anyDataset: "The one that fits best",
    question: "Question",
    questionHelp: "Enter asks, Shift and Enter start a new line.",
    refine: "Change the proposal",
    refineHelp: "For example: top 5 · per month · only … · as a donut",
    samples: "Use values of this dataset",
    samplesHelp: {
      builtIn: "Some values of its text columns are read, so that they are understood without naming their column.",
      model: "Some values of its text columns are sent to the model.",
    },
    ask: "Ask",
    nowOff:
      "Questions can't be asked any more: the assistant was switched off meanwhile. What you have here stays, and can be saved.",
    examples: "Examples",
    example: {
      count: "How many {{records}}?",
      by: "{{value}} by {{category}}",
      top: "5 largest {{records}} by {{value}}",
      time: "Number of {{records}} per month",
      share: "Share of {{records}} by {{category}}",
      split: "Number of {{records}} by {{category}}",
    },
    asked: "Questions so far",
    undo: "Undo the last question",
    startOver: "Start over",
    startOverBody: "The proposal is not saved; it goes with its questions.",
    ignored: "Nothing was made of: {{words}}",
    proposal: "Proposal",
    changes: "What the last question changed",
    empty: "Ask a question to see a chart.",
    fact: {
      dataset: "Dataset",
      chart: "Chart",
      category: "By",
      series: "Split by",
      values: "Values",
      columns: "Columns",
      filter: "Filter",
      top: "At most",
      order: "Order",
    },
    newDataset: "New dataset of all {{name}} records, with {{count}} columns",
    byGrain: "{{name}}, by {{grain}}",
    aggregated: "{{aggregate}} of {{name}}",
    before: "before:",
    added: "new",
    removed: "removed",
    changed: "changed",
    edit: "Edit the card",
    backToProposal: "Back to the proposal",
    backBody: "The card goes back to what was proposed; your changes of it are lost.",
    save: "Save as a card…",
    close: "Close",
  },
} as const;
