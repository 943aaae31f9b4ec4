import { HttpError } from "#kernel";

type Fields = Readonly<Record<string, unknown>>;

const DELETED: readonly unknown[] = ["user.deleted", "user_deleted"];
const ID = /^[^\p{Cc}]{1,255}$/u;

/**
 * The provider's id of the deleted user; null for any other event.
 * @throws HttpError 400 when the id is missing.
 */
export function deletedUser(report: Fields): string | null {
  if (!DELETED.includes(own(report, "type")) && !DELETED.includes(own(report, "event")))
    return null;
  const data = own(report, "data");
  const fields = typeof data === "object" && data !== null ? [{ ...data }, report] : [report];
  for (const source of fields) {
    const id = own(source, "id") ?? own(source, "user_id");
    if (typeof id === "string" && ID.test(id)) return id;
  }
  throw new HttpError(400, "the report names no user");
}

function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
