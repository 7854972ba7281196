/** Records that come back with a change of one of their copies, as storage is notified of them. */

/** A record that a person deleted here, and that a change of one of its copies brings back. */
export interface ReturnedRecord {
  recordId: string;
  others: OtherCopy[];
}

/** What is open about the copy of a returned record at another place. */
export interface OtherCopy {
  placeId: number;
  /** Indexes of read fields that its next reading says anew. */
  unread: number[];
  /** Indexes of written fields of which it is not told that they are blank. */
  untold: number[];
  /** It is to be asked for now. */
  isAsked: boolean;
}
