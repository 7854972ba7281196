/** Words for the rules of pipeline graphs: refused edges and groups, clipboard, and the problems validation lists. */
export const graph = {
  edge_end_missing: "An edge needs a node at both ends.",
  edge_onto_itself: "A node can't be connected to itself.",
  edge_exists: "These two nodes are connected already.",
  edge_into_predicate: "Nothing can be drawn into a decision. Drop the decision onto an edge, or add it behind a node.",
  edge_into_source: "A source is where records start: nothing leads into it.",
  edge_out_of_sink: "A destination is where records end: nothing leads out of it.",
  edge_past_core: "Records reach a destination through the core entity. Connect the source to the core entity instead.",
  loop_end_only_to_start: "End loop leads back to its loop start only.",
  loop_start_only_to_loop_side: "A loop start leads to the functions inside the loop.",
  edge_closes_circle: "This edge would close a circle. Only End loop may lead back.",

  group_empty: "Select at least one node to group.",
  group_in_group: "A group can't hold another group.",
  group_has_core: "The core entity can't be part of a group.",
  node_in_other_group: "A node belongs to one group only. Take it out of its group first.",
  source_mismatch: "The nodes in a group must be reached from the same nodes.",
  destination_mismatch: "The nodes in a group must lead to the same nodes.",
  multiple_sides: "A group stands on one side of the core entity.",
  invalid_connections: "These nodes are connected too differently to form a group.",
  group_created: "Group created",

  invalid_selection: "Only functions and actions can be copied. Select at least one.",
  action_dangling_not_allowed: "A decision or loop can be copied only together with everything it is connected to.",
  no_clipboard_data_found: "There is nothing to paste. Copy some nodes first.",
  invalid_paste_scope_instance: "These nodes were copied in another instance and can't be pasted here.",
  invalid_paste_scope_pipeline_entity:
    "These nodes were copied from an entity pipeline and can't be pasted into a field pipeline.",
  invalid_paste_scope_pipeline_field:
    "These nodes were copied from a field pipeline and can't be pasted into an entity pipeline.",

  problem: {
    core_unpublished: "{{label}}: the entity has not been published. Publish it in the Schema studio first.",
    core_missing: "The pipeline has no core entity. Add the core entity node.",
    core_repeated: "{{label}}: there is more than one core entity node. Keep one.",
    source_missing: "The pipeline has no source. Add a source and connect it to the core entity.",
    schedule_invalid: "{{label}}: the schedule {{reason}}.",
    source_not_connected: "{{label}}: no path leads from this source to the core entity. Connect it.",
    sink_not_connected: "{{label}}: no path leads from the core entity to this destination. Connect it.",
    node_disabled: "{{label}} can't be used here. {{message}}",
    node_unreachable: "{{label}}: no record reaches this node. Connect it or remove it.",
    node_leads_nowhere: "{{label}}: nothing follows this node, so records stop here. Connect it or remove it.",
    label_missing: "A node has no label. Give it one.",
    label_repeated: "{{label}}: another node has the same label. Rename one of them.",
    connector_not_chosen: "{{label}}: no synapse entity is chosen. Choose one in its settings.",
    connector_unknown: "{{label}}: its synapse no longer exists. Choose another one.",
    connector_not_active: "{{label}}: the synapse {{connector}} is {{status}}. Activate it first.",
    connector_entity_unknown:
      "{{label}}: {{connector}} has no entity {{entity}}. Choose another one or refresh its schema.",
    connector_entity_id_missing: "{{label}}: Id not defined for {{entity}}. Choose its id field on the synapse's page.",
    connector_entity_watermark_missing:
      "{{label}}: {{entity}} can't be asked for its changes alone, so every pass reads all of it. On the synapse's page, choose its watermark field and, for an API, say how it is asked for changes.",
    connector_entity_read_only: "{{label}}: {{entity}} can't be written. Choose another entity.",
    sink_cannot_create: "{{label}}: {{entity}} can't take new records. Switch off Create.",
    sink_creates_at_least_once:
      "{{label}}: new records reach {{entity}} at least once. It takes no idempotency key and can't be searched, so one whose answer is lost may be there twice if it is edited before it is read again. Set up one of both on the synapse's page where its API allows it.",
    sink_cannot_update: "{{label}}: {{entity}} can't take updates. Switch off Update.",
    sink_cannot_delete: "{{label}}: {{entity}} can't delete records. Switch off Delete.",
    place_repeated: "{{label}}: {{entity}} is used by another node on the same side. Keep one of them.",
    mapping_missing: "{{label}}: no field is mapped. Map at least one.",
    mapping_row_unfinished:
      "{{label}}: a row of the field mapping has one side only. Choose the other one or remove the row.",
    mapping_field_unknown: "{{label}}: {{entity}} has no field {{field}}. Choose another field in the mapping.",
    mapping_core_field_unknown:
      "{{label}}: the core entity has no field {{field}}. Choose another field in the mapping.",
    mapping_field_repeated: "{{label}}: {{field}} is mapped twice. Keep one row.",
    mapping_field_read_only: "{{label}}: {{field}} can't be written there. Remove it from the mapping.",
    mapping_types_differ:
      "{{label}}: {{field}} ({{fieldType}}) can't become {{other}} ({{otherType}}) by itself. Change the mapping or convert the value first.",
    required_field_unmapped: "{{label}}: {{field}} is required there for new records. Map it.",
    function_unknown: "{{label}}: there is no function {{name}}. Replace the node.",
    function_wrong_level: "{{label}}: {{name}} can't be used in this kind of pipeline. Replace the node.",
    function_wrong_side: "{{label}}: {{name}} works on the source side only. Move it before the core entity.",
    input_missing: "{{label}}: {{input}} is empty. Fill it in.",
    input_invalid: "{{label}}: {{input}}: {{reason}}",
    code_invalid: "{{label}}: {{input}}: {{reason}}",
    custom_action_unknown: "{{label}}: its custom action was deleted. Choose another one.",
    custom_action_variable_missing:
      "{{label}}: the variable {{variable}} of {{action}} has no value. Fill it in, or give it a default on the custom action's page.",
    custom_action_variable_invalid: "{{label}}: the variable {{variable}} of {{action}} {{reason}}. Change its value.",
    token_unknown: "{{label}}: {{token}} names nothing that comes before this node. Choose another token.",
    decision_without_edges: "{{label}}: the decision leads nowhere. Connect what happens when it is true or false.",
    edge_type_unknown:
      "{{label}}: an edge leaves by “{{edgeType}}”, which this node doesn't have. Choose another way for the edge.",
    case_branch_unknown: "{{label}}: its case “{{name}}” does not exist. Choose another case.",
    case_leads_nowhere:
      "{{label}}: nothing follows its case “{{name}}”, so records it holds for go no further. Connect it, unless that is meant.",
    token_unclosed:
      "{{label}}: “{{text}}” begins like a token and never ends. Close it with two braces, or it stays text.",
    edge_refused: "{{label}}: {{reason}}",
    edge_anchor_missing: "{{label}}: an edge ends beside this node. Connect it again.",
    loop_unlinked:
      "{{label}}: the loop is not complete. Connect its start with its functions, these with End loop, and End loop back to the start.",
    field_core_missing: "The field pipeline has no core field. Add its node.",
    field_source_loose: "{{label}}: nothing follows this source field. Connect it to the core field.",
    field_sink_loose: "{{label}}: nothing leads to this destination field. Connect it.",
    field_not_chosen: "{{label}}: no field is chosen. Choose one in its settings.",
    field_place_missing:
      "{{label}}: {{entity}} is no longer part of the entity pipeline. Add it there, or choose another field.",
    field_written_twice: "{{label}}: {{field}} is written from another core field too. Keep one of them.",
    loop_left: "{{label}}: a node inside the loop leads out of it. Let all of them end at End loop.",
    loop_entered:
      "{{label}}: it lies in a loop, but an edge leads into it from outside. Let the edge lead to the loop start.",
    loop_shared: "{{label}}: two loop starts share it. Give each its own End loop.",
    circle: "The nodes form a circle. Remove the edge that leads back.",
    attach_missing:
      "{{label}}: new records are never matched with existing ones, so each source makes its own. Add an Attach record rule.",
    ranking_missing: "{{label}}: authority is ranked, but no source is ranked. Put the sources in order.",
  },
} as const;
