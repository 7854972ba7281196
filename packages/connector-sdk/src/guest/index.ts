/** For those who run uploaded synapses: the files of the sandbox, and how errors travel. */
export { entryOf, GUEST_ENTRY, guestFiles, SYNAPSE_FOLDER } from "./files.ts";
export { fromWire, toWire, type WireError } from "./wire.ts";
