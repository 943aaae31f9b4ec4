import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type {
  Change,
  ChangeBatch,
  ChangeKind,
  JournalEntry,
  JournalForm,
  JournalValue,
} from "../contracts.js";

/** Changes of one entry: pages of the journal stay small. */
const MAX_CHANGES = 200;

const packedChange = z.object({
  kind: z.string(),
  key: z.string(),
  op: z.enum(["create", "update", "delete", "move"]),
  to: z.string().exactOptional(),
  before: z.unknown(),
  after: z.unknown(),
});
const packedBatch = z.object({
  /** Identifies the entry, also in a journal that was restored from a backup. */
  stamp: z.string().regex(/^[0-9a-f]{8}$/),
  actor: z.object({ id: z.string(), name: z.string() }).nullable(),
  changes: z.array(packedChange),
  /** True: changes before it were lost. */
  isGap: z.boolean().exactOptional(),
});
type PackedBatch = z.output<typeof packedBatch>;

/** A batch of the journal; null: it is damaged, or changes before it were lost. */
export interface JournalRow {
  readonly n: number;
  readonly cursor: string;
  readonly batch: ChangeBatch | null;
}

/** Converts batches to entries of the journal and back. */
export class JournalEntries {
  readonly #forms = new Map<string, JournalForm>();

  add(kind: ChangeKind, form: JournalForm): void {
    this.#forms.set(kind, form);
  }

  keeps({ changes }: ChangeBatch): boolean {
    return changes.some(({ kind }) => this.#forms.has(kind));
  }

  /** The entries of a batch; none when it has no change of a kind that is kept. */
  pack({ at, actor, changes }: Pick<ChangeBatch, "at" | "actor" | "changes">): JournalValue[] {
    const packed = changes.flatMap((change) => this.#pack(change));
    const by = actor && { id: actor.id, name: actor.name };
    const values: JournalValue[] = [];
    for (let from = 0; from < packed.length; from += MAX_CHANGES) {
      const part = packed.slice(from, from + MAX_CHANGES);
      values.push(toValue(at, { actor: by, changes: part }));
    }
    return values;
  }

  /** Adds the state after each change of an entry, by what changed. */
  noteOutcomes({ value }: JournalEntry, outcomes: Map<string, string>): void {
    for (const { kind, key, to, after } of packedBatch.safeParse(value).data?.changes ?? []) {
      if (to !== undefined) outcomes.set(nameOf(kind, key), "null");
      outcomes.set(nameOf(kind, to ?? key), JSON.stringify(after));
    }
  }

  /** True when the journal ends with the state after the change, or does not store it. */
  isKnown(change: Change, outcomes: ReadonlyMap<string, string>): boolean {
    const { kind, key, to } = change;
    const states = this.#forms.get(kind)?.pack(change) ?? null;
    const outcome = outcomes.get(nameOf(kind, to ?? key));
    return states === null || isSameJson(states.after, outcome);
  }

  unpack({ n, at, value }: JournalEntry): JournalRow {
    const { data } = packedBatch.safeParse(value);
    const cursor = `${n}-${data?.stamp ?? ""}`;
    if (data === undefined || data.isGap === true) return { n, cursor, batch: null };
    const changes = data.changes.flatMap((change) => this.#unpack(change) ?? []);
    const actor = data.actor && { ...data.actor, email: "" };
    const about = { origin: null, isFound: false, isTransient: false, message: "" };
    return { n, cursor, batch: { cursor, at, changes, actor, tags: new Set(), ...about } };
  }

  #pack(change: Change): PackedBatch["changes"] {
    const states = this.#forms.get(change.kind)?.pack(change) ?? null;
    if (states === null) return [];
    const { kind, key, op, to } = change;
    return [{ kind, key, op, ...(to !== undefined && { to }), ...states }];
  }

  /** Null: of a kind or a form that this version does not know. */
  #unpack({ kind, ...change }: PackedBatch["changes"][number]): Change | null {
    return this.#forms.get(kind)?.unpack(change) ?? null;
  }
}

/** The first entry of a journal, and the one after changes that could not be stored. */
export function emptyEntry(at: number, { isGap }: { isGap: boolean }): JournalValue {
  return toValue(at, { actor: null, changes: [], ...(isGap && { isGap }) });
}

function toValue(at: number, packed: Omit<PackedBatch, "stamp">): JournalValue {
  const stamp = randomBytes(4).toString("hex");
  const value: PackedBatch = { stamp, ...packed };
  return { at, value };
}

function nameOf(kind: string, key: string): string {
  return `${kind} ${key}`;
}

/** PostgreSQL orders the keys of an object by itself. */
function isSameJson(value: unknown, text: string | undefined): boolean {
  return (
    text !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(text))
  );
}
