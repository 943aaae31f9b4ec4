/** Creates accounts and records that do not exist yet. */
import { isDeepStrictEqual } from "node:util";
import { SiteError, type SiteContext } from "#kernel";
import { sha256 } from "#kernel/internal";
import type { ImportedAccount, ImportedRecord } from "../contract.js";
import type { Tally } from "./tally.js";

/** What the writers share. */
interface Parts {
  readonly site: SiteContext;
  readonly tally: Tally;
  readonly dryRun: boolean;
}

/** Creates an account without a password, unless the address has one. */
export async function writeAccount(item: ImportedAccount, parts: Parts): Promise<void> {
  const { site, tally, dryRun } = parts;
  const { email, name, roles, origin } = item;
  const users = site.use("users");
  if ((await users.findByEmail(email)) !== null) {
    tally.accounts.unchanged += 1;
    return;
  }
  try {
    if (!dryRun) {
      const account = { email, roles, provider: "local", ...(name !== null && { name }) };
      await users.create(account);
    }
    tally.accounts.created += 1;
  } catch (error) {
    if (!(error instanceof SiteError)) throw error;
    tally.skip("accounts", origin, `account ${JSON.stringify(email)}: ${error.message}`);
  }
}

/** Creates a record whose id follows from its key in the source. */
export async function writeRecord(
  item: ImportedRecord & { type: string },
  parts: Parts,
): Promise<void> {
  const { site, tally, dryRun } = parts;
  const { type, key, data, origin } = item;
  const flex = site.use("flex");
  const id = /^[0-9a-f]{12}$/.test(key) ? key : sha256(`${type}\n${key}`).slice(0, 12);
  const there = await flex.source(type, id);
  if (there !== null) {
    const fields = new Set(flex.type(type)?.fields.map(({ name }) => name));
    if (isSame(there.record, onlyFields(data, fields))) tally.records.unchanged += 1;
    else tally.skip("records", origin, `record ${type}/${id} exists with other values, which stay`);
    return;
  }
  const [result] = await flex.apply([{ op: "create", type, id, data }], {
    dryRun,
    message: "Import",
  });
  if (result?.status === "created") tally.records.created += 1;
  else {
    const errors = result?.errors.map(
      ({ field, message }) => `${field === "" ? "" : `${field}: `}${message}`,
    );
    tally.skip("records", origin, `record not valid: ${errors?.join("; ") ?? "unknown"}`);
  }
}

function onlyFields(
  data: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => fields.has(name)));
}

/** True when the record has the values of the source; it may have more, by default. */
function isSame(
  record: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(data).every(([name, value]) => {
    const own = record[name];
    return isDeepStrictEqual(own, value) || String(own) === String(value) || value === "";
  });
}
