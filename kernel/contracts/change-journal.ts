/** The stored part of the change feed. */
import type { Change, ChangeBatch, ChangeKind } from "./changes.js";

/** How changes of one kind are stored in the journal. */
export interface JournalForm {
  /**
   * What decides about access to a change, as JSON: never contents or secrets. Null: the change
   * is not stored.
   */
  pack(change: Change): PackedStates | null;
  /** The change with states as far as they are stored; null when a state is malformed. */
  unpack(change: PackedChange): Change | null;
}
/** The states of a change, as JSON. */
export interface PackedStates {
  readonly before: unknown;
  readonly after: unknown;
}
/** A stored change of a known kind. */
export interface PackedChange extends PackedStates, Pick<Change, "key" | "op" | "to"> {}
/** Batches after a cursor. */
export interface JournalPage {
  /** Oldest first. Their states are what their kinds store; addresses of actors and tags are left out. */
  readonly batches: readonly ChangeBatch[];
  /** True when more follow. */
  readonly more: boolean;
}
/**
 * The changes of the site in one order, stored where `records` are: each once, by the process that
 * announces it. Its cursors are valid after a restart and, with shared records, on all nodes.
 */
export interface ChangeJournal {
  /** Changes of this kind are stored. Call it in `setup`. */
  keep(kind: ChangeKind, form: JournalForm): void;
  /**
   * Stores what happened while no process announced it, as far as the journal lacks its outcome. Null: what
   * happened is unknown, so older cursors of a journal that is not shared become invalid.
   */
  missed(changes: readonly Change[] | null): Promise<void>;
  /** The newest cursor. */
  cursor(): Promise<string>;
  /** The newest cursor that this process knows of. */
  readonly seen: string;
  /**
   * The batches after `cursor`, at most `limit`.
   * @throws ERR_CHANGES_GONE (410) when batches after it are no longer stored.
   */
  read(cursor: string, limit: number): Promise<JournalPage>;
}
