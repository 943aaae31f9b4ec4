/** What the journal of changes stores of a record: whether it is public. */
import { z } from "zod";
import type { Change } from "#kernel";
import type { JournalForm, PackedChange } from "#kernel/internal";
import type { RecordState } from "../contract.js";

const packedRecord = z.object({ isPublished: z.boolean() });
const states = z.object({ before: packedRecord.nullable(), after: packedRecord.nullable() });

/** Records in the journal. */
export const recordJournal: JournalForm = {
  pack: (change) => {
    if (change.kind !== "record") return null;
    return { before: packRecord(change.before), after: packRecord(change.after) };
  },
  unpack: unpackRecords,
};

function packRecord(state: RecordState | null): z.input<typeof packedRecord> | null {
  return state && { isPublished: state.isPublished };
}

function unpackRecords({ key, op, to, ...packed }: PackedChange): Change<"record"> | null {
  const { data } = states.safeParse(packed);
  if (data === undefined) return null;
  const before = data.before && unpackRecord(key, data.before);
  const after = data.after && unpackRecord(key, data.after);
  return { kind: "record", key, op, ...(to !== undefined && { to }), before, after };
}

function unpackRecord(key: string, { isPublished }: z.output<typeof packedRecord>): RecordState {
  const [type = "", id = ""] = key.split("/");
  return { isPublished, record: { _id: id, _type: type, _createdAt: 0, _updatedAt: 0 } };
}
