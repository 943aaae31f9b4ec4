/** A page of the tree with what it was made from. */
import type { PageEntry } from "./contract.js";
import type { SourceIssue } from "./front-matter.js";
import type { Place } from "./page-entry.js";
import type { SourceRecord } from "./source-record.js";

/** An entry with what it was made from. */
export interface Placed {
  readonly record: SourceRecord;
  readonly place: Place;
  readonly entry: PageEntry;
  readonly warnings: readonly SourceIssue[];
}
