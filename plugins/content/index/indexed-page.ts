/** A page of the tree with its record and place. */
import type { PageEntry } from "../contract.js";
import type { SourceIssue } from "../read/front-matter/front-matter.js";
import type { TreePosition } from "./page-entry.js";
import type { SourceRecord } from "../read/source-record.js";

/** An entry with its record and place. */
export interface IndexedPage {
  readonly record: SourceRecord;
  readonly place: TreePosition;
  readonly entry: PageEntry;
  readonly warnings: readonly SourceIssue[];
}
