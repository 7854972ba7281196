/** The inputs by which a node names an object of a connected system. */
import { z } from "zod";

export const ENDPOINT_INPUTS = [
  {
    name: "connectorId",
    label: "Synapse",
    datatype: "picklist",
    renderType: "connector",
    required: true,
    hideTokenPicker: true,
  },
  {
    name: "entity",
    label: "Object",
    datatype: "picklist",
    renderType: "connectorEntity",
    required: true,
    hideTokenPicker: true,
    dependsOn: { dependantField: "connectorId", dependantType: "connectorEntities" },
  },
];

/** Follows both: choices and rows of fields of the object that was named. */
export const OBJECT_FIELDS = {
  dependantField: "entity",
  dependantType: "connectorEntityFields",
  params: { connectorId: "connectorId" },
};

export const PLACE_CONFIG = {
  connectorId: z.string({ error: "Choose a synapse." }).min(1, "Choose a synapse."),
  entity: z.string({ error: "Choose an object." }).min(1, "Choose an object."),
};
